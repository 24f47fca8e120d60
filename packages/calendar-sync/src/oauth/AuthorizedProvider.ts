import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type { RemoteCalendar, RemoteProvider } from "../RemoteCalendar.ts"
import * as AccessTokens from "./AccessTokens.ts"
import * as AuthorizedExchange from "./AuthorizedExchange.ts"
import type { OAuthClient } from "./OAuthClient.ts"

/**
 * Returns a provider whose calendars are reached with access tokens.
 *
 * @param calendarOf returns the calendar with the given id at the provider
 */
export const make = Effect.fnUntraced(function* (
  client: OAuthClient,
  calendarOf: (send: AuthorizedExchange.AuthorizedExchange, calendar: string) => RemoteCalendar
): Effect.fn.Return<RemoteProvider, never, HttpClient.HttpClient> {
  const http = yield* HttpClient.HttpClient
  const tokens = AccessTokens.make(client)
  return {
    open: (connection, renewed) =>
      AuthorizedExchange.open(tokens, connection, renewed).pipe(
        Effect.map((send) => calendarOf(send, connection.connection.calendar)),
        Effect.provideService(HttpClient.HttpClient, http)
      )
  }
})
