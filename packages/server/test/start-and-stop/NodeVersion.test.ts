import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { describe, expect, it } from "vitest"
import { complaint, oldNode, startedFiles } from "./scripts.ts"

const bin = join(import.meta.dirname, "../../bin")

describe("the command line on a Node that is too old", () => {
  it.each(["20.20.2", "22.99.0", "24.10.9"])(
    "prints on %s one line with the required version and exits with 2",
    (version) => {
      const program = `Object.defineProperty(process.versions, "node", { value: "${version}" }); require("./source.cjs")`
      const { status, stderr, stdout } = spawnSync(process.execPath, ["-e", program], { cwd: bin, encoding: "utf8" })
      expect([status, stdout]).toEqual([2, ""])
      expect(stderr).toMatch(complaint)
    }
  )

  it.skipIf(oldNode === undefined).each(["source.cjs", "frontdesk.cjs"])(
    "%s prints the required version on a real old Node",
    (entry) => {
      const { status, stderr } = spawnSync(oldNode ?? "", [join(bin, entry), "--version"], { encoding: "utf8" })
      expect(status).toBe(2)
      expect(stderr).toMatch(complaint)
    }
  )

  it("is rejected by every script of the checkout that starts a TypeScript file, because the script starts through bin", () => {
    expect(startedFiles.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        "start",
        "fake-twilio",
        "fake-vapi",
        "fake-retell",
        "kill-test",
        "fuzz",
        "simulate",
        "bench"
      ])
    )
    for (const [, , [entry]] of startedFiles) expect(entry).toMatch(/packages\/server\/bin\/(source|run)\.cjs$/)
  })
})

describe("the command line on a Node that is new enough", () => {
  it("run.cjs passes a program its own path and arguments", () => {
    const program = join(mkdtempSync(join(tmpdir(), "frontdesk-run-")), "program.ts")
    writeFileSync(
      program,
      "const words: ReadonlyArray<string> = process.argv.slice(1)\nconsole.log(JSON.stringify(words))"
    )
    const printed = execFileSync(process.execPath, [join(bin, "run.cjs"), program, "a", "--b"], { encoding: "utf8" })
    rmSync(join(program, ".."), { recursive: true })
    expect(JSON.parse(printed)).toEqual([program, "a", "--b"])
  })

  it.each(["24.11.0", "25.0.0", "100.1.0"])("requireNode.cjs accepts the version %s", (version) => {
    const program = `Object.defineProperty(process.versions, "node", { value: "${version}" }); require("./requireNode.cjs")`
    expect(spawnSync(process.execPath, ["-e", program], { cwd: bin }).status).toBe(0)
  })

  it("source.cjs prints the version from a checkout", () => {
    expect(execFileSync(process.execPath, [join(bin, "source.cjs"), "--version"], { encoding: "utf8" })).toMatch(
      /\d+\.\d+\.\d+/
    )
  })
})
