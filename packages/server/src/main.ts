import process from "node:process"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { run } from "./cli/Cli.ts"

const exitWith = (code: number, message = ""): Effect.Effect<void> =>
  Effect.sync(() => {
    process.stderr.write(message)
    process.exitCode = code
  })

Effect.runFork(
  run(process.argv.slice(2)).pipe(
    Effect.flatMap((code) => exitWith(code)),
    Effect.catchCause((cause) => exitWith(1, `${Cause.pretty(cause)}\n`))
  )
)
