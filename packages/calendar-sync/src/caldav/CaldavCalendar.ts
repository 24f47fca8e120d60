import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { utc } from "@frontdesk/core/values/TimeZone"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RemoteCalendar, RemoteCopy } from "../RemoteCalendar.ts"
import type { Answer } from "../request/Exchange.ts"
import { busy } from "./CaldavBusy.ts"
import { copyOf, merged, objectOf } from "./CalendarObject.ts"
import { collectionProperties, isCalendar, isWritable, nameOf, supportsEvents } from "./Collection.ts"
import { type DavExchange, propfind } from "./DavExchange.ts"
import { acceptedWrite, davRefusal, resourceOf } from "./DavErrorResponse.ts"

/**
 * Returns a calendar on a CalDAV server. The UUID of the calendar event is the name of the object and the id of the copy, so
 * that a repeat creates no second copy.
 *
 * @param collection the URL of the calendar, which ends in "/"
 */
export const make = (send: DavExchange, collection: string): RemoteCalendar => {
  const urlOf = ({ uuid }: Pick<CalendarEvent, "uuid">): string => `${collection}${uuid}.ics`

  /** Returns the object of a calendar event as the server has it, or none when it does not exist. */
  const get = Effect.fnUntraced(function* (event: CalendarEvent) {
    const answer = yield* send("GET", urlOf(event), { accept: "text/calendar" })
    if (answer.status === 404 || answer.status === 410) return Option.none<Answer>()
    return Option.some(yield* acceptedObject(answer))
  })

  const put = Effect.fnUntraced(function* (event: CalendarEvent, text: string, condition: Record<string, string>) {
    const { headers, requestLine } = yield* acceptedWrite(yield* send("PUT", urlOf(event), condition, text))
    // A server may change the object (RFC 4791 5.3.4). It should omit the ETag then, but some servers do not.
    const stored = yield* get(event)
    if (Option.isNone(stored)) {
      return yield* failure("gone", `${requestLine}: the event does not exist after it was written`)
    }
    const copy = remoteOf(event, stored.value)
    const etag = headers["etag"]
    // With another ETag, a person has changed the event right after the write. Returning what was read would record that
    // change as Frontdesk's own.
    return etag === undefined || etag === copy.etag ? copy : copyOf(text, event.uuid, etag)
  })

  const create = Tracing.operation("CaldavCalendar.create")(function* (event: CalendarEvent, version: string) {
    return yield* put(event, objectOf(event, version), { "if-none-match": "*" })
  })

  return {
    find: Tracing.operation("CaldavCalendar.find")(function* (event) {
      return Option.map(yield* get(event), (answer) => remoteOf(event, answer))
    }),
    create,
    restore: create,
    replace: Tracing.operation("CaldavCalendar.replace")(function* (event, version, copy) {
      const present = yield* get(event)
      if (Option.isNone(present)) return yield* failure("gone", `${urlOf(event)} was deleted`)
      const { contentDigest, etag } = remoteOf(event, present.value)
      if (etag !== copy.etag || contentDigest !== copy.contentDigest) {
        return yield* failure("conflict", `${urlOf(event)} was changed at the same time`)
      }
      // A proxy that compresses answers makes ETags weak, and `If-Match` never matches a weak ETag.
      const condition = etag === null ? "*" : etag.replace(/^W\//, "")
      return yield* put(event, merged(present.value.body, event, version), { "if-match": condition })
    }),
    busy: (from, until, timeZone) => busy(send, collection, from, until, timeZone),
    id: Effect.succeed(collection),
    check: Effect.gen(function* () {
      const answer = yield* send("PROPFIND", collection, { depth: "0" }, propfind(...collectionProperties))
      const resource = yield* resourceOf(answer)
      if (!isCalendar(resource)) return unusable(`${collection} is not a calendar`)
      const name = JSON.stringify(nameOf(resource) || collection)
      if (!supportsEvents(resource)) return unusable(`${name} does not support events`)
      if (!isWritable(resource)) return unusable(`${name} can be read but not written`)
      const now = yield* DateTime.now
      yield* busy(send, collection, now, DateTime.add(now, { hours: 1 }), utc)
      return { isUsable: true, says: `${name} can be read and written` }
    }).pipe(Tracing.span("CaldavCalendar.check"))
  }
}

/**
 * Returns the answer to a GET when it is a calendar object. Fails with `transport` for an empty body or a login page in its
 * place, because then the server itself has not answered.
 */
const acceptedObject = (answer: Answer): Effect.Effect<Answer, CalendarSyncError> => {
  if (answer.status !== 200) return davRefusal(answer)
  if (/^\s*BEGIN:VCALENDAR\b/i.test(answer.body)) return Effect.succeed(answer)
  return failure("transport", `${answer.requestLine}: 200: the body is not a calendar object`)
}

const remoteOf = (event: CalendarEvent, { body, headers }: Answer): RemoteCopy =>
  copyOf(body, event.uuid, headers["etag"] ?? null)

const unusable = (says: string) => ({ isUsable: false, says })

const failure = (reason: "conflict" | "gone" | "transport", cause: string) =>
  Effect.fail(new CalendarSyncError({ reason, cause }))
