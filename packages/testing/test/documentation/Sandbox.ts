import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import type { Fence } from "./Fence.ts"

const root = path.resolve(import.meta.dirname, "../../../..")

/** Gives the property tests of a page the seed of the test run. */
const seeding = pathToFileURL(path.resolve(import.meta.dirname, "../seed.ts")).href

/** What came of checking or running: null when all is well, else what a reader of the page needs to mend it. */
export type Complaint = string | null

/** A folder outside the workspace in which every fence is a program that imports the workspace's packages. */
export interface Sandbox {
  /** The complaints of the type checker, one per line, each with the page and the line in it. */
  readonly check: () => Promise<Complaint>
  /** The output of a program that failed, with the page and the line the fence begins on. */
  readonly run: (fence: Fence) => Promise<Complaint>
  readonly remove: () => Promise<void>
}

const fileOf = (fence: Fence): string => `${fence.page.replaceAll("/", "+")}.L${fence.line}.ts`

/** Names the page where a tool named the file made of a fence of it. Lines agree: see `make`. */
const inWordsOfThePage = (output: string, fenced: ReadonlyArray<Fence>): string =>
  fenced.reduce((text, fence) => text.replaceAll(fileOf(fence), fence.page), output)

const execute = (command: string, args: ReadonlyArray<string>, cwd: string): Promise<Complaint> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve(error === null ? null : `${stdout}${stderr}`.trim() || error.message)
    )
  })

const directories = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(folder, entry.name))
}

/** What a package has installed: its path under `node_modules`, and where it is. */
const installedIn = async (folder: string): Promise<ReadonlyArray<readonly [string, string]>> => {
  const modules = path.join(folder, "node_modules")
  const names = await fs.readdir(modules).catch(() => [])
  const listed = await Promise.all(
    names
      .filter((name) => !name.startsWith("."))
      .map(async (name) =>
        name.startsWith("@")
          ? (await fs.readdir(path.join(modules, name))).map((inner) => path.join(name, inner))
          : [name]
      )
  )
  return listed.flat().map((name) => [name, path.join(modules, name)])
}

const nameOf = async (folder: string): Promise<string | null> => {
  const manifest = await fs.readFile(path.join(folder, "package.json"), "utf8").catch(() => null)
  const content: unknown = manifest === null ? null : JSON.parse(manifest)
  return typeof content === "object" && content !== null && "name" in content && typeof content.name === "string"
    ? content.name
    : null
}

/** Every package of the workspace, and all that any of them has installed: what a reader could have. */
const linkModules = async (sandbox: string): Promise<void> => {
  const links = new Map<string, string>()
  for (const folder of await directories(path.join(root, "packages"))) {
    const name = await nameOf(folder)
    if (name !== null) links.set(name, folder)
    for (const [installed, target] of await installedIn(folder)) links.set(installed, await fs.realpath(target))
  }
  for (const [name, target] of links) {
    const link = path.join(sandbox, "node_modules", name)
    await fs.mkdir(path.dirname(link), { recursive: true })
    await fs.symlink(target, link)
  }
}

/** Writes the fences where they can be checked and run. */
export const make = async (fenced: ReadonlyArray<Fence>): Promise<Sandbox> => {
  // Outside the workspace: Node strips no types from files under a folder named node_modules.
  const sandbox = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), "frontdesk-documentation-"))
  await linkModules(sandbox)
  await fs.writeFile(path.join(sandbox, "package.json"), `{ "type": "module" }`)
  await fs.writeFile(
    path.join(sandbox, "tsconfig.json"),
    JSON.stringify({
      extends: path.join(root, "tsconfig.base.json"),
      compilerOptions: { noEmit: true, composite: false, rewriteRelativeImportExtensions: false, types: ["node"] },
      files: fenced.map(fileOf)
    })
  )
  // Empty lines in front, so that a line of the file is a line of the page.
  for (const fence of fenced) {
    await fs.writeFile(path.join(sandbox, fileOf(fence)), "\n".repeat(fence.line - 1) + fence.code)
  }
  return {
    check: async () => {
      if (fenced.length === 0) return null
      const output = await execute(path.join(root, "node_modules/.bin/tsc"), ["-p", ".", "--pretty", "false"], sandbox)
      return output === null ? null : inWordsOfThePage(output, fenced)
    },
    run: async (fence) => {
      const output = await execute(process.execPath, ["--import", seeding, fileOf(fence)], sandbox)
      return output === null ? null : `${fence.page}:${fence.line}\n${inWordsOfThePage(output, fenced)}`
    },
    remove: () => fs.rm(sandbox, { recursive: true, force: true })
  }
}

/** A file of the workspace by its path from the root; null when there is none. */
export const content = (file: string): Promise<string | null> =>
  fs.readFile(path.join(root, file), "utf8").catch(() => null)

/** The pages whose code is checked: the README files of the workspace and its packages, and everything in `docs`. */
export const pages = async (): Promise<ReadonlyArray<{ readonly page: string; readonly markdown: string }>> => {
  const found: Array<{ readonly page: string; readonly markdown: string }> = []
  for (const pattern of [
    "README.md",
    "packages/*/README.md",
    "packages/*/docs/**/*.md",
    "examples/*/README.md",
    "docs/**/*.md"
  ]) {
    for await (const page of fs.glob(pattern, { cwd: root })) {
      found.push({ page: page.replaceAll(path.sep, "/"), markdown: await fs.readFile(path.join(root, page), "utf8") })
    }
  }
  return found.toSorted((a, b) => (a.page < b.page ? -1 : 1))
}
