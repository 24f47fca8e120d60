import type { LogEvent } from "@frontdesk/core/values/LogEvent"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const Line = Schema.fromJsonString(
  Schema.Struct({
    level: Schema.String,
    message: Schema.Json,
    details: Schema.optionalKey(Schema.Json),
    annotations: Schema.Record(Schema.String, Schema.Json)
  })
)

/** A line of a log that is written as JSON. */
export type LogLine = typeof Line.Type

const decode = Schema.decodeUnknownOption(Line)

/** Returns the lines of a log that report this. A line that is not written to its end yet is left out. */
export const linesOf = (log: string, event: LogEvent): ReadonlyArray<LogLine> =>
  log.split("\n").flatMap((text) => {
    const line = Option.getOrUndefined(decode(text))
    return line?.annotations["logEvent"] === event ? [line] : []
  })

/** A pattern that the line of a log matches that reports this. */
export const reports = (event: LogEvent): RegExp => new RegExp(`"logEvent":"${event.replace(".", "\\.")}"`)
