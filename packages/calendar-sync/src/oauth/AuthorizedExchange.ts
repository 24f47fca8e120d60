import type { OpenConnection } from "@frontdesk/core/external-calendar/CalendarConnections"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Exchange from "../request/Exchange.ts"
import type { AccessTokens, Renewed } from "./AccessTokens.ts"

/** Sends a request in the name of a connection; any status is an answer, `unauthorized` is an error (RFC 6750). */
export type AuthorizedExchange = (
  request: HttpClientRequest.HttpClientRequest
) => Effect.Effect<Exchange.Answer, CalendarSyncError>

/**
 * Opens a connection: it has an access token, or there is an error.
 *
 * An answer of 401 is followed by one more try with a new token: the server may have ended the one before its time.
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
          cause: `renewed credentials could not be kept: ${operation}: ${reason}`
        })
      )
    ),
    Effect.provideService(HttpClient.HttpClient, client)
  )
})
