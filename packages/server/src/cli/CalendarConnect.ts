import {
  Authorization,
  Caldav,
  CalendarProviders,
  CalendarSetup,
  GoogleCalendar,
  OAuthCredentials,
  OutlookCalendar,
  type OAuthClient
} from "@frontdesk/calendar-sync"
import { CaldavHttpClient } from "@frontdesk/calendar-sync/CaldavHttpClient"
import type { AccountNotFound } from "@frontdesk/core/access/AccessError"
import type { ConnectionKey } from "@frontdesk/core/external-calendar/CalendarConnection"
import type { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { ValidationError } from "@frontdesk/core/values/ValidationError"
import type * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { caldavClient, type CalendarsChoice, calendarSettings } from "../settings/CalendarSettings.ts"
import { commandVariables } from "../settings/Setting.ts"
import { type Failure, failure, usage } from "./CommandFailure.ts"
import * as Output from "./Output.ts"
import * as SecretInput from "./SecretInput.ts"

/** The environment variable for a password or a refresh token. */
export const variable = commandVariables.calendarSecret

/** The flags of `frontdesk calendars connect`; null for a flag that is not given. */
export interface ConnectRequest {
  readonly calendar: string | null
  readonly url: string | null
  readonly username: string | null
  readonly redirectUri: string
}

/** A calendar and the credentials for it. */
interface Chosen {
  readonly _tag: "Chosen"
  readonly calendar: string
  readonly credentials: Redacted.Redacted<string>
}

/** The calendars of a CalDAV server, for a request that names none of them. */
export interface Listed {
  readonly _tag: "Listed"
  readonly found: ReadonlyArray<Caldav.DiscoveredCalendar>
  readonly server: string
}

/** A new connection, and the message of the check. */
interface Connected extends CalendarSetup.Connected {
  readonly _tag: "Connected"
}

const hintOf = (provider: ConnectionKey["provider"], { cause, reason }: CalendarSyncError): string => {
  if (provider !== "apple") return ""
  if (reason === "unauthorized") return `; see --username, and ${variable}`
  return String(cause).includes("ADDRESS_REFUSED")
    ? `; its address is not public: allow its host with ${calendarSettings.caldavPrivateHosts.variable}`
    : ""
}

const refused =
  (provider: ConnectionKey["provider"]) =>
  (error: CalendarSyncError): Failure => {
    const { cause, reason } = error
    const hint = hintOf(provider, error)
    return failure(`The calendar cannot be used, and nothing was changed: ${reason}: ${String(cause)}${hint}`)
  }

const notGiven = ({ cause }: CalendarSyncError): Failure =>
  failure(`Access to the calendar was not obtained, and nothing was changed: ${String(cause)}`)

const isCaldavAccount = Schema.is(Caldav.CaldavCredentials)

const chooseCaldav = Effect.fnUntraced(function* ({ calendar, url, username }: ConnectRequest) {
  if (username === null) return yield* usage("CalDAV requires a user name. Give it with --username")
  if (calendar !== null && !URL.canParse(calendar)) {
    return yield* usage(
      "With CalDAV --calendar must be a URL. Run the command without --calendar to list the calendars"
    )
  }
  const password = yield* SecretInput.secret(variable, `The password of ${username}:`)
  const account = { username, password }
  if (!isCaldavAccount(account)) {
    return yield* usage(
      "This user name or password cannot be used with CalDAV. The name must not be empty or contain a colon. Name and " +
        "password must not contain a control character"
    )
  }
  if (calendar !== null) return { _tag: "Chosen" as const, calendar, credentials: Caldav.credentials(account) }
  const server = url ?? Caldav.icloud
  const client = yield* CaldavHttpClient
  const found = yield* Caldav.calendars({ ...account, url: server }).pipe(
    Effect.provideService(HttpClient.HttpClient, client),
    Effect.mapError(refused("apple"))
  )
  return { _tag: "Listed" as const, server, found }
})

/** Returns the credentials: from the given refresh token, or from the authorization that the operator completes. */
const authorize = Effect.fnUntraced(function* (client: OAuthClient.OAuthClient, redirectUri: string) {
  const given = yield* SecretInput.ofVariable(variable)
  if (Redacted.value(given) !== "") return OAuthCredentials.encode(given)
  const authorization = yield* Authorization.begin(client, redirectUri)
  yield* Output.progress(`Open this address and allow the access:\n\n${authorization.url}\n`)
  yield* Output.progress("Then enter the address to which the browser was redirected, even if it shows no page:")
  const visited = yield* SecretInput.line
  if (visited === "") {
    return yield* usage(
      `Nothing was entered, and nothing was changed. Enter the address, or give a refresh token with ${variable}`
    )
  }
  if (!URL.canParse(visited)) {
    return yield* usage(
      `The entered text is not an address, and nothing was changed. Enter the complete address, ${redirectUri}?code=...`
    )
  }
  const code = yield* Effect.mapError(Authorization.codeOf(authorization, visited), notGiven)
  return yield* Effect.mapError(Authorization.exchange(client, authorization, code), notGiven)
})

const choose = Effect.fnUntraced(function* (
  choice: CalendarsChoice,
  provider: ConnectionKey["provider"],
  request: ConnectRequest
): Effect.fn.Return<Chosen | Listed, Failure, CaldavHttpClient | HttpClient.HttpClient | Prompt.Environment> {
  if (provider === "apple") return yield* chooseCaldav(request)
  const client =
    provider === "google"
      ? choice.google && GoogleCalendar.client(CalendarProviders.googleOptions(choice.google))
      : choice.outlook && OutlookCalendar.client(CalendarProviders.outlookOptions(choice.outlook))
  if (!client) {
    const { googleClientId, outlookClientId } = calendarSettings
    const setting = provider === "google" ? googleClientId : outlookClientId
    return yield* usage(`There is no OAuth client for ${provider}. Give ${setting.variable} and its secret`)
  }
  return {
    _tag: "Chosen",
    calendar: request.calendar ?? (provider === "google" ? GoogleCalendar.primary : OutlookCalendar.primary),
    credentials: yield* authorize(client, request.redirectUri)
  }
})

/**
 * Checks a calendar and connects an account with it. Fails without a change when the calendar cannot be used.
 *
 * CalDAV has no main calendar. Without a named calendar the result is the list of calendars, and nothing is connected.
 */
export const connect = (
  choice: CalendarsChoice,
  key: ConnectionKey,
  request: ConnectRequest
): Effect.Effect<
  Connected | Listed,
  AccountNotFound | Failure | StorageError | ValidationError,
  CalendarConnections | Prompt.Environment
> => Effect.provide(connectWith(choice, key, request), [FetchHttpClient.layer, caldavClient(choice)])

const connectWith = Effect.fnUntraced(function* (choice: CalendarsChoice, key: ConnectionKey, request: ConnectRequest) {
  const chosen = yield* choose(choice, key.provider, request)
  if (chosen._tag === "Listed") return chosen
  const { calendar, credentials } = chosen
  const provider = (yield* CalendarProviders.make(choice))[key.provider]
  if (provider === undefined) return yield* usage(`${key.provider} is not set up`)
  const connected = yield* CalendarSetup.connect(provider, key, calendar, credentials).pipe(
    Effect.catchTag("CalendarSyncError", (error) => Effect.fail(refused(key.provider)(error)))
  )
  return { _tag: "Connected" as const, ...connected }
})
