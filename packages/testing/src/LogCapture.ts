import type { LogEvent } from "@frontdesk/core/values/LogEvent"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type * as LogLevel from "effect/LogLevel"
import * as References from "effect/References"

/** A line of the log. */
export interface LogLine {
  readonly level: LogLevel.LogLevel
  /** The identifier of the line. Undefined for a line that has none. */
  readonly event: LogEvent | undefined
  readonly text: string
}

const isLogEvent = (value: unknown): value is LogEvent => typeof value === "string"

/** Returns a function that runs an effect and passes its log lines, from debug level up, to `onLine`. None is printed. */
export const passTo = (
  onLine: (line: LogLine) => void
): (<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) => {
  const logger = Logger.make<unknown, void>(({ fiber, logLevel, message }) => {
    const event = fiber.getRef(References.CurrentLogAnnotations)["logEvent"]
    const text = String(Array.isArray(message) ? message[0] : message)
    onLine({ level: logLevel, event: isLogEvent(event) ? event : undefined, text })
  })
  return (effect) =>
    effect.pipe(
      Effect.provideService(References.MinimumLogLevel, "Debug"),
      Effect.provideService(Logger.CurrentLoggers, new Set([logger]))
    )
}

/**
 * Runs an effect whose log lines, from debug level up, are collected and not printed.
 *
 * @param use makes the effect; its argument has the lines that were logged so far
 */
export const collect = <A, E, R>(
  use: (lines: ReadonlyArray<LogLine>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const lines: Array<LogLine> = []
    return passTo((line) => void lines.push(line))(use(lines))
  })
