import * as fs from "node:fs/promises"
import * as path from "node:path"
import { describe, expect, it } from "vitest"

const root = path.resolve(import.meta.dirname, "../../..")

/** A comment that turns a rule of the linter or of the Effect checks off. */
const suppression = /(?:\/\/|\/\*)\s*(?:oxlint|eslint)-disable|(?:\/\/|\/\*)\s*@effect-diagnostics/
const reason = /\s--\s+\S+\s+\S+/

/** The lines that turn a rule off and do not say why, as `file:line`. */
const unexplained = (file: string, source: string): ReadonlyArray<string> =>
  source
    .split("\n")
    .flatMap((line, index) => (suppression.test(line) && !reason.test(line) ? [`${file}:${index + 1}`] : []))

describe("a rule turned off", () => {
  it("has its reason beside it, after two dashes", async () => {
    const found: Array<string> = []
    for await (const file of fs.glob("{packages,examples}/*/{src,test}/**/*.ts", { cwd: root })) {
      found.push(...unexplained(file, await fs.readFile(path.join(root, file), "utf8")))
    }
    expect(found).toEqual([])
  })

  it("is found in every form, and let pass only with a reason", () => {
    const directive = (words: string) => `// ${words}`
    const source = [
      directive("oxlint-disable-next-line eslint/no-console"),
      directive("oxlint-disable-next-line eslint/no-console -- the program prints its answer"),
      directive(["@effect", "diagnostics-next-line floatingEffect:off"].join("-")),
      "call() " + directive("eslint-disable-line typescript/no-explicit-any -- "),
      ["/*", "oxlint-disable eslint/max-lines */"].join(" ")
    ].join("\n")
    expect(unexplained("a.ts", source)).toEqual(["a.ts:1", "a.ts:3", "a.ts:4", "a.ts:5"])
  })
})
