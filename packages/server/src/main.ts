#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import { join } from "node:path"
import process from "node:process"

// Caches compiled code, which makes the next start a quarter faster. The cache is inside the package and not in a shared
// temporary folder, where another user could replace the code.
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/compiled"))

const [Effect, { run }] = await Promise.all([import("effect/Effect"), import("./cli/Cli.ts")])

process.exitCode = await Effect.runPromise(run(process.argv.slice(2)))
