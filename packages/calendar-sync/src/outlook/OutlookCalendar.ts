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

/** How to reach Microsoft Graph. Default of each URL: that of the global service. */
export interface OutlookOptions extends Registration {
  /** Whose accounts may connect: the id of a tenant, `organizations`, `consumers`, or `common` for all. Default: `common`. */
  readonly tenant?: string | undefined
  readonly apiUrl?: string | undefined
  readonly authorizationUrl?: string | undefined
  readonly tokenUrl?: string | undefined
}

/**
 * A name for the default calendar of every mailbox. `CalendarCheck` accepts it. A connection is stored with the calendar's
 * id instead.
 */
export const primary = "primary"

/**
 * Returns the client of Microsoft's authorization server ("OAuth 2.0 authorization code flow"). Its scopes are events, the
 * time zone of the mailbox, and offline access, which yields a refresh token.
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
 * Provides Outlook through Microsoft Graph v1.0 (reference: event, calendar, singleValueLegacyExtendedProperty).
 *
 * Extended properties of a copy have the id and the version of the calendar event. The `transactionId` prevents a second
 * copy when a create is repeated. Immutable ids are not used, because they also find a deleted event, among the deleted
 * items.
 */
export const make = (options: OutlookOptions): Effect.Effect<RemoteProvider, never, HttpClient.HttpClient> =>
  AuthorizedProvider.make(client(options), (send, calendar) =>
    calendarOf(send, options.apiUrl ?? "https://graph.microsoft.com/v1.0", calendar)
  )

const readError = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ code: Schema.String }) }))
)

/** Returns whether Graph reports that the mailbox has an event with the same `transactionId` and other content. */
const isDuplicate = ({ body, status }: Answer): boolean =>
  status >= 400 && Option.exists(readError(body), ({ error }) => error.code === "ErrorDuplicateTransactionId")

const calendarOf = (send: AuthorizedExchange, apiUrl: string, calendar: string): RemoteCalendar => {
  const calendarUrl = `${apiUrl}/me/${calendar === primary ? "calendar" : `calendars/${encodeURIComponent(calendar)}`}`
  const eventUrl = (id: string): string => `${calendarUrl}/events/${encodeURIComponent(id)}`
  const withMarks = HttpClientRequest.setUrlParams({ $select: selected, $expand: expandVersion })

  /** Returns the event with an id, or none when it does not exist. */
  const get = Effect.fnUntraced(function* (id: string) {
    const answer = yield* HttpClientRequest.get(eventUrl(id)).pipe(withMarks, inUtc, send)
    if (answer.status === 404 || answer.status === 410) return Option.none()
    return Option.some(yield* decodeEvent(yield* accepted(answer)))
  })

  /**
   * Finds the copy of a calendar event by its mark. A copy that a person duplicates in Outlook duplicates the mark too, so
   * the oldest event with the mark is the copy.
   */
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

  const create = Tracing.operation("OutlookCalendar.create")(function* (
    event: CalendarEvent,
    version: string,
    transactionId: string
  ) {
    const answer = yield* HttpClientRequest.post(`${calendarUrl}/events`).pipe(
      HttpClientRequest.bodyJsonUnsafe(newCopy(event, version, transactionId)),
      inUtc,
      send
    )
    // A create was repeated with changed content. The existing copy is the result.
    if (isDuplicate(answer))
      return yield* Effect.flatMap(
        search(event),
        Option.match({ onNone: () => refusal(answer, "conflict"), onSome: (found) => Effect.succeed(copyOf(found)) })
      )
    const { id } = yield* decodeId(yield* accepted(answer))
    // A repeated create is answered with the existing event, and without its version. The version has to be read.
    const created = yield* get(id)
    if (Option.isNone(created)) {
      return yield* failure("gone", `${answer.requestLine}: the event was deleted right after its creation`)
    }
    return copyOf(created.value)
  })

  return {
    find: Tracing.operation("OutlookCalendar.find")(function* (event, id) {
      const found = yield* id === null ? search(event) : get(id)
      return Option.map(found, (event) => copyOf(event))
    }),
    create: (event, version) => create(event, version, transactionIdOf(event, calendar)),
    // With the `transactionId` of the deleted copy, Graph would treat the request as a repeat and create nothing.
    restore: (event, version, id) => create(event, version, transactionIdOf(event, calendar, id ?? version)),
    replace: Tracing.operation("OutlookCalendar.replace")(function* (event, version, { etag, id }) {
      const present = yield* get(id)
      if (Option.isNone(present)) return yield* failure("gone", "the event was deleted in Outlook")
      const current = present.value
      // Graph does not document `If-Match` for events. The ETag is therefore compared here too, in case Graph ignores it.
      if ((current["@odata.etag"] ?? null) !== etag)
        return yield* failure("conflict", "the event was changed in Outlook")
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
      Tracing.span("OutlookCalendar.id")
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
      const access = canEdit ? "can be read and written" : "can be read but not written"
      return { isUsable: canEdit, says: `${shown} ${access}` }
    }).pipe(Tracing.span("OutlookCalendar.check"))
  }
}
