import * as fs from "node:fs/promises"
import * as path from "node:path"
import { describe, expect, it } from "vitest"
import { definitions, type Reference, references, sections, type Source } from "./documentation/Reference.ts"

const root = path.resolve(import.meta.dirname, "../../..")

/** This file is left out, because the ids in the tests of `references` do not exist. */
const thisFile = "packages/testing/test/References.test.ts"

const read = async (pattern: string): Promise<ReadonlyArray<Source>> => {
  const found: Array<Source> = []
  for await (const file of fs.glob(pattern, { cwd: root })) {
    if (file === thisFile || /node_modules|\bdist\//.test(file)) continue
    found.push({ file: file.replaceAll(path.sep, "/"), text: await fs.readFile(path.join(root, file), "utf8") })
  }
  return found
}

/** Rules of the contract that no test names, with the reason. */
const untested: Readonly<Record<string, string>> = {}

const defined = (await read("docs/{contract,decisions,decisions/*}.md")).flatMap(definitions)
const code = await read("{packages,examples}/*/{src,test}/**/*.ts")
const texts = [...code, ...(await read("{*,docs/**/*,.changeset/*,{packages,examples}/*/{*,docs/**/*}}.md"))]
const ids = new Set(defined.map(({ id }) => id))

const places = (found: ReadonlyArray<Reference>) => found.map(({ file, id, line }) => `${file}:${line} ${id}`)

describe("ids of rules and decisions", () => {
  it("every id is defined once", () => {
    expect(places(defined.filter(({ id }, index) => defined.findIndex((other) => other.id === id) !== index))).toEqual(
      []
    )
  })

  it("the ids of each section of the contract are numbered from 1 without gaps", () => {
    const rules = defined.filter(({ id }) => id.startsWith("C-"))
    const groups = Map.groupBy(rules, ({ id }) => id.replace(/-\d+$/, ""))
    const gaps = [...groups].flatMap(([group, found]) =>
      found.map((_, index) => `${group}-${index + 1}`).filter((id) => !ids.has(id))
    )
    expect(gaps).toEqual([])
  })

  it("every id that a file names is defined", () => {
    expect(places(texts.flatMap(references).filter(({ id }) => !ids.has(id)))).toEqual([])
  })

  it("files name ids of rules instead of sections of the contract", () => {
    expect(texts.flatMap(sections)).toEqual([])
  })

  it("a test names every id of the contract", () => {
    const tests = code.filter(({ file }) => /\/test\/|^packages\/testing\/src\//.test(file))
    const named = new Set(tests.flatMap(references).map(({ id }) => id))
    const missing = [...ids].filter((id) => id.startsWith("C-") && !named.has(id) && !(id in untested))
    expect(missing).toEqual([])
  })

  it("a source file of a package cites every id of the contract", () => {
    // Ids inside a range do not count, because a search for such an id does not find the range.
    const sources = code.filter(({ file }) => /^packages\/(?!testing\/)[^/]+\/src\//.test(file))
    const cited = new Set(sources.flatMap(({ text }) => text.match(/\bC-\d+(?:\.\d+)?-\d+/g) ?? []))
    expect([...ids].filter((id) => id.startsWith("C-") && !cited.has(id))).toEqual([])
  })

  it("every id in the list of untested rules is defined", () => {
    expect(Object.keys(untested).filter((id) => !ids.has(id))).toEqual([])
  })
})

describe("references", () => {
  const idsIn = (text: string) => references({ file: "a.ts", text }).map(({ id, line }) => [line, id])

  it("an id is returned with its line", () => {
    expect(idsIn("a\n// the rule (C-4.3-6, D-XY-12)\n")).toEqual([
      [2, "C-4.3-6"],
      [2, "D-XY-12"]
    ])
  })

  it("a range of ids is returned as all its ids, even if it continues on the next line of a comment", () => {
    expect(idsIn("/**\n * C-5-3 to\n * C-5-5\n */").map(([, id]) => id)).toEqual(["C-5-3", "C-5-4", "C-5-5"])
  })

  it("text that only looks like an id is not returned", () => {
    expect(idsIn("VITAMIN-D-3, C-4, D-CAL, D-cal-1, UTC-5-3, RFC-5545")).toEqual([])
  })
})

describe("sections", () => {
  it("sections returns a reference to a section with its line", () => {
    const found = sections({
      file: "a.ts",
      text: "a\n// Contract 4.3 rule 1\n/** Decisions\n * 7 */ the Contract of 2.5"
    })
    expect(found.map((each) => each.replaceAll(/\s+/g, " "))).toEqual(["a.ts:2 Contract 4.3", "a.ts:3 Decisions * 7"])
  })
})

describe("definitions", () => {
  it("a definition is a list item or a table row that begins with an id in bold", () => {
    const text = "- **C-4.3-1** a\n| **C-7-2** | b |\n- **D-XY-3: c.** d\ntext **C-9-9** e\n- C-9-8\n"
    expect(definitions({ file: "a.md", text }).map(({ id }) => id)).toEqual(["C-4.3-1", "C-7-2", "D-XY-3"])
  })
})
