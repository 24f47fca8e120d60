import * as fs from "node:fs/promises"
import * as path from "node:path"
import { describe, expect, it } from "vitest"

const root = path.resolve(import.meta.dirname, "../../..")
const core = path.join(root, "packages/core")
const page = await fs.readFile(path.join(root, "docs/architecture.md"), "utf8")

/** Returns the cells of the table of a section, row by row. */
const rows = (section: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [, text = ""] = page.split(`\n## ${section}\n`)
  const lines = (text.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("|"))
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim())
  )
}

const quoted = (cell = ""): ReadonlyArray<string> => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text)

const foldersOf = async (folder: string) => {
  const entries = await fs.readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

describe("docs/architecture.md", () => {
  it("the section Packages lists every package", async () => {
    const listed = rows("Packages").flatMap(([names]) => quoted(names))
    expect(listed.toSorted()).toEqual((await foldersOf(path.join(root, "packages"))).toSorted())
  })

  it("the section Inside core lists every folder of core", async () => {
    const listed = rows("Inside core").flatMap(([name]) => quoted(name))
    expect(listed.map((name) => name.replace(/\/$/, "")).toSorted()).toEqual(
      (await foldersOf(path.join(core, "src"))).toSorted()
    )
  })

  it("the section Where a rule is lists at least 25 rules, each once", () => {
    const names = rows("Where a rule is").map(([name]) => name)
    expect(names.length).toBeGreaterThanOrEqual(25)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(rows("Where a rule is"))(
    "the file, the function and the test of a rule exist: %s",
    async (_, id, place, test) => {
      const [file = "", name = ""] = quoted(place)
      const [testFile = ""] = quoted(test)
      const read = (each: string, folder: string) =>
        fs.readFile(path.join(root, each.startsWith("packages/") ? each : `packages/core/${folder}/${each}`), "utf8")
      expect(await read(file, "src")).toMatch(new RegExp(`^export (?:const|class|function) ${name}\\b`, "m"))
      await read(testFile, "test")
      expect(id).toMatch(/^[CD]-/)
    }
  )
})
