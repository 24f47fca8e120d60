import { Caldav, CalendarProviders, CalendarSetup, OAuthCredentials } from "@frontdesk/calendar-sync"
import { CaldavHttpClient } from "@frontdesk/calendar-sync/CaldavHttpClient"
import type { AccountId } from "@frontdesk/core/access/Account"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Options from "./Options.ts"
import { Secret, WebUrl } from "./ProviderOptions.ts"
import * as Failure from "./failure/Failure.ts"
import * as Providers from "./Providers.ts"

const Account = Schema.Union([Schema.Finite, Schema.String])

const caldavAccount = { username: Caldav.CaldavCredentials.fields.username, password: Secret }

const decodeOAuth = Options.decoder(
  Schema.Struct({
    account: Account,
    provider: Schema.Literals(["google", "outlook", "apple"]),
    refreshToken: Secret,
    calendar: Schema.optional(Schema.NonEmptyString)
  })
)

const decodeCaldav = Options.decoder(
  Schema.Struct({
    account: Account,
    provider: Schema.Literal("apple"),
    ...caldavAccount,
    calendar: WebUrl
  })
)

const decodeServer = Options.decoder(Schema.Struct({ ...caldavAccount, url: Schema.optional(WebUrl) }))

/** The name of the main calendar at Google and at Outlook. */
const mainCalendar = "primary"

/** What `frontdesk.connectCalendar` was given, decoded. Throws a `FrontdeskError` that names each wrong field. */
export const decode = (given: unknown) => {
  if (Predicate.hasProperty(given, "provider") && given.provider === "apple") {
    const { account, calendar, password, provider, username } = decodeCaldav(given)
    return { account, calendar, provider, credentials: Caldav.credentials({ username, password }) }
  }
  const { account, calendar = mainCalendar, provider, refreshToken } = decodeOAuth(given)
  return { account, calendar, provider, credentials: OAuthCredentials.encode(refreshToken) }
}

/** Checks a calendar, and connects an account with it. */
export const connect = (options: Options.Options, accountId: AccountId, given: ReturnType<typeof decode>) =>
  Effect.provide(connectWith(options, accountId, given), [FetchHttpClient.layer, Providers.caldav(options.calendars)])

const connectWith = Effect.fnUntraced(function* (
  options: Options.Options,
  accountId: AccountId,
  { calendar, credentials, provider: name }: ReturnType<typeof decode>
) {
  const provider = (yield* CalendarProviders.make(options.calendars ?? {}))[name]
  if (provider === undefined) {
    const message = `${name} is not set up. Give its OAuth client to Frontdesk.open as calendars.${name}`
    return yield* Effect.fail(Failure.ofField("provider", message))
  }
  return yield* CalendarSetup.connect(provider, { accountId, provider: name }, calendar, credentials)
})

/** Returns the calendars of a CalDAV server that an account can be connected with. */
export const caldavCalendars = (options: Options.Options, given: unknown) => {
  const { url = Caldav.icloud, ...account } = decodeServer(given)
  return Effect.flatMap(CaldavHttpClient, (client) =>
    Effect.provideService(Caldav.calendars({ ...account, url }), HttpClient.HttpClient, client)
  ).pipe(Effect.provide(Providers.caldav(options.calendars)))
}
