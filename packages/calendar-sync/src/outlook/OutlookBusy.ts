import type { Interval } from "@frontdesk/core/values/Interval"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { CalendarDate, dayMillis, exists } from "@frontdesk/core/values/CalendarDate"
import { startOfDate, type TimeZone } from "@frontdesk/core/values/TimeZone"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schema from "effect/Schema"
import type { AuthorizedExchange } from "../oauth/AuthorizedExchange.ts"
import { decode } from "../request/Json.ts"
import { accepted } from "../request/ErrorResponse.ts"
import * as MailboxZone from "./MailboxZone.ts"
import { inUtc } from "./MailboxZone.ts"

const isTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?$/.test(text) && exists(text.slice(0, 10))

/** A time in an answer of Graph: a local time without offset, and its zone. */
const When = Schema.Struct({
  dateTime: Schema.String.check(Schema.makeFilter(isTime, { description: "a date and time" })),
  timeZone: Schema.Literal("UTC")
})

const Occurrence = Schema.Struct({
  start: When,
  end: When,
  isAllDay: Schema.Boolean,
  isCancelled: Schema.Boolean,
  showAs: Schema.String
})

type Occurrence = typeof Occurrence.Type

const decodePage = decode(
  Schema.Struct({ value: Schema.Array(Occurrence), "@odata.nextLink": Schema.optionalKey(Schema.String) })
)

/** The maximum number of pages. With 500 events each, they have more events than any real calendar in the window. */
const maxPages = 100

/** The values of `showAs` that are not busy. A person who works elsewhere is free. Any unknown value counts as busy. */
const free: ReadonlySet<string> = new Set(["free", "workingElsewhere"])

/**
 * Returns the busy intervals of a calendar from its `calendarView`, which expands recurring events. It reads all pages, or
 * fails.
 *
 * Graph returns an all-day event as dates at midnight, also when times are requested in UTC. Such an event is busy on its
 * dates in the zone of the mailbox. If that zone is unknown, it is busy while its dates last anywhere on Earth. The request
 * covers a day more on both sides, because the zone may be most of a day away from UTC.
 */
export const busy = Tracing.operation("OutlookBusy.busy")(function* (
  send: AuthorizedExchange,
  apiUrl: string,
  calendarUrl: string,
  from: DateTime.Utc,
  until: DateTime.Utc
) {
  const occurrences: Array<Occurrence> = []
  const first = HttpClientRequest.get(`${calendarUrl}/calendarView`).pipe(
    HttpClientRequest.setUrlParams({
      startDateTime: DateTime.formatIso(DateTime.subtract(from, { days: 1 })),
      endDateTime: DateTime.formatIso(DateTime.add(until, { days: 1 })),
      $select: "start,end,isAllDay,isCancelled,showAs",
      $top: "500"
    })
  )

  /**
   * Reads a page. Returns the request for the next page, or undefined when there is none. Fails with `invalid` when there is
   * a next page and `isLimit` is true.
   */
  const read = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest, isLimit: boolean) {
    const answer = yield* Effect.flatMap(send(inUtc(request)), accepted)
    const { "@odata.nextLink": link, value } = yield* decodePage(answer)
    for (const occurrence of value) {
      if (!occurrence.isCancelled && !free.has(occurrence.showAs)) occurrences.push(occurrence)
    }
    if (link === undefined) return undefined
    const failure = (problem: string) =>
      new CalendarSyncError({ reason: "invalid", cause: `${answer.requestLine}: ${problem}` })
    if (isLimit) return yield* failure(`the answer has more than ${maxPages} pages`)
    // The request has the access token, so it must not go to another host.
    if (!isAt(link, apiUrl)) return yield* failure("the link to the next page leads to another host")
    return HttpClientRequest.get(link)
  })

  let pages = 1
  for (let next = yield* read(first, false); next !== undefined;) next = yield* read(next, ++pages === maxPages)
  const zone = occurrences.some(isDates) ? yield* MailboxZone.read(send, apiUrl) : null
  const window = { start: DateTime.toEpochMillis(from), end: DateTime.toEpochMillis(until) }
  return occurrences
    .map((occurrence): Interval =>
      isDates(occurrence)
        ? { start: firstOf(occurrence.start, zone), end: lastOf(occurrence.end, zone) }
        : { start: instantOf(occurrence.start), end: instantOf(occurrence.end) }
    )
    .filter(({ end, start }) => end > window.start && start < window.end)
})

const isAt = (link: string, apiUrl: string): boolean => {
  const [url, base] = [URL.parse(link), URL.parse(apiUrl)]
  return url !== null && base !== null && url.origin === base.origin && url.username === "" && url.password === ""
}

const isMidnight = ({ dateTime }: typeof When.Type): boolean => dateTime.slice(11, 19) === "00:00:00"

/** Returns whether an all-day event is given as dates and not as instants. */
const isDates = ({ end, isAllDay, start }: Occurrence): boolean => isAllDay && isMidnight(start) && isMidnight(end)

const instantOf = ({ dateTime }: typeof When.Type): number =>
  DateTime.toEpochMillis(DateTime.makeUnsafe(`${dateTime.slice(0, 19)}Z`))

const dateOf = ({ dateTime }: typeof When.Type): CalendarDate => CalendarDate.make(dateTime.slice(0, 10))

const hourMillis = 3_600_000

/** Returns the first instant of a date in the zone. Without a zone, the first instant anywhere: zones reach UTC+14. */
const firstOf = (when: typeof When.Type, zone: TimeZone | null): number =>
  zone === null ? instantOf(when) - 14 * hourMillis : startOfDate(dateOf(when), zone)

/** Returns the instant at which the previous date ends. Without a zone, its last instant anywhere: zones reach UTC-12. */
const lastOf = (when: typeof When.Type, zone: TimeZone | null): number =>
  zone === null ? instantOf(when) + dayMillis / 2 : startOfDate(dateOf(when), zone)
