import type { OpenConnection } from "@frontdesk/core/external-calendar/CalendarConnections"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import type * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as Credentials from "./Credentials.ts"
import type { OAuthClient } from "./OAuthClient.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"

/**
 * Stores the renewed credentials of a connection, and returns true. Returns false, and stores nothing, when the connection no
 * longer has the old ones (see `RemoteProvider.open`).
 */
export type Renewed = (credentials: Redacted.Redacted<string>) => Effect.Effect<boolean, StorageError>

type Token = Redacted.Redacted<string>

/** The access tokens of connections, in memory until they expire. */
export interface AccessTokens {
  /**
   * Returns an access token of a connection. It requests a new one when there is none, or when the present one expires soon.
   *
   * Fails with `unauthorized` when the grant was withdrawn. Fails with `conflict` when the credentials of the connection
   * were replaced: the calendar has to be opened again.
   *
   * @param rejected a token that the provider has rejected, and that is not returned again
   */
  readonly get: (
    connection: OpenConnection,
    renewed: Renewed,
    rejected?: Token
  ) => Effect.Effect<Token, CalendarSyncError | StorageError, HttpClient.HttpClient>
}

interface CachedToken {
  readonly token: Token
  /** Until when the token is used, in epoch milliseconds. */
  readonly until: number
  /** Whether the provider replaced the credentials when it issued this token for them. */
  readonly areCredentialsReplaced: boolean
}

/**
 * The last part of a token's lifetime, in milliseconds, in which the token is not used, so that it does not expire during a
 * request. If this is more than half of the lifetime, the token is used for half of its lifetime.
 */
const margin = 60_000

/** Returns an empty cache for the tokens of one client. */
export const make = (client: OAuthClient): AccessTokens => {
  // The key has the account and the credentials. An account that is connected again therefore gets a new token.
  const cached = new Map<string, CachedToken>()
  const running = new Map<string, Deferred.Deferred<Token, CalendarSyncError | StorageError>>()

  const cache = (key: string, next: CachedToken, now: number): void => {
    for (const [key, { until }] of cached) if (until <= now) cached.delete(key)
    cached.set(key, next)
  }

  const refresh = Tracing.operation("AccessTokens.refresh")(function* (
    { connection, credentials }: OpenConnection,
    renewed: Renewed
  ) {
    const before = yield* Credentials.decode(credentials)
    const now = yield* Clock.currentTimeMillis
    const grant = yield* TokenEndpoint.request(client, { grant_type: "refresh_token", refresh_token: before })
    const next = {
      token: grant.accessToken,
      until: now + Math.max(grant.lifetime - margin, grant.lifetime / 2),
      areCredentialsReplaced: false
    }
    const isRenewed = grant.refreshToken !== null && !Equal.equals(grant.refreshToken, before)
    if (isRenewed) {
      const after = Credentials.encode(grant.refreshToken)
      if (!(yield* renewed(after))) return yield* credentialsReplaced()
      cache(keyOf({ connection, credentials: after }), next, now)
    }
    // Also under the old credentials, because a calendar that is open still has those.
    cache(keyOf({ connection, credentials }), { ...next, areCredentialsReplaced: isRenewed }, now)
    return next.token
  })

  /**
   * Refreshes the token of a connection once for all waiting requests. The refresh is not interrupted together with a
   * request: a renewed refresh token that is not stored would disconnect the account.
   */
  const refreshOnce = (open: OpenConnection, renewed: Renewed) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const key = keyOf(open)
        const present = running.get(key)
        if (present !== undefined) return restore(Deferred.await(present))
        const result = Deferred.makeUnsafe<Token, CalendarSyncError | StorageError>()
        running.set(key, result)
        return refresh(open, renewed).pipe(
          Effect.ensuring(Effect.sync(() => running.delete(key))),
          Deferred.into(result),
          Effect.forkDetach,
          Effect.andThen(restore(Deferred.await(result)))
        )
      })
    )

  return {
    get: Effect.fnUntraced(function* (open, renewed, rejected) {
      const known = cached.get(keyOf(open))
      const isValid = known !== undefined && known.until > (yield* Clock.currentTimeMillis)
      if (isValid && (rejected === undefined || !Equal.equals(known.token, rejected))) return known.token
      // The old refresh token is used up. Sending it again can make the provider withdraw the new one too.
      if (known?.areCredentialsReplaced === true) return yield* credentialsReplaced()
      return yield* refreshOnce(open, renewed)
    })
  }
}

const credentialsReplaced = () =>
  new CalendarSyncError({
    reason: "conflict",
    cause: "the credentials of the connection were replaced"
  })

const keyOf = ({ connection: { accountId }, credentials }: OpenConnection): string =>
  `${accountId} ${Redacted.value(credentials)}`
