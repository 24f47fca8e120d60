import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
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
import type { Answer } from "../request/Exchange.ts"
import { accepted, refusal } from "../request/ErrorResponse.ts"
import { busy } from "./OutlookBusy.ts"
import {
  copyOf,
  expandVersion,
  filterBy,
  newCopy,
  OutlookEvent,
  patchOf,
  selected,
  transactionIdOf
} from "./OutlookEvent.ts"
import { inUtc } from "./MailboxZone.ts"

/** How Microsoft Graph is reached; the URLs are those of the global service unless others are given. */
export interface OutlookOptions extends Registration {
  /** Whose accounts may connect: a tenant's id, `organizations`, `consumers`, or `common` for all, the default. */
  readonly tenant?: string | undefined
  readonly apiUrl?: string | undefined
  readonly authorizationUrl?: string | undefined
  readonly tokenUrl?: string | undefined
}

/**
 * The name of the calendar that every mailbox has: to try it by, and not for a connection, which has the calendar's id.
 */
export const primary = "primary"

/**
 * The client of Microsoft's authorization server ("OAuth 2.0 authorization code flow"): it asks for events, for the time
 * zone of the mailbox, and for access while nobody is there.
 */
export const client = ({
  authorizationUrl,
  clientId,
  clientSecret,
  tenant = "common",
  tokenUrl
}: OutlookOptions): OAuthClient => {
  const server = `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/oauth2/v2.0`
  return {
    clientId,
    clientSecret,
    authorizationUrl: authorizationUrl ?? `${server}/authorize`,
    tokenUrl: tokenUrl ?? `${server}/token`,
    scopes: [
      "offline_access",
      "https://graph.microsoft.com/Calendars.ReadWrite",
      "https://graph.microsoft.com/MailboxSettings.Read"
    ],
    parameters: { response_mode: "query" }
  }
}

const decodeEvent = decode(OutlookEvent)
const decodeEvents = decode(Schema.Struct({ value: Schema.Array(OutlookEvent) }))
const decodeId = decode(Schema.Struct({ id: Schema.NonEmptyString }))
const decodeCalendar = decode(Schema.Struct({ name: Schema.NullOr(Schema.String), canEdit: Schema.Boolean }))

/**
 * Outlook by Microsoft Graph v1.0 (reference: event, calendar, singleValueLegacyExtendedProperty).
 *
 * Frontdesk's id and version of an event lie in extended properties of the copy; `transactionId` makes a repeated create
 * one. Ids are the changeable ones: by an immutable id a deleted event would still be found, among the deleted items.
 */
export const make = (options: OutlookOptions): Effect.Effect<RemoteProvider, never, HttpClient.HttpClient> =>
  AuthorizedProvider.make(client(options), (send, calendar) =>
    calendarOf(send, options.apiUrl ?? "https://graph.microsoft.com/v1.0", calendar)
  )

const readError = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ code: Schema.String }) }))
)

/** Whether an answer says that the mailbox has an event with this `transactionId` that was made of something else. */
const isDuplicate = ({ body, status }: Answer): boolean =>
  status >= 400 && Option.exists(readError(body), ({ error }) => error.code === "ErrorDuplicateTransactionId")

const calendarOf = (send: AuthorizedExchange, apiUrl: string, calendar: string): RemoteCalendar => {
  const calendarUrl = `${apiUrl}/me/${calendar === primary ? "calendar" : `calendars/${encodeURIComponent(calendar)}`}`
  const eventUrl = (id: string): string => `${calendarUrl}/events/${encodeURIComponent(id)}`
  const withMarks = HttpClientRequest.setUrlParams({ $select: selected, $expand: expandVersion })

  /** The event under an id; none when it is not there. */
  const get = Effect.fnUntraced(function* (id: string) {
    const answer = yield* HttpClientRequest.get(eventUrl(id)).pipe(withMarks, inUtc, send)
    if (answer.status === 404 || answer.status === 410) return Option.none()
    return Option.some(yield* decodeEvent(yield* accepted(answer)))
  })

  /** The copy of an event. Somebody who duplicates it in Outlook duplicates the marks: the first is ours. */
  const search = Effect.fnUntraced(function* (event: CalendarEvent) {
    const answer = yield* HttpClientRequest.get(`${calendarUrl}/events`).pipe(
      HttpClientRequest.setUrlParam("$filter", filterBy(event)),
      withMarks,
      inUtc,
      send,
      Effect.flatMap(accepted)
    )
    const { value } = yield* decodeEvents(answer)
    const [first] = value.toSorted((a, b) => ((a.createdDateTime ?? "") < (b.createdDateTime ?? "") ? -1 : 1))
    return Option.fromUndefinedOr(first)
  })

  const failure = (reason: "conflict" | "gone", cause: string) => new CalendarSyncError({ reason, cause })

  const create = Effect.fn("OutlookCalendar.create")(function* (
    event: CalendarEvent,
    version: string,
    transactionId: string
  ) {
    const answer = yield* HttpClientRequest.post(`${calendarUrl}/events`).pipe(
      HttpClientRequest.bodyJsonUnsafe(newCopy(event, version, transactionId)),
      inUtc,
      send
    )
    // So is a repeat answered that says something else; whose it is, is found.
    if (isDuplicate(answer))
      return yield* Effect.flatMap(
        search(event),
        Option.match({ onNone: () => refusal(answer, "conflict"), onSome: (found) => Effect.succeed(copyOf(found)) })
      )
    const { id } = yield* decodeId(yield* accepted(answer))
    // A repeat is answered with the event that is there, and no answer tells the version it has.
    const made = yield* get(id)
    if (Option.isNone(made)) return yield* failure("gone", `${answer.asked}: what was made is not there any more`)
    return copyOf(made.value)
  })

  return {
    find: Effect.fn("OutlookCalendar.find")(function* (event, id) {
      const found = yield* id === null ? search(event) : get(id)
      return Option.map(found, (event) => copyOf(event))
    }),
    create: (event, version) => create(event, version, transactionIdOf(event, calendar)),
    // Another transaction than the one that made the deleted copy, which the mailbox would take for a repeat.
    restore: (event, version, id) => create(event, version, transactionIdOf(event, calendar, id ?? version)),
    replace: Effect.fn("OutlookCalendar.replace")(function* (event, version, { etag, id }) {
      const present = yield* get(id)
      if (Option.isNone(present)) return yield* failure("gone", "the event was deleted there")
      const current = present.value
      // `If-Match` is not documented for events: whether somebody was faster is seen here, and there if it is heeded.
      if ((current["@odata.etag"] ?? null) !== etag) return yield* failure("conflict", "the event was changed there")
      const answer = yield* HttpClientRequest.patch(eventUrl(id)).pipe(
        ifMatch(etag),
        HttpClientRequest.bodyJsonUnsafe(patchOf(event, version, current)),
        inUtc,
        send,
        Effect.flatMap(accepted)
      )
      return copyOf(yield* decodeEvent(answer), version)
    }),
    busy: (from, until) => busy(send, apiUrl, calendarUrl, from, until),
    id: HttpClientRequest.get(calendarUrl).pipe(
      HttpClientRequest.setUrlParam("$select", "id"),
      send,
      Effect.flatMap(accepted),
      Effect.flatMap(decodeId),
      Effect.map(({ id }) => id),
      Effect.withSpan("OutlookCalendar.id")
    ),
    check: Effect.gen(function* () {
      const answer = yield* HttpClientRequest.get(calendarUrl).pipe(
        HttpClientRequest.setUrlParam("$select", "name,canEdit"),
        send,
        Effect.flatMap(accepted)
      )
      const { canEdit, name } = yield* decodeCalendar(answer)
      const now = yield* DateTime.now
      yield* busy(send, apiUrl, calendarUrl, now, DateTime.add(now, { hours: 1 }))
      const shown = JSON.stringify(name ?? calendar)
      return { isUsable: canEdit, says: `${shown} ${canEdit ? "can be read and written" : "can be read, not written"}` }
    }).pipe(Effect.withSpan("OutlookCalendar.check"))
  }
}
