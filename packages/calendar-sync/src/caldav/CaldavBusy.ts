import type { Interval } from "@frontdesk/core/values/Interval"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { dateTime } from "@frontdesk/core/calendar-event/IcsText"
import type { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { Budget } from "../recurrence/StepBudget.ts"
import * as CalendarText from "../recurrence/CalendarText.ts"
import { mayBeBusy } from "../recurrence/BusyEstimate.ts"
import * as ObjectZones from "../recurrence/ObjectZones.ts"
import * as Occurrences from "../recurrence/Occurrences.ts"
import { ofName, type Zone } from "../recurrence/IcsZone.ts"
import { type DavExchange, document, propfind } from "./DavExchange.ts"
import { resourceOf, resourcesOf } from "./DavErrorResponse.ts"
import * as Multistatus from "./Multistatus.ts"

/**
 * Returns the busy intervals of a calendar (RFC 4791 7.8). Recurrences are expanded here, because servers expand them
 * wrongly or not at all, and some servers have no free-busy report.
 *
 * All objects are listed, and {@link mayBeBusy} skips most of them cheaply. A server's own search is not used first, for two
 * reasons:
 *
 * - A search by time is not reliable. Xandikos finds no recurring events, Radicale none whose DURATION is in whole days.
 * - A search for a property is slow, because the server reads every object. With 4,000 events Radicale needs 12 seconds for
 *   it, and 0.3 seconds for the list.
 *
 * When the list is too long for one answer, four searches replace it: one by time, and one each for the objects with RRULE,
 * with RDATE and with DURATION at any time.
 *
 * @param timeZone the zone of dates and of times without a zone, if the calendar has none of its own (RFC 4791 5.2.2)
 */
export const busy = Tracing.operation("CaldavBusy.busy")(function* (
  send: DavExchange,
  collection: string,
  from: DateTime.Utc,
  until: DateTime.Utc,
  timeZone: TimeZone
): Effect.fn.Return<ReadonlyArray<Interval>, CalendarSyncError> {
  const budget = new Budget()
  const { objects, zone } = yield* Effect.all(
    {
      objects: objectsBetween(send, collection, from, until),
      zone: zoneOf(send, collection, ofName(timeZone), budget)
    },
    { concurrency: "unbounded" }
  )
  const window = { start: DateTime.toEpochMillis(from), end: DateTime.toEpochMillis(until) }
  const intervals = yield* Effect.forEach(objects, ([href, text]) =>
    // Reading a large calendar is long work. Without a yield, all other requests of the process would wait for its end.
    Effect.andThen(
      Effect.yieldNow,
      readable(`${collection}: ${href}`, () =>
        mayBeBusy(text, window) ? Occurrences.busy(CalendarText.parse(text), window, zone, budget) : []
      )
    )
  )
  return intervals.flat()
})

const readable = <A>(what: string, read: () => A): Effect.Effect<A, CalendarSyncError> =>
  Effect.try({
    try: read,
    catch: (error) => {
      const cause = `${what} cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : "no reason given"}`
      return new CalendarSyncError({ reason: "invalid", cause })
    }
  })

/** Returns objects by their hrefs: all that may be busy between two instants, and possibly others. */
const objectsBetween = (send: DavExchange, collection: string, from: DateTime.Utc, until: DateTime.Utc) =>
  query(send, collection, "").pipe(
    // The list is larger than the limit of an answer, or the server refuses to send all of it at once.
    Effect.catchIf(
      ({ reason }) => reason === "invalid",
      () => search(send, collection, from, until)
    ),
    Effect.map((objects) => new Map(objects))
  )

const search = Effect.fnUntraced(function* (
  send: DavExchange,
  collection: string,
  from: DateTime.Utc,
  until: DateTime.Utc
) {
  // The server chooses the zone of dates and floating times. A day more on both sides covers every choice.
  const start = dateTime(DateTime.subtract(from, { days: 1 }))
  const end = dateTime(DateTime.add(until, { days: 1 }))
  const having = ["RRULE", "RDATE", "DURATION"].map((name) => `<C:prop-filter name="${name}"/>`)
  const found = yield* Effect.forEach(
    [`<C:time-range start="${start}" end="${end}"/>`, ...having],
    (filter) => query(send, collection, filter),
    { concurrency: "unbounded" }
  )
  return found.flat()
})

/** Returns the objects with events that pass a filter. Fails with `invalid` when the server rejects it or finds too many. */
const query = Effect.fnUntraced(function* (send: DavExchange, collection: string, filter: string) {
  const body = document(
    "C:calendar-query",
    `<D:prop><D:getetag/><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR">` +
      `<C:comp-filter name="VEVENT">${filter}</C:comp-filter></C:comp-filter></C:filter>`
  )
  const answer = yield* send("REPORT", collection, { depth: "1" }, body)
  const objects: Array<readonly [href: string, text: string]> = []
  for (const resource of yield* resourcesOf(answer)) {
    // The object was deleted while the server made the list.
    if (resource.status === 404) continue
    const data = Multistatus.property(resource, `${Multistatus.caldav}calendar-data`)
    if (data === undefined || (resource.status ?? 200) >= 300) {
      const cause = `${answer.requestLine}: ${resource.href} has no data, status ${resource.status ?? "none"}`
      // With 507 a server reports that the list is incomplete (RFC 4791 7.8).
      return yield* new CalendarSyncError({ reason: resource.status === 507 ? "invalid" : "transport", cause })
    }
    objects.push([resource.href, data.text])
  }
  return objects
})

const zoneOf = Effect.fnUntraced(function* (send: DavExchange, collection: string, fallback: Zone, budget: Budget) {
  const answer = yield* send("PROPFIND", collection, { depth: "0" }, propfind("C:calendar-timezone"))
  const resource = yield* resourceOf(answer)
  const text = Multistatus.property(resource, `${Multistatus.caldav}calendar-timezone`)?.text.trim()
  if (!text) return fallback
  return yield* readable(`the time zone of ${collection}`, () => ObjectZones.ofDefinition(text, budget) ?? fallback)
})
