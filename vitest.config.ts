import process from "node:process"
import { defineConfig } from "vitest/config"

/** Where continuous integration wants the counts as JSON, beside what is printed. */
const report = process.env["FRONTDESK_TEST_REPORT"]

/**
 * The seed of everything that tests draw. It is fixed, so that a test that passes passes again everywhere.
 * `FRONTDESK_TEST_SEED` names another one; with `random` one is drawn and printed.
 */
const seedOf = (asked: string | undefined): string => {
  if (asked !== "random") return asked ?? "348871703"
  const drawn = String(Math.floor(Math.random() * 2 ** 31))
  console.log(`FRONTDESK_TEST_SEED=${drawn}`)
  return drawn
}

const seed = seedOf(process.env["FRONTDESK_TEST_SEED"])
// The config is evaluated more than once: every evaluation has to find the same seed.
process.env["FRONTDESK_TEST_SEED"] = seed

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts"],
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    // By default vitest leaves a core idle; on two cores that doubles the time.
    maxWorkers: "100%",
    env: { FRONTDESK_TEST_SEED: seed },
    setupFiles: ["packages/testing/test/seed.ts"],
    globalSetup: ["packages/test-postgres/src/globalSetup.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["packages/bench/**", "packages/testing/**"],
      reporter: ["text-summary", "html", "lcov"]
    }
  }
})
