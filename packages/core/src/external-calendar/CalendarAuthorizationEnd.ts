import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Acting from "../audit/Acting.ts"
import { AccountStore } from "../access/AccountStore.ts"
import { IdempotencyStore } from "../idempotency/IdempotencyStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as LogEvent from "../values/LogEvent.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import type * as CalendarAuthorizations from "./CalendarAuthorizations.ts"
import { callbackPath } from "./CalendarAuthorizationSite.ts"
import { CalendarConnector, type OAuthProvider } from "./CalendarConnector.ts"
import type { Connect } from "./CheckedConnection.ts"
import type { AuthorizationCallback } from "./ExternalCalendarInput.ts"
import * as ExternalQuestion from "./ExternalQuestion.ts"

/**
 * How an authorization ended.
 *
 * - `connected`: the account is connected with the calendar.
 * - `access_denied`: the person did not grant access.
 * - `expired`: the person took longer than `CalendarAuthorizations.timeToLive`.
 * - `already_used`: the authorization has ended before.
 * - `refused`: the provider refused the code, or the calendar cannot be used.
 * - `unavailable`: the provider could not be reached.
 * - `invalid`: this installation did not begin the authorization.
 *
 * Only `connected` changes anything.
 */
export type AuthorizationResult =
  | "connected"
  | "access_denied"
  | "expired"
  | "already_used"
  | "refused"
  | "unavailable"
  | "invalid"

/** The end of an authorization. */
export interface EndedAuthorization {
  readonly result: AuthorizationResult
  /** Null when the result is `invalid`. */
  readonly provider: OAuthProvider | null
  /** The page to which the browser is sent. Null: the server shows a page of its own. */
  readonly returnUrl: string | null
}

/**
 * Makes the function that ends an authorization (D-EXT-20).
 *
 * @param connect checks a calendar and connects an account with it
 */
export const make = Effect.fnUntraced(function* (
  authorizations: Effect.Success<typeof CalendarAuthorizations.make>,
  connect: Connect
) {
  const accounts = yield* AccountStore
  const connector = yield* CalendarConnector
  const used = yield* IdempotencyStore

  /** Connects the account of an authorization. Returns the result of a failure. */
  const grant = Effect.fnUntraced(
    function* (answered: CalendarAuthorizations.AnsweredAuthorization, code: Redacted.Redacted<string>) {
      const { accountId, calendar, provider, redirectUri } = answered.authorization
      const { verifier } = answered
      const credentials = yield* ExternalQuestion.within(connector.exchange(provider, { code, verifier, redirectUri }))
      yield* connect({ accountId, provider }, calendar, credentials).pipe(Acting.by("authorization", provider))
      return "connected" as const
    },
    Effect.catchTags({
      AccountNotFound: () => Effect.succeed("invalid" as const),
      CalendarSyncError: ({ cause, reason }) =>
        Effect.logWarning("An external calendar was not connected after its authorization").pipe(
          Effect.annotateLogs({ reason, cause: String(cause) }),
          LogEvent.annotate("calendar.not_connected"),
          Effect.as(
            reason === "transport" || reason === "rate_limited" ? ("unavailable" as const) : ("refused" as const)
          )
        )
    })
  )

  /** Claims the nonce of an authorization. Returns false when it was claimed before, on any node. */
  const claim = Effect.fnUntraced(function* (answered: CalendarAuthorizations.AnsweredAuthorization) {
    const { authorization, expiresAt, nonce } = answered
    const scope = { accountId: authorization.accountId, method: "GET", path: callbackPath, key: nonce }
    const times = { now: yield* DateTime.now, expiresAt, takeOverBefore: null }
    return (yield* used.begin(scope, "", times))._tag === "Started"
  })

  const resultOf = Effect.fnUntraced(function* (
    answered: CalendarAuthorizations.AnsweredAuthorization,
    code: Redacted.Redacted<string> | null
  ): Effect.fn.Return<AuthorizationResult, ValidationError | StorageError> {
    if (DateTime.isGreaterThanOrEqualTo(yield* DateTime.now, answered.expiresAt)) return "expired"
    if (Option.isNone(yield* accounts.find(answered.authorization.accountId))) return "invalid"
    if (code === null) return "access_denied"
    return (yield* claim(answered)) ? yield* grant(answered, code) : "already_used"
  })

  return Effect.fnUntraced(function* ({
    code,
    state
  }: AuthorizationCallback): Effect.fn.Return<EndedAuthorization, ValidationError | StorageError> {
    const read = yield* authorizations.read(state)
    if (Option.isNone(read)) return { result: "invalid", provider: null, returnUrl: null }
    const { provider, returnUrl } = read.value.authorization
    return { result: yield* resultOf(read.value, code), provider, returnUrl }
  })
})
