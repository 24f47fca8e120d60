import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as LogLevel from "effect/LogLevel"
import * as Outage from "../storage/Outage.ts"

/** The pause of a loop, and its log message for a run that fails. */
export interface LoopOptions {
  /** The time between the end of one run and the start of the next. */
  readonly pause: Duration.Duration
  /** The level of the log message. */
  readonly level: LogLevel.Severity
  /** The log message for a run that failed. */
  readonly failure: string
}

/** Runs an effect at once, and again after each pause, for ever. A run that fails or dies is logged; the loop continues. */
export const forever = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { failure, level, pause }: LoopOptions
): Effect.Effect<never, never, R> =>
  effect.pipe(Outage.survive(level, failure), Effect.andThen(Effect.sleep(pause)), Effect.forever)
