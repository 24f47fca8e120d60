// pnpm words                     checks every file
// pnpm words packages/core/src   checks every file below a path
import * as fs from "node:fs/promises"
import * as path from "node:path"
import process from "node:process"
import { check, type Finding, format } from "./Check.ts"

const root = path.resolve(import.meta.dirname, "../../../..")
const wordList = "packages/testing/test/words/"
const files =
  "{README.md,docs/**/*.md,.changeset/*.md,{packages,examples}/*/{*.md,docs/**/*.md,{bundle,src,test}/**/*.ts}}"

const findings: Array<Finding> = []
for await (const file of fs.glob(files, { cwd: root })) {
  if (file.startsWith(wordList) || file.includes("node_modules")) continue
  findings.push(...check(file, await fs.readFile(path.join(root, file), "utf8")))
}

const paths = process.argv.slice(2).map((each) => path.relative(root, path.resolve(each)))
const isBelow = (file: string, folder: string) => folder === "" || file === folder || file.startsWith(`${folder}/`)
const shown = findings.filter(({ file }) => paths.length === 0 || paths.some((each) => isBelow(file, each)))
for (const finding of shown) console.log(format(finding))

console.log(`Found ${shown.length} words and sentences to change.`)
process.exitCode = shown.length > 0 ? 1 : 0
