import type { CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarConnector, type OAuthProvider } from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { CaldavHttpClient } from "./caldav/CaldavHttpClient.ts"
import * as CalendarCheck from "./CalendarCheck.ts"
import type { Providers } from "./ExternalCalendars.ts"
import type { OAuthClient } from "./oauth/OAuthClient.ts"
import { type Clients, googleOptions, outlookOptions } from "./ProviderClients.ts"

/** The name of the main calendar at Google and at Outlook. */
const mainCalendar = "primary"

/**
 * Provides `CalendarConnector` for the clients of the operator. The code of a provider is loaded when it is first used.
 *
 * @param providers the providers of the same clients, which `CalendarProviders.make` returns
 */
export const layer = (
  clients: Clients,
  providers: Providers
): Layer.Layer<CalendarConnector, never, CaldavHttpClient | HttpClient.HttpClient> =>
  Layer.effect(
    CalendarConnector,
    Effect.gen(function* () {
      const http = yield* HttpClient.HttpClient
      const caldavHttp = yield* CaldavHttpClient

      const clientOf = Effect.fnUntraced(function* (
        provider: OAuthProvider
      ): Effect.fn.Return<OAuthClient, CalendarSyncError> {
        const { google, outlook } = clients
        if (provider === "google" && google) {
          const { client } = yield* Effect.promise(() => import("./google/GoogleCalendar.ts"))
          return client(googleOptions(google))
        }
        if (provider === "outlook" && outlook) {
          const { client } = yield* Effect.promise(() => import("./outlook/OutlookCalendar.ts"))
          return client(outlookOptions(outlook))
        }
        return yield* notSetUp(provider)
      })
      const caldav = Effect.promise(() => import("./caldav/Caldav.ts"))
      const requireCaldav = providers.apple === undefined ? notSetUp("apple") : caldav

      return CalendarConnector.of({
        providers: keys.filter((key) => providers[key] !== undefined),
        authorizationUrl: Effect.fnUntraced(function* (provider, request) {
          const { urlOf } = yield* Effect.promise(() => import("./oauth/Authorization.ts"))
          return urlOf(yield* clientOf(provider), request)
        }),
        exchange: Tracing.operation("ProviderConnector.exchange")(function* (provider, grant) {
          const client = yield* clientOf(provider)
          const { exchange } = yield* Effect.promise(() => import("./oauth/Authorization.ts"))
          return yield* Effect.provideService(exchange(client, grant, grant.code), HttpClient.HttpClient, http)
        }),
        caldavCalendars: Tracing.operation("ProviderConnector.caldavCalendars")(function* ({
          password,
          url,
          username
        }) {
          const { calendars, icloud } = yield* requireCaldav
          const account = { username, password, url: url ?? icloud }
          return yield* Effect.provideService(calendars(account), HttpClient.HttpClient, caldavHttp)
        }),
        caldavCredentials: Effect.fnUntraced(function* (account) {
          const { credentials } = yield* requireCaldav
          return credentials(account)
        }),
        check: Effect.fnUntraced(function* (key, calendar, credentials) {
          const provider = providers[key.provider]
          if (provider === undefined) return yield* notSetUp(key.provider)
          return yield* CalendarCheck.run(provider, key, calendar ?? mainCalendar, credentials)
        })
      })
    })
  )

/** The keys of all providers, in alphabetical order. */
const keys = ["apple", "google", "outlook"] as const satisfies ReadonlyArray<CalendarProviderKey>

const notSetUp = (provider: CalendarProviderKey) =>
  Effect.fail(
    new CalendarSyncError({
      reason: "invalid",
      cause: `${provider === "apple" ? "CalDAV" : provider} is not set up in this server`
    })
  )
