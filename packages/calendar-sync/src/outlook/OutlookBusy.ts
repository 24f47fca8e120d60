import type { Interval } from "@frontdesk/core/values/Interval"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { CalendarDate, dayMillis, exists } from "@frontdesk/core/values/CalendarDate"
import { startOfDate, type TimeZone } from "@frontdesk/core/values/TimeZone"
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

/** A time as Graph tells it, without an offset. */
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

/** The most pages of one answer; so many hold more than anybody's calendar. */
const maximumPages = 100

/** How a time is shown that can be given away. Whoever works elsewhere can be called; what is not known is busy. */
const free: ReadonlySet<string> = new Set(["free", "workingElsewhere"])

/**
 * When a calendar is busy, by its `calendarView`, which expands recurring events. All pages, or an error.
 *
 * Graph tells an all-day event as dates at midnight, whatever zone is asked for: it is busy on these dates in the zone
 * of the mailbox. Where that is not known, for as long as it is one of these dates anywhere. As a zone may be most of a
 * day from UTC, a day more is asked for on both sides.
 */
export const busy = Effect.fn("OutlookBusy.busy")(function* (
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

  /** Reads a page; answers the request for the next one. */
  const read = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest, isLast: boolean) {
    const answer = yield* Effect.flatMap(send(inUtc(request)), accepted)
    const { "@odata.nextLink": link, value } = yield* decodePage(answer)
    for (const occurrence of value) {
      if (!occurrence.isCancelled && !free.has(occurrence.showAs)) occurrences.push(occurrence)
    }
    if (link === undefined) return undefined
    const failure = (says: string) => new CalendarSyncError({ reason: "invalid", cause: `${answer.asked}: ${says}` })
    if (isLast) return yield* failure(`more than ${maximumPages} pages`)
    // The token goes nowhere else, whoever wrote the link.
    if (!isAt(link, apiUrl)) return yield* failure("the next page is somewhere else")
    return HttpClientRequest.get(link)
  })

  let pages = 1
  for (let next = yield* read(first, false); next !== undefined;) next = yield* read(next, ++pages === maximumPages)
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

/** Whether it is told as dates and not as instants. */
const isDates = ({ end, isAllDay, start }: Occurrence): boolean => isAllDay && isMidnight(start) && isMidnight(end)

const instantOf = ({ dateTime }: typeof When.Type): number =>
  DateTime.toEpochMillis(DateTime.makeUnsafe(`${dateTime.slice(0, 19)}Z`))

const dateOf = ({ dateTime }: typeof When.Type): CalendarDate => CalendarDate.make(dateTime.slice(0, 10))

const hourMillis = 3_600_000

/** The first instant of a date in the mailbox's zone, else the first anywhere: zones go up to UTC+14. */
const firstOf = (when: typeof When.Type, zone: TimeZone | null): number =>
  zone === null ? instantOf(when) - 14 * hourMillis : startOfDate(dateOf(when), zone)

/** The end of what ends before a date; else the last anywhere: zones go down to UTC-12. */
const lastOf = (when: typeof When.Type, zone: TimeZone | null): number =>
  zone === null ? instantOf(when) + dayMillis / 2 : startOfDate(dateOf(when), zone)
