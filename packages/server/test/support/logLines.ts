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

/** A line of the JSON log. */
export type LogLine = typeof Line.Type

const decode = Schema.decodeUnknownOption(Line)

/** Returns the complete lines of a log with this event. */
export const linesOf = (log: string, event: LogEvent): ReadonlyArray<LogLine> =>
  log.split("\n").flatMap((text) => {
    const line = Option.getOrUndefined(decode(text))
    return line?.annotations["logEvent"] === event ? [line] : []
  })

/** Returns a pattern that matches the log once it has a line with this event. */
export const reports = (event: LogEvent): RegExp => new RegExp(`"logEvent":"${event.replace(".", "\\.")}"`)
