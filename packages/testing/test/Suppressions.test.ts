import * as fs from "node:fs/promises"
import * as path from "node:path"
import { describe, expect, it } from "vitest"

const root = path.resolve(import.meta.dirname, "../../..")

/** Matches a comment that disables a rule of the linter or of the Effect checks. */
const suppression = /(?:\/\/|\/\*)\s*(?:oxlint|eslint)-disable|(?:\/\/|\/\*)\s*@effect-diagnostics/
const reason = /\s--\s+\S+\s+\S+/

/** Returns the lines that disable a rule without a reason, as `file:line`. */
const unexplained = (file: string, source: string): ReadonlyArray<string> =>
  source
    .split("\n")
    .flatMap((line, index, lines) =>
      suppression.test(line) && !reason.test(comment(lines, index)) ? [`${file}:${index + 1}`] : []
    )

/** Returns the comment that begins in a line. A block comment may continue on the lines below. */
const comment = (lines: ReadonlyArray<string>, start: number): string => {
  const isBlock = lines[start]?.includes("/*") === true
  const end = isBlock ? lines.findIndex((line, index) => index >= start && line.includes("*/")) : start
  return lines.slice(start, end + 1).join("\n")
}

describe("disabled rules", () => {
  it("every comment that disables a rule gives a reason after two dashes", async () => {
    const found: Array<string> = []
    for await (const file of fs.glob("{packages,examples}/*/{src,test}/**/*.ts", { cwd: root })) {
      found.push(...unexplained(file, await fs.readFile(path.join(root, file), "utf8")))
    }
    expect(found).toEqual([])
  })

  it("unexplained finds every form of a comment that disables a rule without a reason", () => {
    const directive = (words: string) => `// ${words}`
    const source = [
      directive("oxlint-disable-next-line eslint/no-console"),
      directive("oxlint-disable-next-line eslint/no-console -- the program prints its answer"),
      directive(["@effect", "diagnostics-next-line floatingEffect:off"].join("-")),
      "call() " + directive("eslint-disable-line typescript/no-explicit-any -- "),
      ["/*", "oxlint-disable eslint/max-lines */"].join(" "),
      ["/*", "oxlint-disable eslint/max-lines"].join(" "),
      "   -- the rows of a table are one thing */",
      ["/*", "oxlint-disable eslint/max-lines"].join(" "),
      "   */",
      "-- this line is not a comment"
    ].join("\n")
    expect(unexplained("a.ts", source)).toEqual(["a.ts:1", "a.ts:3", "a.ts:4", "a.ts:5", "a.ts:8"])
  })
})
