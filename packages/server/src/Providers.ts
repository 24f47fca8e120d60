import * as ExternalCalendars from "@frontdesk/calendar-sync/ExternalCalendars"
import type { RemoteCalendar } from "@frontdesk/calendar-sync"
import * as SimulatedCallProvider from "@frontdesk/call-provider/SimulatedCallProvider"
import type { AccountStore } from "@frontdesk/core/access/AccountStore"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { CalendarConnectionStore } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import type { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import type { CallProvider } from "@frontdesk/core/call/CallProvider"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import { SmtpMailer } from "@frontdesk/email"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as LazyLayer from "./LazyLayer.ts"
import type { CalendarsChoice } from "./settings/CalendarSettings.ts"
import type { CallProviderChoice } from "./settings/CallProviderSettings.ts"
import type { MailChoice } from "./settings/MailSettings.ts"

/** Provides undici. `fetch` repeats a request after an answer of 421, which could place a call twice. */
const undici = LazyLayer.make(
  () => import("@effect/platform-node/NodeHttpClient"),
  ({ layerUndici }) => layerUndici
)

/** Provides the call provider of the settings. */
export const callProvider = (choice: CallProviderChoice): Layer.Layer<CallProvider> => {
  switch (choice._tag) {
    case "Simulated":
      return SimulatedCallProvider.layer({ pace: choice.pace })
    case "Twilio":
      return LazyLayer.make(
        () => import("@frontdesk/call-provider/TwilioCallProvider"),
        ({ layer }) => Layer.provide(layer(choice.options), undici)
      )
    case "Vapi":
      return LazyLayer.make(
        () => import("@frontdesk/call-provider/VapiCallProvider"),
        ({ layer }) => Layer.provide(layer(choice.options), undici)
      )
  }
}

/** Provides the mailer of the settings; without a mail server it sends nothing. */
export const mailer = (choice: MailChoice): Layer.Layer<Mailer> =>
  choice === null ? Mailer.layerNone : Layer.orDie(SmtpMailer.layer(choice))

/** Returns the OAuth client with Google, with the addresses of its API if the settings replace them. */
export const googleOptions = ({ baseUrl, ...client }: NonNullable<CalendarsChoice["google"]>) => ({
  ...client,
  ...(baseUrl !== null && {
    apiUrl: `${baseUrl}/calendar/v3`,
    authorizationUrl: `${baseUrl}/o/oauth2/v2/auth`,
    tokenUrl: `${baseUrl}/token`
  })
})

/** Returns the OAuth client with Microsoft, with the addresses of its API if the settings replace them. */
export const outlookOptions = ({ baseUrl, ...client }: NonNullable<CalendarsChoice["outlook"]>) => ({
  ...client,
  ...(baseUrl !== null && {
    apiUrl: `${baseUrl}/v1.0`,
    authorizationUrl: `${baseUrl}/${client.tenant}/oauth2/v2.0/authorize`,
    tokenUrl: `${baseUrl}/${client.tenant}/oauth2/v2.0/token`
  })
})

/** Makes a provider of calendars that is loaded when the first connection is opened. */
const lazily = Effect.fnUntraced(function* (
  load: () => Promise<Effect.Effect<RemoteCalendar.RemoteProvider, never, HttpClient.HttpClient>>
): Effect.fn.Return<RemoteCalendar.RemoteProvider, never, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  const provider = yield* Effect.promise(load).pipe(
    Effect.flatten,
    Effect.provideService(HttpClient.HttpClient, client),
    Effect.uninterruptible,
    Effect.cached
  )
  return { open: (connection, renewed) => Effect.flatMap(provider, ({ open }) => open(connection, renewed)) }
})

/** Returns the calendar providers of the settings. CalDAV, which Apple uses, needs no setting and is always there. */
export const calendarProviders = Effect.fnUntraced(function* ({
  google,
  outlook
}: CalendarsChoice): Effect.fn.Return<ExternalCalendars.Providers, never, HttpClient.HttpClient> {
  const caldav = async () => (await import("@frontdesk/calendar-sync/Caldav")).make()
  const googleCalendar = (client: NonNullable<typeof google>) => async () =>
    (await import("@frontdesk/calendar-sync/GoogleCalendar")).make(googleOptions(client))
  const outlookCalendar = (client: NonNullable<typeof outlook>) => async () =>
    (await import("@frontdesk/calendar-sync/OutlookCalendar")).make(outlookOptions(client))
  return {
    apple: yield* lazily(caldav),
    google: google === null ? undefined : yield* lazily(googleCalendar(google)),
    outlook: outlook === null ? undefined : yield* lazily(outlookCalendar(outlook))
  }
})

/** Provides the external calendars. Each account connects its own. */
export const calendars = (
  choice: CalendarsChoice
): Layer.Layer<CalendarSync, never, AccountStore | CalendarConnectionStore> =>
  Layer.unwrap(Effect.map(calendarProviders(choice), ExternalCalendars.layer)).pipe(
    Layer.provide([FetchHttpClient.layer, CalendarConnections.layer])
  )
