import type { Interval } from "@frontdesk/core/values/Interval"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { dateTime } from "@frontdesk/core/calendar-event/IcsText"
import type { TimeZone } from "@frontdesk/core/values/TimeZone"
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
 * When a calendar is busy (RFC 4791 7.8), by its own reckoning: servers expand recurrences wrongly or not at all, and
 * not every one has free-busy.
 *
 * A server's search by time cannot be relied on either: Xandikos finds no recurring event by it, Radicale none whose
 * DURATION is in whole days; and a search for a property makes a server read every object, which is its most costly
 * answer (4,000 events on Radicale: 12 seconds, the list of them all 0.3). So everything is listed, and most of it passed
 * over at a glance. A list that is too long for one answer is searched: by time, and for the objects with RRULE, RDATE or
 * DURATION whatever their time.
 *
 * @param timeZone of dates and of times without zone, if the calendar names none (RFC 4791 5.2.2)
 */
export const busy = Effect.fn("CaldavBusy.busy")(function* (
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
    // Reading takes its time, and others wait.
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

/** Every object that may be busy between the two instants, by its href. */
const objectsBetween = (send: DavExchange, collection: string, from: DateTime.Utc, until: DateTime.Utc) =>
  query(send, collection, "").pipe(
    // More than an answer may hold, or more than the server tells at once.
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
  // Dates and floating times are the server's to place: none is a day off.
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

/** The objects with events that pass a filter; `invalid` when the server has no use for it, or there are too many. */
const query = Effect.fnUntraced(function* (send: DavExchange, collection: string, filter: string) {
  const body = document(
    "C:calendar-query",
    `<D:prop><D:getetag/><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR">` +
      `<C:comp-filter name="VEVENT">${filter}</C:comp-filter></C:comp-filter></C:filter>`
  )
  const answer = yield* send("REPORT", collection, { depth: "1" }, body)
  const objects: Array<readonly [href: string, text: string]> = []
  for (const resource of yield* resourcesOf(answer)) {
    // Deleted while the list was made.
    if (resource.status === 404) continue
    const data = Multistatus.property(resource, `${Multistatus.caldav}calendar-data`)
    if (data === undefined || (resource.status ?? 200) >= 300) {
      const cause = `${answer.asked}: ${resource.href} has no data, status ${resource.status ?? "none"}`
      // 507: how a server says that there is more than it tells (RFC 4791 7.8).
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
