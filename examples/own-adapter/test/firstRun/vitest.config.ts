import { defineConfig } from "vitest/config"

/** The tests that fail on purpose, which the workspace therefore does not run by itself. */
export default defineConfig({ root: import.meta.dirname, test: { include: ["EmptyMailer.ts"] } })
