import {
  Authorization,
  Caldav,
  GoogleCalendar,
  OAuthCredentials,
  OutlookCalendar,
  type OAuthClient
} from "@frontdesk/calendar-sync"
import type { CalendarConnection, ConnectionKey } from "@frontdesk/core/calendar/CalendarConnection"
import { CalendarOperations } from "@frontdesk/core/calendar/CalendarOperations"
import type { CalendarSyncError } from "@frontdesk/core/calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type * as Prompt from "effect/cli/Prompt"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Providers from "../Providers.ts"
import { type CalendarsChoice, calendarSettings } from "../settings/Calendars.ts"
import { type Failure, failure, usage } from "./Failure.ts"
import * as Output from "./Output.ts"
import * as SecretInput from "./SecretInput.ts"

/** The environment variable of a password or a refresh token. */
export const variable = "FRONTDESK_CALENDAR_SECRET"

/** What is asked beside the account and the provider; null: it is not given. */
export interface Asked {
  readonly calendar: string | null
  readonly url: string | null
  readonly username: string | null
  readonly redirectUri: string
}

/** A calendar and the credentials for it. */
interface Chosen {
  readonly calendar: string
  readonly credentials: Redacted.Redacted<string>
}

const refused = ({ cause, reason }: CalendarSyncError): Failure =>
  failure(`The calendar cannot be used, and nothing was changed: ${reason}: ${String(cause)}`)

const chooseCaldav = Effect.fnUntraced(function* ({ calendar, url, username }: Asked) {
  if (username === null) return yield* usage("CalDAV asks for a name: give it with --username")
  const password = yield* SecretInput.secret(variable, `The password of ${username}:`)
  const account = { username, password }
  if (calendar !== null) return { calendar, credentials: Caldav.credentials(account) }
  const server = url ?? Caldav.icloud
  const found = yield* Effect.mapError(Caldav.calendars({ ...account, url: server }), refused)
  yield* Output.table(
    ["CALENDAR", "NAME", "MAY BE WRITTEN"],
    found.map(({ isWritable, name, url }) => [url, name, isWritable ? "yes" : "no"])
  )
  return yield* failure(`${found.length} calendars are at ${server}; connect one of them with --calendar`)
})

/** The refresh token that is given, or the one that a person is asked for. */
const authorize = Effect.fnUntraced(function* (client: OAuthClient.OAuthClient, redirectUri: string) {
  const given = yield* SecretInput.ofVariable(variable)
  if (Redacted.value(given) !== "") return OAuthCredentials.encode(given)
  const authorization = yield* Authorization.begin(client, redirectUri)
  yield* Output.progress(`Visit this address and give access:\n\n${authorization.url}\n`)
  const visited = yield* SecretInput.line(
    "Then enter the address that the browser was sent to, whether it shows a page or not:"
  )
  const code = yield* Effect.mapError(Authorization.codeOf(authorization, visited), refused)
  return yield* Effect.mapError(Authorization.exchange(client, authorization, code), refused)
})

const choose = Effect.fnUntraced(function* (
  choice: CalendarsChoice,
  provider: ConnectionKey["provider"],
  asked: Asked
): Effect.fn.Return<Chosen, Failure, HttpClient.HttpClient | Prompt.Environment> {
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
    calendar: asked.calendar ?? (provider === "google" ? GoogleCalendar.primary : OutlookCalendar.primary),
    credentials: yield* authorize(client, asked.redirectUri)
  }
})

/** Tries a calendar and connects an account with it; one that cannot be used leaves everything as it was. */
export const connect = Effect.fnUntraced(function* (
  choice: CalendarsChoice,
  key: ConnectionKey,
  asked: Asked
): Effect.fn.Return<
  { readonly connection: CalendarConnection; readonly says: string },
  Failure | StorageError,
  CalendarOperations | HttpClient.HttpClient | Prompt.Environment
> {
  const { calendar, credentials } = yield* choose(choice, key.provider, asked)
  const providers = yield* Providers.calendarProviders(choice)
  // What the provider renews while it is tried is what is kept.
  const latest = yield* Ref.make(credentials)
  const now = yield* DateTime.now
  const connection = { ...key, calendar, createdAt: now, updatedAt: now }
  const remote = providers[key.provider]
  if (remote === undefined) return yield* usage(`${key.provider} is not set up`)
  const { isUsable, says } = yield* remote
    .open({ connection, credentials }, (renewed) => Effect.as(Ref.set(latest, renewed), true))
    .pipe(
      Effect.flatMap((opened) => opened.check),
      Effect.catchTag("CalendarSyncError", (error) => Effect.fail(refused(error)))
    )
  if (!isUsable) return yield* failure(`The calendar cannot be used, and nothing was changed: ${says}`)
  const operations = yield* CalendarOperations
  return { connection: yield* operations.connect(key, calendar, yield* Ref.get(latest)), says }
}, Effect.provide(FetchHttpClient.layer))
