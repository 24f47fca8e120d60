import type { Interval } from "@frontdesk/core/values/Interval"
import { CalendarSyncError, type CalendarSyncReason } from "@frontdesk/core/external-calendar/CalendarSync"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schema from "effect/Schema"
import type { AuthorizedExchange } from "../oauth/AuthorizedExchange.ts"
import { decode } from "../request/Json.ts"
import { accepted } from "./GoogleErrorResponse.ts"
import * as Timestamp from "@frontdesk/core/values/Timestamp"
import * as Tracing from "@frontdesk/core/values/Tracing"

const Instant = Schema.DateTimeUtcFromString

const FreeBusy = Schema.Struct({
  calendars: Schema.Record(
    Schema.String,
    Schema.Struct({
      errors: Schema.optionalKey(Schema.Array(Schema.Struct({ reason: Schema.String }))),
      busy: Schema.optionalKey(Schema.Array(Schema.Struct({ start: Instant, end: Instant })))
    })
  )
})

const decodeFreeBusy = decode(FreeBusy)

/** The time range of one request. Google rejects a range that is too long, and does not document the limit. */
const span = Duration.days(31)

/** How many requests run at the same time. More than one, because a person on the phone may be waiting for the slots. */
const concurrency = 4

/**
 * Returns the busy intervals of a calendar from `freeBusy.query`. Google expands recurring events, and omits cancelled
 * events and those shown as free. Fails also when an answer of 200 has an error inside.
 */
export const busy = Tracing.operation("GoogleBusy.busy")(function* (
  send: AuthorizedExchange,
  apiUrl: string,
  calendar: string,
  from: DateTime.Utc,
  until: DateTime.Utc
) {
  const ask = Effect.fnUntraced(function* ({
    end,
    start
  }: {
    readonly start: DateTime.Utc
    readonly end: DateTime.Utc
  }) {
    const query = { timeMin: DateTime.formatIso(start), timeMax: DateTime.formatIso(end), items: [{ id: calendar }] }
    const answer = yield* HttpClientRequest.post(`${apiUrl}/freeBusy`).pipe(
      HttpClientRequest.bodyJsonUnsafe(query),
      send,
      Effect.flatMap(accepted)
    )
    const found = Object.values((yield* decodeFreeBusy(answer)).calendars)
    const failure = (reason: CalendarSyncReason, problem: string) =>
      new CalendarSyncError({ reason, cause: `${answer.requestLine}: ${problem}` })
    const errors = found.flatMap(({ errors }) => errors ?? [])
    const [error] = errors
    if (error !== undefined) return yield* failure(reasons.get(error.reason) ?? "transport", error.reason)
    // The answer is not looked up by the requested id, because Google may return another: an address for `primary`.
    const [only, ...others] = found
    if (only?.busy === undefined || others.length > 0) {
      return yield* failure("invalid", "the answer is not about the one requested calendar")
    }
    return only.busy.map(({ end, start }): Interval => ({
      start: DateTime.toEpochMillis(start),
      end: DateTime.toEpochMillis(end)
    }))
  })

  const found = yield* Effect.forEach(spans(from, until), ask, { concurrency })
  return found.flat()
})

const reasons: ReadonlyMap<string, CalendarSyncReason> = new Map([
  ["notFound", "gone"],
  ["groupTooBig", "invalid"],
  ["tooManyCalendarsRequested", "invalid"]
])

/** Splits the time between two instants into pieces of at most {@link span}. */
const spans = (from: DateTime.Utc, until: DateTime.Utc) => {
  const pieces: Array<{ readonly start: DateTime.Utc; readonly end: DateTime.Utc }> = []
  for (let start = from; DateTime.isLessThan(start, until);) {
    const end = DateTime.min(Timestamp.after(start, span), until)
    pieces.push({ start, end })
    start = end
  }
  return pieces
}
