import process from "node:process"
import { defineConfig } from "vitest/config"

/** Where continuous integration wants the counts as JSON, beside what is printed. */
const report = process.env["FRONTDESK_TEST_REPORT"]

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts"],
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    // By default vitest leaves a core idle; on two cores that doubles the time.
    maxWorkers: "100%",
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
