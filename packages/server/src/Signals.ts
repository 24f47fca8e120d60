import { constants } from "node:os"
import process from "node:process"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Signals this close to the first, in milliseconds, are the same one: a shell and a package manager both pass it on. */
const echo = 250

/**
 * Waits for SIGTERM or SIGINT, after which the program should end by itself within the timeout.
 *
 * When it has not, that is logged, and the process ends with 0: what is left undone is safe in the database. A second
 * signal ends it at once, as signals do.
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
                  `What was under way is not finished after ${Duration.format(timeout)} and is broken off`
                ),
                Effect.sync(() => process.exit(0))
              )
            )
          }, Duration.toMillis(timeout)).unref()
          resume(Effect.succeed(signal))
        } else if (performance.now() - stoppingSince > echo) process.exit(128 + constants.signals[signal])
      }
      process.on("SIGTERM", onSignal)
      process.on("SIGINT", onSignal)
    })
  )

/**
 * How `frontdesk serve` learns that it should stop: {@link awaitStop}, the signals of the process. A program that runs
 * several servers in one process provides another way.
 */
export const StopRequest = Context.Reference<(timeout: Duration.Duration) => Effect.Effect<NodeJS.Signals>>(
  "frontdesk/Signals/StopRequest",
  { defaultValue: () => awaitStop }
)
