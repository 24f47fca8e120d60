import process from "node:process"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

const exitWith = (code: number, message = ""): Effect.Effect<void> =>
  Effect.sync(() => {
    process.stderr.write(message)
    process.exitCode = code
  })

/**
 * Runs the effect of a program, which returns the exit code. A defect is printed, with the exit code 1.
 *
 * It does not wait, because a bundled program must not have a top-level `await` (`bundle/Bundler.ts`).
 */
export const runProgram = (program: Effect.Effect<number>): void => {
  Effect.runFork(
    program.pipe(
      Effect.flatMap((code) => exitWith(code)),
      Effect.catchCause((cause) => exitWith(1, `${Cause.pretty(cause)}\n`))
    )
  )
}
