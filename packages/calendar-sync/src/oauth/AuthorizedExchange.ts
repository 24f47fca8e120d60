import type { OpenConnection } from "@frontdesk/core/external-calendar/CalendarConnections"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Exchange from "../request/Exchange.ts"
import type { AccessTokens, Renewed } from "./AccessTokens.ts"

/** Sends a request with the access token of a connection (RFC 6750). It returns the answer whatever its status is. */
export type AuthorizedExchange = (
  request: HttpClientRequest.HttpClientRequest
) => Effect.Effect<Exchange.Answer, CalendarSyncError>

/**
 * Returns the exchange of a connection. Fails as `AccessTokens.get` does when no access token can be obtained.
 *
 * A request that is answered with 401 is sent once more with a new token, because the server may have revoked the first
 * one before its end.
 */
export const open = Effect.fnUntraced(function* (
  tokens: AccessTokens,
  connection: OpenConnection,
  renewed: Renewed
): Effect.fn.Return<AuthorizedExchange, CalendarSyncError | StorageError, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  yield* tokens.get(connection, renewed)

  return Effect.fnUntraced(
    function* (request) {
      const token = yield* tokens.get(connection, renewed)
      const answer = yield* Exchange.send(HttpClientRequest.bearerToken(request, token))
      if (answer.status !== 401) return answer
      const next = yield* tokens.get(connection, renewed, token)
      return yield* Exchange.send(HttpClientRequest.bearerToken(request, next))
    },
    Effect.catchTag("StorageError", ({ operation, reason }) =>
      Effect.fail(
        new CalendarSyncError({
          reason: "transport",
          cause: `renewed credentials could not be stored: ${operation}: ${reason}`
        })
      )
    ),
    Effect.provideService(HttpClient.HttpClient, client)
  )
})
