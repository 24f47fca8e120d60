import type { AccountStore } from "@frontdesk/core/access/AccountStore"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { CalendarConnectionStore } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import type { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as ExternalCalendars from "./ExternalCalendars.ts"
import type { GoogleOptions } from "./google/GoogleCalendar.ts"
import type { Registration } from "./oauth/OAuthClient.ts"
import type { OutlookOptions } from "./outlook/OutlookCalendar.ts"
import type { RemoteProvider } from "./RemoteCalendar.ts"

/** The operator's client at a provider. */
export interface Client extends Registration {
  /** Where the provider's API and authorization are. Null: at the provider's own addresses. */
  readonly baseUrl?: string | null | undefined
}

/** The operator's clients with calendar providers. Without one no account can connect a calendar of that provider. */
export interface Clients {
  readonly google?: Client | null | undefined
  readonly outlook?: (Client & { readonly tenant?: string | undefined }) | null | undefined
}

/** Returns the options of Google Calendar for a client. */
export const googleOptions = ({ baseUrl, clientId, clientSecret }: Client): GoogleOptions => ({
  clientId,
  clientSecret,
  ...(typeof baseUrl === "string" && {
    apiUrl: `${baseUrl}/calendar/v3`,
    authorizationUrl: `${baseUrl}/o/oauth2/v2/auth`,
    tokenUrl: `${baseUrl}/token`
  })
})

/** Returns the options of Outlook for a client. */
export const outlookOptions = ({
  baseUrl,
  clientId,
  clientSecret,
  tenant = "common"
}: NonNullable<Clients["outlook"]>): OutlookOptions => ({
  clientId,
  clientSecret,
  tenant,
  ...(typeof baseUrl === "string" && {
    apiUrl: `${baseUrl}/v1.0`,
    authorizationUrl: `${baseUrl}/${tenant}/oauth2/v2.0/authorize`,
    tokenUrl: `${baseUrl}/${tenant}/oauth2/v2.0/token`
  })
})

/**
 * Makes the providers for these clients, for `ExternalCalendars.layer`. CalDAV, which Apple uses, needs no client and is
 * always there. The code of a provider is loaded when its first connection is opened.
 */
export const make = Effect.fnUntraced(function* ({
  google,
  outlook
}: Clients): Effect.fn.Return<ExternalCalendars.Providers, never, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  const lazily = Effect.fnUntraced(function* (
    load: () => Promise<Effect.Effect<RemoteProvider, never, HttpClient.HttpClient>>
  ): Effect.fn.Return<RemoteProvider> {
    const provider = yield* Effect.promise(load).pipe(
      Effect.flatten,
      Effect.provideService(HttpClient.HttpClient, client),
      Effect.uninterruptible,
      Effect.cached
    )
    return { open: (connection, renewed) => Effect.flatMap(provider, ({ open }) => open(connection, renewed)) }
  })
  const caldav = async () => (await import("./caldav/Caldav.ts")).make()
  const googleCalendar = (options: GoogleOptions) => async () =>
    (await import("./google/GoogleCalendar.ts")).make(options)
  const outlookCalendar = (options: OutlookOptions) => async () =>
    (await import("./outlook/OutlookCalendar.ts")).make(options)
  return {
    apple: yield* lazily(caldav),
    google: google ? yield* lazily(googleCalendar(googleOptions(google))) : undefined,
    outlook: outlook ? yield* lazily(outlookCalendar(outlookOptions(outlook))) : undefined
  }
})

/** Provides the external calendars, for these clients. Each account connects its own. */
export const layer = (clients: Clients): Layer.Layer<CalendarSync, never, AccountStore | CalendarConnectionStore> =>
  Layer.unwrap(Effect.map(make(clients), ExternalCalendars.layer)).pipe(
    Layer.provide([FetchHttpClient.layer, CalendarConnections.layer])
  )
