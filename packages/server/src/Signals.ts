import { constants } from "node:os"
import process from "node:process"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/**
 * A second signal within this many milliseconds is ignored, because a shell and a package manager both pass the same
 * signal on.
 */
const duplicateTime = 250

/**
 * Waits for SIGTERM or SIGINT and returns the signal. After that the program should end by itself within the timeout.
 *
 * If it does not, the process logs a warning and exits with 0, because unfinished work is stored in the database. A later
 * second signal ends the process at once, with the exit code of that signal.
 */
export const awaitStop = (timeout: Duration.Duration): Effect.Effect<NodeJS.Signals> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.callback((resume) => {
      let stoppingSince: number | undefined
      const onSignal = (signal: NodeJS.Signals): void => {
        if (stoppingSince === undefined) {
          stoppingSince = performance.now()
          setTimeout(() => {
            Effect.runForkWith(context)(
              Effect.ensuring(
                Effect.logWarning(
                  `Requests or background work did not finish within ${Duration.format(timeout)} and are aborted`
                ),
                Effect.sync(() => process.exit(0))
              )
            )
          }, Duration.toMillis(timeout)).unref()
          resume(Effect.succeed(signal))
        } else if (performance.now() - stoppingSince > duplicateTime) process.exit(128 + constants.signals[signal])
      }
      process.on("SIGTERM", onSignal)
      process.on("SIGINT", onSignal)
    })
  )

/**
 * Waits for the request to stop `frontdesk serve` and returns the signal to log. The default is {@link awaitStop}. A
 * program that runs several servers in one process provides another function.
 */
export const StopRequest = Context.Reference<(timeout: Duration.Duration) => Effect.Effect<NodeJS.Signals>>(
  "frontdesk/Signals/StopRequest",
  { defaultValue: () => awaitStop }
)
