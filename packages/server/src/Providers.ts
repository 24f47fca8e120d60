import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Caldav, GoogleCalendar, OutlookCalendar, ExternalCalendars } from "@frontdesk/calendar-sync"
import { SimulatedCallProvider, TwilioCallProvider, VapiCallProvider } from "@frontdesk/call-provider"
import type { AccountStore } from "@frontdesk/core/access/AccountStore"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { CalendarConnectionStore } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import type { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import type { CallProvider } from "@frontdesk/core/call/CallProvider"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import { SmtpMailer } from "@frontdesk/email"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type { CalendarsChoice } from "./settings/CalendarSettings.ts"
import type { CallProviderChoice } from "./settings/CallProviderSettings.ts"
import type { MailChoice } from "./settings/MailSettings.ts"

/**
 * Provides the call provider of the settings. It uses undici, because `fetch` repeats a request after an answer of 421,
 * which could place a call twice.
 */
export const callProvider = (choice: CallProviderChoice): Layer.Layer<CallProvider> => {
  switch (choice._tag) {
    case "Simulated":
      return SimulatedCallProvider.layer({ pace: choice.pace })
    case "Twilio":
      return Layer.provide(TwilioCallProvider.layer(choice.options), NodeHttpClient.layerUndici)
    case "Vapi":
      return Layer.provide(VapiCallProvider.layer(choice.options), NodeHttpClient.layerUndici)
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

/** Returns the calendar providers of the settings. CalDAV, which Apple uses, needs no setting and is always there. */
export const calendarProviders = Effect.fnUntraced(function* ({
  google,
  outlook
}: CalendarsChoice): Effect.fn.Return<ExternalCalendars.Providers, never, HttpClient.HttpClient> {
  return {
    apple: yield* Caldav.make(),
    google: google === null ? undefined : yield* GoogleCalendar.make(googleOptions(google)),
    outlook: outlook === null ? undefined : yield* OutlookCalendar.make(outlookOptions(outlook))
  }
})

/** Provides the external calendars. Each account connects its own. */
export const calendars = (
  choice: CalendarsChoice
): Layer.Layer<CalendarSync, never, AccountStore | CalendarConnectionStore> =>
  Layer.unwrap(Effect.map(calendarProviders(choice), ExternalCalendars.layer)).pipe(
    Layer.provide([FetchHttpClient.layer, CalendarConnections.layer])
  )
