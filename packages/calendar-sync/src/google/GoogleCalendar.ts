import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AuthorizedExchange } from "../oauth/AuthorizedExchange.ts"
import * as AuthorizedProvider from "../oauth/AuthorizedProvider.ts"
import type { OAuthClient, Registration } from "../oauth/OAuthClient.ts"
import type { RemoteCalendar, RemoteProvider } from "../RemoteCalendar.ts"
import { ifMatch } from "../request/Exchange.ts"
import { decode } from "../request/Json.ts"
import { busy } from "./GoogleBusy.ts"
import { copyOf, fieldsOf, GoogleEvent, idOf, isDeletedByHand, patchOf } from "./GoogleEvent.ts"
import { accepted } from "./GoogleErrorResponse.ts"

/** How to reach Google. Default of each URL: that of Google. */
export interface GoogleOptions extends Registration {
  readonly apiUrl?: string | undefined
  readonly authorizationUrl?: string | undefined
  readonly tokenUrl?: string | undefined
}

/**
 * A name for the main calendar of every Google account. `CalendarCheck` accepts it. A connection is stored with the
 * calendar's id instead.
 */
export const primary = "primary"

/**
 * Returns the client of Google's authorization server ("Using OAuth 2.0 for Web Server Applications"). Its scopes are events,
 * busy times and the id of the calendar. `prompt=consent` makes Google ask for consent each time, because only then it
 * issues a refresh token.
 */
export const client = ({ authorizationUrl, clientId, clientSecret, tokenUrl }: GoogleOptions): OAuthClient => ({
  clientId,
  clientSecret,
  authorizationUrl: authorizationUrl ?? "https://accounts.google.com/o/oauth2/v2/auth",
  tokenUrl: tokenUrl ?? "https://oauth2.googleapis.com/token",
  scopes: [
    "https://www.googleapis.com/auth/calendar.events",
    "https://www.googleapis.com/auth/calendar.freebusy",
    "https://www.googleapis.com/auth/calendar.calendars.readonly"
  ],
  parameters: { access_type: "offline", prompt: "consent" }
})

const decodeEvent = decode(GoogleEvent)
const decodeCalendar = decode(Schema.Struct({ id: Schema.NonEmptyString }))
const decodeEvents = decode(Schema.Struct({ accessRole: Schema.String, summary: Schema.optionalKey(Schema.String) }))

/**
 * Provides Google Calendar (Calendar API v3 reference: calendars, events, freebusy).
 *
 * The id of a copy is derived from the UUID of the calendar event, so that a repeat creates no second copy. A cancelled
 * event gets the status `cancelled`. Google then shows it in the bin, and can restore it. Every write has
 * `sendUpdates=none`, so that Google sends no mail.
 */
export const make = (options: GoogleOptions): Effect.Effect<RemoteProvider, never, HttpClient.HttpClient> =>
  AuthorizedProvider.make(client(options), (send, calendar) =>
    calendarOf(send, options.apiUrl ?? "https://www.googleapis.com/calendar/v3", calendar)
  )

const calendarOf = (send: AuthorizedExchange, apiUrl: string, calendar: string): RemoteCalendar => {
  const calendarUrl = `${apiUrl}/calendars/${encodeURIComponent(calendar)}`
  const events = `${calendarUrl}/events`
  const eventUrl = (id: string): string => `${events}/${encodeURIComponent(id)}`
  const silent = HttpClientRequest.setUrlParam("sendUpdates", "none")

  const find = Tracing.operation("GoogleCalendar.find")(function* (event: CalendarEvent, id: string | null) {
    const answer = yield* send(HttpClientRequest.get(eventUrl(id ?? idOf(event))))
    if (answer.status === 404 || answer.status === 410) return Option.none()
    const found = yield* decodeEvent(yield* accepted(answer))
    return isDeletedByHand(found) ? Option.none() : Option.some(copyOf(found))
  })

  const create = Tracing.operation("GoogleCalendar.create")(function* (event: CalendarEvent, version: string) {
    const answer = yield* HttpClientRequest.post(events).pipe(
      silent,
      HttpClientRequest.bodyJsonUnsafe({ ...fieldsOf(event, version), id: idOf(event) }),
      send
    )
    if (answer.status !== 409) return copyOf(yield* decodeEvent(yield* accepted(answer)))
    const present = yield* find(event, null)
    if (Option.isSome(present)) return present.value
    const cause = `${answer.requestLine}: 409: the event existed, and a person has deleted it in Google Calendar`
    return yield* new CalendarSyncError({ reason: "gone", isByHand: true, cause })
  })

  return {
    find,
    create,
    // Google keeps a deleted event under its id, so a create would conflict. A patch restores the deleted event.
    restore: Tracing.operation("GoogleCalendar.restore")(function* (event, version, id) {
      const answer = yield* HttpClientRequest.patch(eventUrl(id ?? idOf(event))).pipe(
        silent,
        HttpClientRequest.bodyJsonUnsafe(patchOf(event, version)),
        send
      )
      if (answer.status === 404 || answer.status === 410) return yield* create(event, version)
      return copyOf(yield* decodeEvent(yield* accepted(answer)))
    }),
    replace: Tracing.operation("GoogleCalendar.replace")(function* (event, version, { etag, id }) {
      const answer = yield* HttpClientRequest.patch(eventUrl(id)).pipe(
        silent,
        ifMatch(etag),
        HttpClientRequest.bodyJsonUnsafe(patchOf(event, version)),
        send,
        Effect.flatMap(accepted)
      )
      return copyOf(yield* decodeEvent(answer))
    }),
    busy: (from, until) => busy(send, apiUrl, calendar, from, until),
    id: HttpClientRequest.get(calendarUrl).pipe(
      HttpClientRequest.setUrlParam("fields", "id"),
      send,
      Effect.flatMap(accepted),
      Effect.flatMap(decodeCalendar),
      Effect.map(({ id }) => id),
      Tracing.span("GoogleCalendar.id")
    ),
    check: Effect.gen(function* () {
      // The list of events has the role of the account. Reading the role elsewhere would need another scope.
      const answer = yield* HttpClientRequest.get(events).pipe(
        HttpClientRequest.setUrlParams({ maxResults: "1", fields: "accessRole,summary" }),
        send,
        Effect.flatMap(accepted)
      )
      const { accessRole, summary } = yield* decodeEvents(answer)
      const now = yield* DateTime.now
      yield* busy(send, apiUrl, calendar, now, DateTime.add(now, { hours: 1 }))
      const isUsable = writers.has(accessRole)
      const name = JSON.stringify(summary ?? calendar)
      const says = isUsable
        ? `${name} can be read and written`
        : `${name} cannot be written: the account has the role ${accessRole}`
      return { isUsable, says }
    }).pipe(Tracing.span("GoogleCalendar.check"))
  }
}

const writers: ReadonlySet<string> = new Set(["writer", "writerWithoutPrivateAccess", "owner"])
