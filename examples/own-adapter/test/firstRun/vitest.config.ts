import { defineConfig } from "vitest/config"

/** Runs the suite that fails on purpose. The file has no `.test.ts` name, so the workspace does not run it. */
export default defineConfig({ root: import.meta.dirname, test: { include: ["EmptyMailer.ts"] } })
