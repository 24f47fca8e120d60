import process from "node:process"
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

/** The files of each command: `pnpm test` is mode `test`, `pnpm test:full` is mode `full`, `pnpm coverage` is mode `all`. */
const filesOf = (mode: string): { readonly include: Array<string>; readonly exclude: Array<string> } => {
  const include = (suffix: string) => ["packages", "examples"].map((folder) => `${folder}/*/test/**/*.${suffix}`)
  const exclude = ["**/node_modules/**", "**/dist/**"]
  if (mode === "full") return { include: include("full.test.ts"), exclude }
  if (mode === "all") return { include: include("test.ts"), exclude }
  return { include: include("test.ts"), exclude: [...exclude, "**/*.full.test.ts"] }
}

export default defineConfig(({ mode }) => ({
  test: {
    ...filesOf(mode),
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
}))
