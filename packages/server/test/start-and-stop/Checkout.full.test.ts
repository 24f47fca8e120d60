import { execFile } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { containing } from "../support/matching.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"

const server = join(import.meta.dirname, "../..")

/** A checkout with the real starter and bundler, and with a small program that prints a word and where it runs from. */
const makeCheckout = () => {
  const folder = temporaryFolder()
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const own = join(folder, "packages/server")
  const cache = join(own, "node_modules/.cache")
  for (const part of ["bin", "bundle"]) cpSync(join(server, part), join(own, part), { recursive: true })
  mkdirSync(join(own, "node_modules"))
  symlinkSync(join(server, "node_modules/rolldown"), join(own, "node_modules/rolldown"))
  write("node_modules/.pnpm/lock.yaml", "")
  write("packages/server/package.json", JSON.stringify({ type: "module", engines: { node: ">=24.11" } }))
  write("packages/storage-sqlite/package.json", JSON.stringify({ type: "module" }))
  write("packages/storage-sqlite/src/client/longReadThread.ts", "export {}")
  write(
    "packages/server/src/main.ts",
    `import { word } from "./word.ts"
const place = import.meta.url.includes("/.cache/") ? "a bundle" : "the sources"
console.log(word + " from " + place)
if (process.argv[2] === "later") void import("./later.ts").then(({ later }) => console.log(later))
if (process.argv[2] === "fail") throw new Error("failed on purpose")`
  )
  write("packages/server/src/word.ts", `export const word: string = "one"`)
  write("packages/server/src/later.ts", `export const later: string = "later"`)
  const start = (args: ReadonlyArray<string> = [], env: Readonly<Record<string, string>> = {}) =>
    promisify(execFile)(process.execPath, [join(own, "bin/source.cjs"), ...args], { env: { ...process.env, ...env } })
  /** Returns the names of the bundles. */
  const bundles = () => readdirSync(join(cache, "bundles")).filter((name) => !name.endsWith(".json"))
  return { own, cache, write, start, bundles }
}

describe("the command line of a checkout", () => {
  it("starts from a bundle, which is made once", async () => {
    const { bundles, start } = makeCheckout()
    expect(await start()).toEqual({ stdout: "one from a bundle\n", stderr: "" })
    const made = bundles()
    expect(made).toHaveLength(1)
    expect(await start(["later"])).toEqual({ stdout: "one from a bundle\nlater\n", stderr: "" })
    expect(bundles()).toEqual(made)
  })

  it("starts with each change of a source, of the same size and in a module that is loaded later too", async () => {
    const { start, write } = makeCheckout()
    for (const word of ["one", "two", "six", "four"]) {
      write("packages/server/src/word.ts", `export const word: string = "${word}"`)
      write("packages/server/src/later.ts", `export const later: string = "later than ${word}"`)
      expect((await start(["later"])).stdout).toBe(`${word} from a bundle\nlater than ${word}\n`)
    }
  })

  it("makes a new bundle when what decides about it is newer, and deletes bundles that were not used for a day", async () => {
    const { bundles, cache, own, start } = makeCheckout()
    await start()
    for (const path of [
      "node_modules/.pnpm/lock.yaml",
      "packages/server/package.json",
      "packages/server/bundle/Bundler.ts",
      "packages/storage-sqlite/src/client/longReadThread.ts"
    ]) {
      const [last = "", ...others] = bundles()
      expect(others).toEqual([])
      const yesterday = new Date(Date.now() - 25 * 3_600_000)
      utimesSync(join(cache, "bundles", last), yesterday, yesterday)
      utimesSync(join(own, "../..", path), new Date(), new Date(Date.now() + 1_000))
      await start()
      expect(bundles()).not.toContain(last)
    }
  })

  it("makes a new bundle when a part of it was deleted", async () => {
    const { bundles, cache, start } = makeCheckout()
    await start()
    for (const name of bundles()) rmSync(join(cache, "bundles", name), { recursive: true })
    expect((await start()).stdout).toBe("one from a bundle\n")
  })

  it("keeps the bundle of a running program when another program makes a new one", async () => {
    const { bundles, start, write } = makeCheckout()
    await start()
    write("packages/server/src/word.ts", `export const word: string = "other"`)
    await start()
    expect(bundles()).toHaveLength(2)
  })

  it("starts several times at once after a change", async () => {
    const { start, write } = makeCheckout()
    await start()
    write("packages/server/src/word.ts", `export const word: string = "new"`)
    const started = await Promise.all(Array.from({ length: 4 }, () => start(["later"])))
    for (const each of started) expect(each).toEqual({ stdout: "new from a bundle\nlater\n", stderr: "" })
    expect((await start()).stdout).toBe("new from a bundle\n")
  })

  it("names the source and its line in a stack trace with --enable-source-maps", async () => {
    const { start } = makeCheckout()
    await expect(start(["fail"], { NODE_OPTIONS: "--enable-source-maps" })).rejects.toMatchObject({
      stderr: containing("packages/server/src/main.ts:5:")
    })
  })

  it("starts from the sources when no bundler is installed", async () => {
    const { own, start } = makeCheckout()
    rmSync(join(own, "node_modules/rolldown"))
    expect(await start()).toEqual({ stdout: "one from the sources\n", stderr: "" })
  })

  it("starts from the sources when the cache cannot be written", async () => {
    const { cache, start } = makeCheckout()
    writeFileSync(cache, "a file in place of the folder")
    expect(await start()).toEqual({ stdout: "one from the sources\n", stderr: "" })
  })

  it("starts from the sources and says so when a module cannot be bundled", async () => {
    const { start, write } = makeCheckout()
    await start()
    write("packages/server/src/later.ts", "export const later: string =")
    const { stderr, stdout } = await start()
    expect(stdout).toBe("one from the sources\n")
    expect(stderr).toContain("frontdesk: the program is not bundled and starts from its sources")
  })

  it("starts from the sources while coverage is measured", async () => {
    const { own, start } = makeCheckout()
    const { stdout } = await start([], { NODE_V8_COVERAGE: join(own, "coverage") })
    expect(stdout).toBe("one from the sources\n")
  })
})
