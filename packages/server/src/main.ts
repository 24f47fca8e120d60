#!/usr/bin/env node
import process from "node:process"
import * as Effect from "effect/Effect"
import { run } from "./cli/Cli.ts"

process.exitCode = await Effect.runPromise(run(process.argv.slice(2)))
