import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as LogLevel from "effect/LogLevel"
import * as Outage from "../storage/Outage.ts"

/** How long a loop rests, and what it writes to the log when a run fails. */
export interface LoopOptions {
  /** The rest between the end of one run and the beginning of the next. */
  readonly pause: Duration.Duration
  readonly level: LogLevel.Severity
  /** The line in the log for a run that failed. */
  readonly failure: string
}

/** Runs an effect at once, and again after each pause. A run that fails or dies is logged and does not end the loop. */
export const forever = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { failure, level, pause }: LoopOptions
): Effect.Effect<never, never, R> =>
  effect.pipe(Outage.survive(level, failure), Effect.andThen(Effect.sleep(pause)), Effect.forever)
