import type { LogEvent } from "@frontdesk/core/values/LogEvent"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as LogLevel from "effect/LogLevel"
import * as References from "effect/References"

/** A line of the log. */
export interface LogLine {
  readonly level: LogLevel.LogLevel
  /** The identifier of the line. Undefined for a line that has none. */
  readonly event: LogEvent | undefined
  readonly text: string
  /** The annotations of the line, with its identifier as `logEvent`. */
  readonly annotations: Readonly<Record<string, unknown>>
  /** The whole line as JSON, with every message, annotation and cause. A test can search it for data that must not be logged. */
  readonly json: string
}

const isLogEvent = (value: unknown): value is LogEvent => typeof value === "string"

/**
 * Passes the log lines of a program to `onLine` instead of printing them.
 *
 * @param minimumLevel the lowest level that is passed; `Debug` by default
 */
export const layer = (
  onLine: (line: LogLine) => void,
  minimumLevel: LogLevel.LogLevel = "Debug"
): Layer.Layer<never> => {
  const logger = Logger.make<unknown, void>((entry) => {
    const annotations = entry.fiber.getRef(References.CurrentLogAnnotations)
    const event = annotations["logEvent"]
    onLine({
      level: entry.logLevel,
      event: isLogEvent(event) ? event : undefined,
      text: String(Array.isArray(entry.message) ? entry.message[0] : entry.message),
      annotations,
      json: Logger.formatJson.log(entry)
    })
  })
  return Layer.merge(
    Layer.succeed(References.MinimumLogLevel, minimumLevel),
    Layer.succeed(Logger.CurrentLoggers, new Set([logger]))
  )
}

/**
 * Runs an effect whose log lines are collected and not printed.
 *
 * @param use makes the effect; its argument has the lines that were logged so far
 * @param minimumLevel the lowest level that is collected; `Debug` by default
 */
export const collect = <A, E, R>(
  use: (lines: ReadonlyArray<LogLine>) => Effect.Effect<A, E, R>,
  minimumLevel?: LogLevel.LogLevel
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const lines: Array<LogLine> = []
    return Effect.provide(
      use(lines),
      layer((line) => void lines.push(line), minimumLevel)
    )
  })
