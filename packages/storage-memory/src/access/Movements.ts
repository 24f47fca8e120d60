import type { AccountId } from "@frontdesk/core/access/Account"
import * as FundMovement from "@frontdesk/core/access/FundMovement"
import * as Money from "@frontdesk/core/values/Money"
import * as DateTime from "effect/DateTime"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type { AccountMovements, State } from "../storage/State.ts"

/** Returns the state with the movement of a change, if the change has one. Balances never change without a movement here. */
export const record = (
  state: State,
  accountId: AccountId,
  change: FundMovement.FundsChange,
  { at, callId }: FundMovement.FundsCause
): State => {
  const made = FundMovement.ofChange(change)
  if (made === null) return state
  const own = HashMap.get(state.movements, accountId)
  const newest = Option.getOrUndefined(own)?.newest
  const id = FundMovement.FundMovementId.make(state.lastMovementId + 1)
  const movement: FundMovement.FundMovement = {
    ...made,
    id,
    balanceAfter: Money.sum(newest?.balanceAfter ?? Money.zero, made.amount),
    callId,
    at: newest === undefined ? at : DateTime.max(newest.at, at)
  }
  const rows = HashMap.set(
    Option.match(own, { onNone: () => HashMap.empty<number, FundMovement.FundMovement>(), onSome: ({ rows }) => rows }),
    id,
    movement
  )
  const movements = HashMap.set(state.movements, accountId, { newest: movement, rows })
  return { ...state, movements, lastMovementId: id }
}

/** Returns the movements of an account, oldest first. */
export const ordered = ({ rows }: AccountMovements): ReadonlyArray<FundMovement.FundMovement> =>
  [...HashMap.values(rows)].toSorted((a, b) => a.id - b.id)
