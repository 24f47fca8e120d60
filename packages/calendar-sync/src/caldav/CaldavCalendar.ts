import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { utc } from "@frontdesk/core/values/TimeZone"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RemoteCalendar, RemoteEvent } from "../RemoteCalendar.ts"
import type { Answer } from "../request/Exchange.ts"
import { busy } from "./CaldavBusy.ts"
import { copyOf, merged, written } from "./CalendarObject.ts"
import { described, isCalendar, isWritable, nameOf, takesEvents } from "./Collection.ts"
import { type DavExchange, propfind } from "./DavExchange.ts"
import { davRefusal, done, resourceOf } from "./DavErrorResponse.ts"

/**
 * A calendar on a CalDAV server. The name of an object, and the id of a copy, is the event's UUID, so that a repeat
 * makes no second one.
 *
 * @param collection its URL, which ends in "/"
 */
export const make = (send: DavExchange, collection: string): RemoteCalendar => {
  const urlOf = ({ uuid }: Pick<CalendarEvent, "uuid">): string => `${collection}${uuid}.ics`

  /** The object as the server has it; none when there is none. */
  const get = Effect.fnUntraced(function* (event: CalendarEvent) {
    const answer = yield* send("GET", urlOf(event), { accept: "text/calendar" })
    if (answer.status === 404 || answer.status === 410) return Option.none<Answer>()
    return Option.some(yield* acceptedObject(answer))
  })

  const put = Effect.fnUntraced(function* (event: CalendarEvent, text: string, condition: Record<string, string>) {
    const { asked, headers } = yield* done(yield* send("PUT", urlOf(event), condition, text))
    // Read again: servers change what they are given (RFC 4791 5.3.4), and not every one that does keeps its ETag back.
    const stored = yield* get(event)
    if (Option.isNone(stored)) return yield* failure("gone", `${asked}: the event is not there after it was written`)
    const copy = remoteOf(event, stored.value)
    const etag = headers["etag"]
    // Another ETag by now: somebody has changed the event already, and that must not pass for what was written.
    return etag === undefined || etag === copy.etag ? copy : copyOf(text, event.uuid, etag)
  })

  const create = Effect.fn("CaldavCalendar.create")((event: CalendarEvent, version: string) =>
    put(event, written(event, version), { "if-none-match": "*" })
  )

  return {
    find: Effect.fn("CaldavCalendar.find")(function* (event) {
      return Option.map(yield* get(event), (answer) => remoteOf(event, answer))
    }),
    create,
    restore: create,
    replace: Effect.fn("CaldavCalendar.replace")(function* (event, version, copy) {
      const present = yield* get(event)
      if (Option.isNone(present)) return yield* failure("gone", `${urlOf(event)} was deleted`)
      const { etag, shown } = remoteOf(event, present.value)
      if (etag !== copy.etag || shown !== copy.shown) {
        return yield* failure("conflict", `${urlOf(event)} was changed at the same time`)
      }
      // A tag that a proxy has made weak (by packing, say) never matches as it is.
      const condition = etag === null ? "*" : etag.replace(/^W\//, "")
      return yield* put(event, merged(present.value.body, event, version), { "if-match": condition })
    }),
    busy: (from, until, timeZone) => busy(send, collection, from, until, timeZone),
    id: Effect.succeed(collection),
    check: Effect.gen(function* () {
      const answer = yield* send("PROPFIND", collection, { depth: "0" }, propfind(...described))
      const resource = yield* resourceOf(answer)
      if (!isCalendar(resource)) return unusable(`${collection} is no calendar`)
      const name = JSON.stringify(nameOf(resource) || collection)
      if (!takesEvents(resource)) return unusable(`${name} takes no events`)
      if (!isWritable(resource)) return unusable(`${name} can be read and not written`)
      const now = yield* DateTime.now
      yield* busy(send, collection, now, DateTime.add(now, { hours: 1 }), utc)
      return { isUsable: true, says: `${name} can be read and written` }
    }).pipe(Effect.withSpan("CaldavCalendar.check"))
  }
}

/** The answer to a GET, if it is an object: a login page or an empty body in its place is a server that is away. */
const acceptedObject = (answer: Answer): Effect.Effect<Answer, CalendarSyncError> => {
  if (answer.status !== 200) return davRefusal(answer)
  if (/^\s*BEGIN:VCALENDAR\b/i.test(answer.body)) return Effect.succeed(answer)
  return failure("transport", `${answer.asked}: 200: the body is no calendar object`)
}

const remoteOf = (event: CalendarEvent, { body, headers }: Answer): RemoteEvent =>
  copyOf(body, event.uuid, headers["etag"] ?? null)

const unusable = (says: string) => ({ isUsable: false, says })

const failure = (reason: "conflict" | "gone" | "transport", cause: string) =>
  Effect.fail(new CalendarSyncError({ reason, cause }))
