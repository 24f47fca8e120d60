import * as fs from "node:fs/promises"
import * as path from "node:path"
import { describe, expect, it } from "vitest"
import * as Port from "./documentation/Port.ts"

const { implemented, ports } = await Port.read()
const page = await fs.readFile(path.resolve(import.meta.dirname, "../../../docs/adapters.md"), "utf8")

describe("ports of core", () => {
  it("every service of core that another package implements is documented as a port, and every port has an adapter", () => {
    const names = new Set(ports.map((port) => port.path.replace(/^.*\//, "")))
    expect([...implemented].filter((name) => !names.has(name))).toEqual([])
    expect(ports.filter(({ adapters }) => adapters.length === 0)).toEqual([])
  })

  it("every port has a contract suite", async () => {
    const suites = await fs.readdir(path.resolve(import.meta.dirname, "../src/suite"))
    expect(suites).toEqual(expect.arrayContaining(ports.map(({ suite }) => `${suite}.ts`)))
  })

  it("the table in docs/adapters.md lists every port with its purpose, suite and adapters", () => {
    const rows = page
      .split("\n")
      .filter((line) => /^\| `[\w-]+\/\w+` /.test(line))
      .map((line) => line.split("|").map((cell) => cell.trim()))
    expect(rows).toEqual(
      ports.map((port) => ["", `\`${port.path}\``, port.purpose, `\`${port.suite}\``, port.adapters.join(", "), ""])
    )
  })
})
