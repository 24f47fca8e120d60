import type { OpenConnection } from "@frontdesk/core/external-calendar/CalendarConnections"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import type * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as Credentials from "./Credentials.ts"
import type { OAuthClient } from "./OAuthClient.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"

/** Keeps credentials in the place of a connection's; false: it has others by now. See `RemoteProvider.open`. */
export type Renewed = (credentials: Redacted.Redacted<string>) => Effect.Effect<boolean, StorageError>

type Token = Redacted.Redacted<string>

/** The access tokens of connections, kept in memory for as long as they are good. */
export interface AccessTokens {
  /**
   * A token for a connection; a new one when there is none, or it ends shortly.
   *
   * Fails with `unauthorized` when the grant was withdrawn, and with `conflict` when the connection has other
   * credentials by now: open it anew.
   *
   * @param spent a token that was refused: it is not answered again
   */
  readonly get: (
    connection: OpenConnection,
    renewed: Renewed,
    spent?: Token
  ) => Effect.Effect<Token, CalendarSyncError | StorageError, HttpClient.HttpClient>
}

interface Held {
  readonly token: Token
  readonly until: number
  /** The credentials it was given for were renewed with it. */
  readonly isSuperseded: boolean
}

/**
 * How long before its end a token is not used any more, in milliseconds: a request takes its time. At most half its
 * life.
 */
const margin = 60_000

/** The tokens of one client. */
export const make = (client: OAuthClient): AccessTokens => {
  // By account and credentials: whoever is connected anew gets a new token.
  const held = new Map<string, Held>()
  const running = new Map<string, Deferred.Deferred<Token, CalendarSyncError | StorageError>>()

  const hold = (key: string, next: Held, now: number): void => {
    for (const [key, { until }] of held) if (until <= now) held.delete(key)
    held.set(key, next)
  }

  const refresh = Effect.fn("AccessTokens.refresh")(function* (
    { connection, credentials }: OpenConnection,
    renewed: Renewed
  ) {
    const before = yield* Credentials.decode(credentials)
    const now = yield* Clock.currentTimeMillis
    const grant = yield* TokenEndpoint.request(client, { grant_type: "refresh_token", refresh_token: before })
    const next = {
      token: grant.accessToken,
      until: now + Math.max(grant.lifetime - margin, grant.lifetime / 2),
      isSuperseded: false
    }
    const isRenewed = grant.refreshToken !== null && !Equal.equals(grant.refreshToken, before)
    if (isRenewed) {
      const after = Credentials.encode(grant.refreshToken)
      if (!(yield* renewed(after))) return yield* otherCredentials()
      hold(keyOf({ connection, credentials: after }), next, now)
    }
    // Also under the credentials before: a calendar that is open has those.
    hold(keyOf({ connection, credentials }), { ...next, isSuperseded: isRenewed }, now)
    return next.token
  })

  /** One at a time for each connection. It goes on when nobody waits any more: a renewed refresh token must be kept. */
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
    get: Effect.fnUntraced(function* (open, renewed, spent) {
      const known = held.get(keyOf(open))
      const isGood = known !== undefined && known.until > (yield* Clock.currentTimeMillis)
      if (isGood && (spent === undefined || !Equal.equals(known.token, spent))) return known.token
      // What was renewed is good once at most.
      if (known?.isSuperseded === true) return yield* otherCredentials()
      return yield* refreshOnce(open, renewed)
    })
  }
}

const otherCredentials = () =>
  new CalendarSyncError({
    reason: "conflict",
    cause: "the connection has other credentials by now"
  })

const keyOf = ({ connection: { accountId }, credentials }: OpenConnection): string =>
  `${accountId} ${Redacted.value(credentials)}`
