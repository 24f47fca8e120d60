import * as fs from "node:fs/promises"
import * as path from "node:path"
import { describe, expect, it } from "vitest"

const root = path.resolve(import.meta.dirname, "../../..")
const page = await fs.readFile(path.join(root, "docs/glossary.md"), "utf8")

/** The rows of all tables: term, meaning, where it is in the code, and words not to use. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:term|-)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))

describe("docs/glossary.md", () => {
  it("the glossary defines each term once", () => {
    const terms = rows.map(([, term]) => term)
    expect(terms.length).toBeGreaterThan(60)
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([])
  })

  it("the files and folders that the glossary names exist", async () => {
    const paths = rows.flatMap(([, , , where = ""]) => [...where.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text))
    const missing: Array<string> = []
    for (const each of paths) {
      const file = path.join(root, each.startsWith("packages/") ? each : `packages/core/src/${each}`)
      if (
        await fs.access(file).then(
          () => false,
          () => true
        )
      )
        missing.push(each)
    }
    expect(missing).toEqual([])
  })
})
