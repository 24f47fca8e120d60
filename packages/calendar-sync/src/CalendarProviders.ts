import type { AccountStore } from "@frontdesk/core/access/AccountStore"
import type { AuditStore } from "@frontdesk/core/audit/AuditStore"
import type { Transaction } from "@frontdesk/core/storage/Transaction"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { CalendarConnectionStore } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import type { CalendarConnector } from "@frontdesk/core/external-calendar/CalendarConnector"
import type { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { CaldavHttpClient } from "./caldav/CaldavHttpClient.ts"
import * as ExternalCalendars from "./ExternalCalendars.ts"
import type { GoogleOptions } from "./google/GoogleCalendar.ts"
import type { OutlookOptions } from "./outlook/OutlookCalendar.ts"
import { type Clients, googleOptions, outlookOptions } from "./ProviderClients.ts"
import * as ProviderConnector from "./ProviderConnector.ts"
import type { RemoteProvider } from "./RemoteCalendar.ts"

export { type Client, type Clients, googleOptions, outlookOptions } from "./ProviderClients.ts"

/**
 * Makes the providers for these clients, for `ExternalCalendars.layer`. CalDAV, which Apple uses, needs no client and is
 * always there. The code of a provider is loaded when its first connection is opened.
 */
export const make = Effect.fnUntraced(function* ({
  google,
  outlook
}: Clients): Effect.fn.Return<ExternalCalendars.Providers, never, CaldavHttpClient | HttpClient.HttpClient> {
  const ownClient = yield* HttpClient.HttpClient
  const lazily = Effect.fnUntraced(function* (
    load: () => Promise<Effect.Effect<RemoteProvider, never, HttpClient.HttpClient>>,
    client = ownClient
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
    apple: yield* lazily(caldav, yield* CaldavHttpClient),
    google: google ? yield* lazily(googleCalendar(googleOptions(google))) : undefined,
    outlook: outlook ? yield* lazily(outlookCalendar(outlookOptions(outlook))) : undefined
  }
})

/** Provides the external calendars, for these clients. Each account connects its own. */
export const layer = (
  clients: Clients
): Layer.Layer<
  CalendarConnector | CalendarSync,
  never,
  AccountStore | AuditStore | CaldavHttpClient | CalendarConnectionStore | Transaction
> =>
  Layer.unwrap(
    Effect.map(make(clients), (providers) =>
      Layer.merge(ExternalCalendars.layer(providers), ProviderConnector.layer(clients, providers))
    )
  ).pipe(Layer.provide([FetchHttpClient.layer, CalendarConnections.layer]))
