import {
  Authorization,
  Caldav,
  CalendarCheck,
  GoogleCalendar,
  OAuthCredentials,
  OutlookCalendar,
  type OAuthClient
} from "@frontdesk/calendar-sync"
import type { AccountNotFound } from "@frontdesk/core/access/AccessError"
import type { CalendarConnection, ConnectionKey } from "@frontdesk/core/external-calendar/CalendarConnection"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { ValidationError } from "@frontdesk/core/values/ValidationError"
import type * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Providers from "../Providers.ts"
import { type CalendarsChoice, calendarSettings } from "../settings/CalendarSettings.ts"
import { commandVariables } from "../settings/Setting.ts"
import { type Failure, failure, usage } from "./CommandFailure.ts"
import * as Output from "./Output.ts"
import * as SecretInput from "./SecretInput.ts"

/** The environment variable of a password or a refresh token. */
export const variable = commandVariables.calendarSecret

/** What is asked beside the account and the provider; null: it is not given. */
export interface Asked {
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

/** The calendars there are, of which none was named. */
export interface Listed {
  readonly _tag: "Listed"
  readonly found: ReadonlyArray<Caldav.DiscoveredCalendar>
  readonly server: string
}

/** A connection that was made, and what the calendar says. */
interface Connected {
  readonly _tag: "Connected"
  readonly connection: CalendarConnection
  readonly says: string
}

const refused =
  (provider: ConnectionKey["provider"]) =>
  ({ cause, reason }: CalendarSyncError): Failure => {
    const hint = provider === "apple" && reason === "unauthorized" ? `; see --username, and ${variable}` : ""
    return failure(`The calendar cannot be used, and nothing was changed: ${reason}: ${String(cause)}${hint}`)
  }

const notGiven = ({ cause }: CalendarSyncError): Failure =>
  failure(`Access to the calendar was not obtained, and nothing was changed: ${String(cause)}`)

const isCaldavAccount = Schema.is(Caldav.CaldavCredentials)

const chooseCaldav = Effect.fnUntraced(function* ({ calendar, url, username }: Asked) {
  if (username === null) return yield* usage("CalDAV asks for a name: give it with --username")
  if (calendar !== null && !URL.canParse(calendar)) {
    return yield* usage("With CalDAV the calendar is named by its URL: leave --calendar out to have them listed")
  }
  const password = yield* SecretInput.secret(variable, `The password of ${username}:`)
  const account = { username, password }
  if (!isCaldavAccount(account)) {
    return yield* usage(
      "CalDAV has no such name or password: a name is not empty, without a colon, and neither has a control character"
    )
  }
  if (calendar !== null) return { _tag: "Chosen" as const, calendar, credentials: Caldav.credentials(account) }
  const server = url ?? Caldav.icloud
  const found = yield* Effect.mapError(Caldav.calendars({ ...account, url: server }), refused("apple"))
  return { _tag: "Listed" as const, server, found }
})

/** The refresh token that is given, or the one that a person is asked for. */
const authorize = Effect.fnUntraced(function* (client: OAuthClient.OAuthClient, redirectUri: string) {
  const given = yield* SecretInput.ofVariable(variable)
  if (Redacted.value(given) !== "") return OAuthCredentials.encode(given)
  const authorization = yield* Authorization.begin(client, redirectUri)
  yield* Output.progress(`Visit this address and give access:\n\n${authorization.url}\n`)
  yield* Output.progress("Then enter the address that the browser was sent to, whether it shows a page or not:")
  const visited = yield* SecretInput.line
  if (visited === "") {
    return yield* usage(
      `Nothing was entered, and nothing was changed. Enter the address; without a terminal, ${variable} takes a refresh token`
    )
  }
  if (!URL.canParse(visited)) {
    return yield* usage(
      `What was entered is no address, and nothing was changed: enter the whole one, ${redirectUri}?code=... and so on`
    )
  }
  const code = yield* Effect.mapError(Authorization.codeOf(authorization, visited), notGiven)
  return yield* Effect.mapError(Authorization.exchange(client, authorization, code), notGiven)
})

const choose = Effect.fnUntraced(function* (
  choice: CalendarsChoice,
  provider: ConnectionKey["provider"],
  asked: Asked
): Effect.fn.Return<Chosen | Listed, Failure, HttpClient.HttpClient | Prompt.Environment> {
  if (provider === "apple") return yield* chooseCaldav(asked)
  const client =
    provider === "google"
      ? choice.google && GoogleCalendar.client(Providers.googleOptions(choice.google))
      : choice.outlook && OutlookCalendar.client(Providers.outlookOptions(choice.outlook))
  if (client === null) {
    const { googleClientId, outlookClientId } = calendarSettings
    const setting = provider === "google" ? googleClientId : outlookClientId
    return yield* usage(`No client of ${provider} is set up: ${setting.variable} and its secret are not given`)
  }
  return {
    _tag: "Chosen",
    calendar: asked.calendar ?? (provider === "google" ? GoogleCalendar.primary : OutlookCalendar.primary),
    credentials: yield* authorize(client, asked.redirectUri)
  }
})

/**
 * Tries a calendar and connects an account with it; one that cannot be used leaves everything as it was. With CalDAV
 * there is no main calendar: as long as none is named, those there are are answered.
 */
export const connect = Effect.fnUntraced(function* (
  choice: CalendarsChoice,
  key: ConnectionKey,
  asked: Asked
): Effect.fn.Return<
  Connected | Listed,
  AccountNotFound | Failure | StorageError | ValidationError,
  CalendarConnections | HttpClient.HttpClient | Prompt.Environment
> {
  const chosen = yield* choose(choice, key.provider, asked)
  if (chosen._tag === "Listed") return chosen
  const { calendar, credentials } = chosen
  const provider = (yield* Providers.calendarProviders(choice))[key.provider]
  if (provider === undefined) return yield* usage(`${key.provider} is not set up`)
  const tried = yield* CalendarCheck.run(provider, key, calendar, credentials).pipe(
    Effect.catchTag("CalendarSyncError", (error) => Effect.fail(refused(key.provider)(error)))
  )
  const connections = yield* CalendarConnections
  const connection = yield* connections.connect(key, tried.calendar, tried.credentials)
  return { _tag: "Connected", connection, says: tried.says }
}, Effect.provide(FetchHttpClient.layer))
