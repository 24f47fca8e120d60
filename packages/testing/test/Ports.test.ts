import * as fs from "node:fs/promises"
import * as path from "node:path"
import { describe, expect, it } from "vitest"
import * as Port from "./documentation/Port.ts"

const { filled, ports } = await Port.read()
const page = await fs.readFile(path.resolve(import.meta.dirname, "../../../docs/adapters.md"), "utf8")

describe("the ports of core", () => {
  it("are the services that packages beside it fill, and have an adapter each", () => {
    const names = new Set(ports.map((port) => port.path.replace(/^.*\//, "")))
    expect([...filled].filter((name) => !names.has(name))).toEqual([])
    expect(ports.filter(({ adapters }) => adapters.length === 0)).toEqual([])
  })

  it("have a contract suite each", async () => {
    const suites = await fs.readdir(path.resolve(import.meta.dirname, "../src/suite"))
    expect(suites).toEqual(expect.arrayContaining(ports.map(({ suite }) => `${suite}.ts`)))
  })

  it("stand in the table of docs/adapters.md, each with its purpose, suite and adapters", () => {
    const rows = page
      .split("\n")
      .filter((line) => /^\| `[\w-]+\/\w+` /.test(line))
      .map((line) => line.split("|").map((cell) => cell.trim()))
    expect(rows).toEqual(
      ports.map((port) => ["", `\`${port.path}\``, port.purpose, `\`${port.suite}\``, port.adapters.join(", "), ""])
    )
  })
})
