import { constants } from "node:os"
import process from "node:process"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** How long a program may take to finish what it is doing. */
const patience = 10_000

const cutOff = `What was under way is not finished after ${patience / 1_000} seconds and is broken off`

/** Signals this close to the first, in milliseconds, are the same one: a shell and a package manager both pass it on. */
const echo = 250

/**
 * Waits for SIGTERM or SIGINT, after which the program should end by itself.
 *
 * When it has not after 10 seconds, that is logged, and the process ends with 0: what is left undone is safe in the
 * database. A second signal ends it at once, as signals do.
 */
export const awaitStop: Effect.Effect<NodeJS.Signals> = Effect.contextWith((context: Context.Context<never>) =>
  Effect.callback((resume) => {
    let stoppingSince: number | undefined
    const onSignal = (signal: NodeJS.Signals): void => {
      if (stoppingSince === undefined) {
        stoppingSince = performance.now()
        setTimeout(() => {
          Effect.runForkWith(context)(
            Effect.ensuring(
              Effect.logWarning(cutOff),
              Effect.sync(() => process.exit(0))
            )
          )
        }, patience).unref()
        resume(Effect.succeed(signal))
      } else if (performance.now() - stoppingSince > echo) process.exit(128 + constants.signals[signal])
    }
    process.on("SIGTERM", onSignal)
    process.on("SIGINT", onSignal)
  })
)
