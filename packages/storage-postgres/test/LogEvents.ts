import type { LogEvent } from "@frontdesk/core/values/LogEvent"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type * as LogLevel from "effect/LogLevel"
import * as Queue from "effect/Queue"
import * as References from "effect/References"

/** A log line that has an identifier. */
export interface LoggedEvent {
  readonly event: LogEvent
  readonly level: LogLevel.LogLevel
  /** The text of the line. */
  readonly text: string
}

/** Returns a queue of the log lines with an identifier, and a function that makes an effect write its log there. */
export const capture = Effect.gen(function* () {
  const lines = yield* Queue.unbounded<LoggedEvent>()
  const logger = Logger.make<unknown, void>(({ fiber, logLevel, message }) => {
    const event = fiber.getRef(References.CurrentLogAnnotations)["logEvent"]
    const text = String(Array.isArray(message) ? message[0] : message)
    if (isLogEvent(event)) Queue.offerUnsafe(lines, { event, level: logLevel, text })
  })
  const captured = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    effect.pipe(
      Effect.provideService(References.MinimumLogLevel, "Debug"),
      Effect.provideService(Logger.CurrentLoggers, new Set([logger]))
    )
  return { lines, captured }
})

const isLogEvent = (value: unknown): value is LogEvent => typeof value === "string"
