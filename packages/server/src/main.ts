#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import { join } from "node:path"
import process from "node:process"

// Compiled code is kept within the package, where nobody else can put any; the next start is quicker by a quarter.
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/compiled"))

const [Effect, { run }] = await Promise.all([import("effect/Effect"), import("./cli/Cli.ts")])

process.exitCode = await Effect.runPromise(run(process.argv.slice(2)))
