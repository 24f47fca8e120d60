import { availableParallelism } from "node:os"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** Continuous integration names the file that receives the counts as JSON, beside the printed report. */
const report = process.env["FRONTDESK_TEST_REPORT"]

/**
 * The seed of everything that tests draw. It is fixed, so that a test that passes once passes again everywhere.
 * `FRONTDESK_TEST_SEED` names another seed; with `random` one is drawn and printed.
 */
const seedOf = (asked: string | undefined): string => {
  if (asked !== "random") return asked ?? "348871703"
  const drawn = String(Math.floor(Math.random() * 2 ** 31))
  console.log(`FRONTDESK_TEST_SEED=${drawn}`)
  return drawn
}

const seed = seedOf(process.env["FRONTDESK_TEST_SEED"])
// Vitest evaluates the config more than once: every evaluation has to find the same seed.
process.env["FRONTDESK_TEST_SEED"] = seed

/** Where Node stores the compiled modules of the programs that tests start. */
const compileCache = fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url))

/** Where tests are. Files share a worker process, because importing the modules costs more than most files. */
const folders = ["packages/*/test", "examples/*/test"]

/** The files of a command: mode `test` is `pnpm test`, `full` is `pnpm test:full`, `all` is `pnpm coverage`. */
const filesOf = (mode: string) => ({
  include: folders.map((folder) => `${folder}/**/*.${mode === "full" ? "full.test.ts" : "test.ts"}`),
  exclude: ["**/node_modules/**", "**/dist/**", ...(mode === "full" || mode === "all" ? [] : ["**/*.full.test.ts"])]
})

export default defineConfig(({ mode }) => ({
  test: {
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    // One more than there are cores, because a worker often waits for a database or for another process.
    maxWorkers: availableParallelism() + 1,
    // The programs that tests start compile the modules of the workspace. With the cache they start in half of the time.
    env: { FRONTDESK_TEST_SEED: seed, NODE_COMPILE_CACHE: compileCache },
    setupFiles: ["packages/testing/test/seed.ts"],
    globalSetup: ["packages/test-postgres/src/globalSetup.ts", "packages/dashboard/build/globalSetup.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // The default of a second is too short on a loaded machine.
    expect: { poll: { timeout: 20_000 } },
    // Files that share a process must not see what another file has replaced.
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    isolate: false,
    ...filesOf(mode),
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["packages/bench/**", "packages/testing/**"],
      reporter: ["text-summary", "html", "lcov"]
    }
  }
}))
