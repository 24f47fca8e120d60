import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const bin = join(import.meta.dirname, "../../bin")
const root = join(import.meta.dirname, "../../../..")

/** The path of an installed Node that is older than 24, if there is one. */
const oldNode = ["/usr/bin/node", "/usr/local/bin/node"].find(
  (path) =>
    existsSync(path) && Number(/^v(\d+)/.exec(execFileSync(path, ["--version"], { encoding: "utf8" }))?.[1]) < 24
)

const complaint = /^frontdesk: Node 24\.11 or newer is needed, this is \d+\.\d+\.\d+\. Without it: npx [^\n]*\n$/

const Manifest = Schema.Struct({ scripts: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)) })

/** The name, the folder and the arguments of `node` for each package.json script that starts a program with `node`. */
const startedFiles = ["", ...globSync("examples/*", { cwd: root })].flatMap((folder) => {
  const manifest = readFileSync(join(root, folder, "package.json"), "utf8")
  const { scripts = {} } = Schema.decodeUnknownSync(Schema.fromJsonString(Manifest))(manifest)
  return Object.entries(scripts).flatMap(([name, text]) => {
    const [, given] = /^(?:[A-Z_]+=\S+ )*node (.*)$/.exec(text) ?? []
    const label = folder === "" ? name : `${folder} ${name}`
    return given === undefined ? [] : [[label, join(root, folder), given.split(" ")] as const]
  })
})

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

  it.skipIf(oldNode === undefined).each(startedFiles)(
    "the package.json script %s prints the required version on a real old Node",
    (_, folder, args) => {
      const { status, stderr } = spawnSync(oldNode ?? "", args, { cwd: folder, encoding: "utf8" })
      expect(status).toBe(2)
      expect(stderr).toMatch(complaint)
    }
  )

  it("is rejected by every script of the checkout that starts a TypeScript file, because the script starts through bin", () => {
    expect(startedFiles.map(([name]) => name)).toEqual(
      expect.arrayContaining(["start", "fake-twilio", "fake-vapi", "kill-test", "fuzz", "simulate", "bench"])
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
