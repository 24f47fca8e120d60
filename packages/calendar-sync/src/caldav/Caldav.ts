import type { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type { RemoteProvider } from "../RemoteCalendar.ts"
import * as CaldavCalendar from "./CaldavCalendar.ts"
import * as Credentials from "./Credentials.ts"
import * as DavExchange from "./DavExchange.ts"
import * as Discovery from "./Discovery.ts"
import * as ServerUrl from "./ServerUrl.ts"

/** The URL of Apple's iCloud. It requires an app-specific password. */
export const icloud = "https://caldav.icloud.com/"

/**
 * Provides calendars on CalDAV servers (RFC 4791): iCloud, Nextcloud, Radicale and others.
 *
 * The `calendar` of a connection is the URL of the calendar in any spelling. Its credentials are the result of
 * {@link credentials}. Redirects are not followed: a calendar that has moved has to be connected again.
 */
export const make = Effect.fnUntraced(function* (): Effect.fn.Return<RemoteProvider, never, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  return {
    open: Tracing.operation("Caldav.open")(function* ({ connection, credentials }) {
      const url = yield* ServerUrl.parse(connection.calendar)
      const send = yield* DavExchange.make(yield* Credentials.decode(credentials)).pipe(
        Effect.provideService(HttpClient.HttpClient, client)
      )
      return CaldavCalendar.make(send, ServerUrl.collectionOf(url))
    })
  }
})

/**
 * Returns the calendars of an account that can be connected. The URL may be any URL of the server, such as {@link icloud}.
 *
 * Credentials are sent to the host of the URL, over HTTPS to its subdomains, and from one host of iCloud to another. Fails
 * when the server refers to any other host. The error names that host.
 */
export const calendars = (
  account: Credentials.CaldavCredentials & { readonly url: string }
): Effect.Effect<ReadonlyArray<Discovery.DiscoveredCalendar>, CalendarSyncError, HttpClient.HttpClient> =>
  Effect.flatMap(DavExchange.make(account), (send) => Discovery.calendars(send, account.url))

export { CaldavCredentials, encode as credentials } from "./Credentials.ts"
export type { DiscoveredCalendar } from "./Discovery.ts"
