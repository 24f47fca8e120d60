import { CallerReadOnly, InvalidKey, InvalidSession, PermissionDenied } from "@frontdesk/core/access/AccessError"
import type { Account } from "@frontdesk/core/access/Account"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import * as Effect from "effect/Effect"

/** The errors of a caller that may not do something. The operator may do everything. */
type Refused = PermissionDenied | CallerReadOnly | InvalidKey | InvalidSession

const isRefused = (error: unknown): error is Refused =>
  error instanceof PermissionDenied ||
  error instanceof CallerReadOnly ||
  error instanceof InvalidKey ||
  error instanceof InvalidSession

/** Runs an effect for an account with every permission, because the operator may do everything. */
export const as =
  (account: Account) =>
  <A, E>(effect: Effect.Effect<A, E | Refused, Principal>): Effect.Effect<A, E> =>
    effect.pipe(
      Effect.provideService(Principal, ofAccount(account)),
      Effect.catch((error) => (isRefused(error) ? Effect.die(error) : Effect.fail(error)))
    )
