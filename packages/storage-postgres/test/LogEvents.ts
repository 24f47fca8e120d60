import type { LogEvent } from "@frontdesk/core/values/LogEvent"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

/** A log line that has an identifier. */
export interface LoggedEvent extends LogCapture.LogLine {
  readonly event: LogEvent
}

/** Returns a queue of the log lines with an identifier, and a function that makes an effect write its log there. */
export const capture = Effect.gen(function* () {
  const lines = yield* Queue.unbounded<LoggedEvent>()
  const capturing = LogCapture.layer(({ event, ...line }) => {
    if (event !== undefined) Queue.offerUnsafe(lines, { ...line, event })
  })
  const captured = Effect.provide(capturing)
  return { lines, captured }
})
