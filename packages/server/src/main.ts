import process from "node:process"
import * as Effect from "effect/Effect"
import { run } from "./cli/Cli.ts"

Effect.runFork(
  Effect.map(run(process.argv.slice(2)), (code) => {
    process.exitCode = code
  })
)
