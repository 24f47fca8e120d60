/**
 * Installs the packed testing kit into an empty folder, as an author of an adapter does, and uses it with each version
 * of Vitest and fast-check that its peer ranges name, and with `node:test`.
 *
 * It needs the tarballs of `pnpm run tarballs` and the package registry, and is too slow for `pnpm test`.
 */
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { fieldOf, step } from "./step.ts"

const tarballs = join(import.meta.dirname, "../../../../node_modules/.cache/tarballs")
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin/tsc")
const folder = mkdtempSync(join(tmpdir(), "frontdesk-kit-"))

// The variables would tell the kit and the runners that the tests of the checkout run them.
const { NODE_TEST_CONTEXT: _, VITEST: __, ...environment } = process.env

const run = (command: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    stdio: "pipe",
    env: { ...environment, NO_COLOR: "1" },
    timeout: 120_000
  })

const install = (...packages: ReadonlyArray<string>) =>
  run("npm", "install", "--no-audit", "--no-fund", "--save-exact", ...packages)

const write = (name: string, ...lines: ReadonlyArray<string>) => writeFileSync(join(folder, name), lines.join("\n"))

const suites = (options: string) => [
  'import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"',
  'import { MemoryStorage } from "@frontdesk/storage-memory"',
  'import { modelSuite } from "@frontdesk/testing/suite/modelSuite"',
  'import { storageSuite } from "@frontdesk/testing/suite/storageSuite"',
  'import { storeSuite } from "@frontdesk/testing/suite/storeSuite"',
  'import * as Effect from "effect/Effect"',
  'import * as Layer from "effect/Layer"',
  `storageSuite("ours", MemoryStorage.layer, { ${options} })`,
  "const own = Layer.effect(IdempotencyStore, Effect.service(IdempotencyStore))",
  `storeSuite("ours", IdempotencyStore, own, { with: MemoryStorage.layer, ${options} })`,
  `modelSuite("ours", MemoryStorage.layer, MemoryStorage.layer, { runs: 10, ${options} })`
]

/** A law on each arbitrary of the kit that needs no argument. It loads no other runner. */
const laws = [
  'import * as testing from "@frontdesk/testing"',
  'import * as fc from "fast-check"',
  'import { test } from "node:test"',
  "for (const [concept, members] of Object.entries(testing)) {",
  '  if (!concept.endsWith("Arbitrary")) continue',
  "  for (const [name, make] of Object.entries(members)) {",
  '    const arbitrary = typeof make === "function" && make.length === 0 ? make() : make',
  "    if (!(arbitrary instanceof fc.Arbitrary)) continue",
  "    test(`${concept}.${name}`, () => fc.assert(fc.property(arbitrary, () => true), { numRuns: 50 }))",
  "  }",
  "}"
]

/** The modules of the runners are what a suite takes. */
const runners = [
  'import type { Runner } from "@frontdesk/testing/suite/Runner"',
  'import * as node from "node:test"',
  'import * as vitest from "vitest"',
  "export const runners: ReadonlyArray<Runner> = [node, vitest]"
]

const manifestOf = (name: string): unknown =>
  JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"))

const versionOf = (name: string): string => String(fieldOf(manifestOf(name), "version"))

/** Runs a file with Node's own runner and returns how many of its tests passed. All must. */
const passedInNode = (file: string): number => {
  const report = run(process.execPath, "--test", "--test-reporter=tap", file)
  assert.match(report, /^# fail 0$/m)
  return Number(/^# pass (\d+)$/m.exec(report)?.[1])
}

try {
  const tarball = (name: string) => {
    const file = readdirSync(tarballs).find((each) => new RegExp(`^frontdesk-${name}-\\d`).test(each))
    assert.ok(file !== undefined, "the packages are packed by `pnpm run tarballs`")
    return join(tarballs, file)
  }
  write("package.json", JSON.stringify({ name: "adapter", private: true, type: "module" }))
  write("vitest.test.js", ...suites(""))
  write("node.test.mjs", 'import * as runner from "node:test"', ...suites("runner"))
  write("laws.mjs", ...laws)
  write("runners.ts", ...runners)
  const packages = ["core", "storage-memory", "testing"].map(tarball)
  const oldest = "3.10.0"
  step("the kit installs without a test runner, with the oldest fast-check of its range", () => {
    install(...packages, `fast-check@${oldest}`, "@types/node@26")
    const range = fieldOf(fieldOf(manifestOf("@frontdesk/testing"), "peerDependencies"), "fast-check")
    assert.match(String(range), new RegExp(`^>=${RegExp.escape(oldest)} `))
    assert.equal(versionOf("fast-check"), oldest)
    assert.ok(!readdirSync(join(folder, "node_modules")).includes("vitest"))
  })
  step("its suites run under node:test", () => assert.ok(passedInNode("node.test.mjs") > 300))
  step("its arbitraries work under node:test with fast-check 3", () => assert.ok(passedInNode("laws.mjs") >= 30))
  step("a suite without a runner says what to do", () => {
    assert.throws(() => run(process.execPath, "vitest.test.js"), /Pass one as an option/)
  })
  for (const [vitest, fastCheck] of [
    ["4", oldest],
    ["5", "4"]
  ] as const) {
    step(`its suites run under Vitest ${vitest} with fast-check ${fastCheck}`, () => {
      install(`vitest@${vitest}`, `fast-check@${fastCheck}`)
      assert.equal(versionOf("vitest").split(".")[0], vitest)
      const report = run(join(folder, "node_modules/.bin/vitest"), "run", "vitest.test.js")
      assert.match(report, /Tests +\d{3,} passed \(\d+\)/)
      const options = ["--module", "nodenext", "--strict", "--skipLibCheck", "--noEmit", "--types", "node"]
      run(process.execPath, tsc, ...options, "runners.ts")
    })
  }
  step("its arbitraries work under node:test with fast-check 4", () => assert.ok(passedInNode("laws.mjs") >= 30))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
