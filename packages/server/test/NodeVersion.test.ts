import { execFileSync, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { describe, expect, it } from "vitest"

const bin = join(import.meta.dirname, "../bin")

/** A Node of the machine that is too old, where there is one. */
const oldNode = ["/usr/bin/node", "/usr/local/bin/node"].find(
  (path) =>
    existsSync(path) && Number(/^v(\d+)/.exec(execFileSync(path, ["--version"], { encoding: "utf8" }))?.[1]) < 24
)

const complaint = /^frontdesk: Node 24\.11 or newer is needed, this is \d+\.\d+\.\d+\. Without it: npx [^\n]*\n$/

describe("the command line on a Node that is too old", () => {
  it.each(["20.20.2", "22.99.0", "24.10.9"])("says on %s in one line what it needs, and ends with 2", (version) => {
    const program = `Object.defineProperty(process.versions, "node", { value: "${version}" }); require("./source.cjs")`
    const { status, stderr, stdout } = spawnSync(process.execPath, ["-e", program], { cwd: bin, encoding: "utf8" })
    expect([status, stdout]).toEqual([2, ""])
    expect(stderr).toMatch(complaint)
  })

  it.skipIf(oldNode === undefined).each(["source.cjs", "frontdesk.cjs"])("%s says so on a real one", (entry) => {
    const { status, stderr } = spawnSync(oldNode ?? "", [join(bin, entry), "--version"], { encoding: "utf8" })
    expect(status).toBe(2)
    expect(stderr).toMatch(complaint)
  })

  it.each(["24.11.0", "25.0.0", "100.1.0"])("starts on %s", (version) => {
    const program = `Object.defineProperty(process.versions, "node", { value: "${version}" }); require("./requireNode.cjs")`
    expect(spawnSync(process.execPath, ["-e", program], { cwd: bin }).status).toBe(0)
  })

  it("is the one that package.json names, and runs from a checkout", () => {
    expect(execFileSync(process.execPath, [join(bin, "source.cjs"), "--version"], { encoding: "utf8" })).toMatch(
      /\d+\.\d+\.\d+/
    )
  })
})
