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

/** How much time is asked about at once: Google refuses what is too long and does not say how long that is. */
const span = Duration.days(31)

/** How many requests run side by side: somebody may be waiting on the phone. */
const concurrency = 4

/**
 * When a calendar is busy, by `freeBusy.query`: recurring events are expanded, and what is cancelled or shown as free is
 * left out. An error inside the answer is an error.
 */
export const busy = Effect.fn("GoogleBusy.busy")(function* (
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
    const question = { timeMin: DateTime.formatIso(start), timeMax: DateTime.formatIso(end), items: [{ id: calendar }] }
    const answer = yield* HttpClientRequest.post(`${apiUrl}/freeBusy`).pipe(
      HttpClientRequest.bodyJsonUnsafe(question),
      send,
      Effect.flatMap(accepted)
    )
    const found = Object.values((yield* decodeFreeBusy(answer)).calendars)
    const failure = (reason: CalendarSyncReason, says: string) =>
      new CalendarSyncError({ reason, cause: `${answer.asked}: ${says}` })
    const errors = found.flatMap(({ errors }) => errors ?? [])
    const [error] = errors
    if (error !== undefined) return yield* failure(reasons.get(error.reason) ?? "transport", error.reason)
    // One calendar was asked about; Google may name it otherwise than it was named, `primary` by its address.
    const [only, ...others] = found
    if (only?.busy === undefined || others.length > 0) return yield* failure("invalid", "not the calendar asked for")
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

/** What covers the time between two instants, piece by piece. */
const spans = (from: DateTime.Utc, until: DateTime.Utc) => {
  const pieces: Array<{ readonly start: DateTime.Utc; readonly end: DateTime.Utc }> = []
  for (let start = from; DateTime.isLessThan(start, until);) {
    const end = DateTime.min(Timestamp.after(start, span), until)
    pieces.push({ start, end })
    start = end
  }
  return pieces
}
