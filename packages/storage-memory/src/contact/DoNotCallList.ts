import type { AccountId } from "@frontdesk/core/access/Account"
import type { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import * as Option from "effect/Option"
import type { State } from "../storage/State.ts"

/** Returns the do-not-call list of an account. */
export const listOf = (state: State, accountId: AccountId): HashSet.HashSet<PhoneNumber> =>
  Option.getOrElse(HashMap.get(state.doNotCall, accountId), () => HashSet.empty<PhoneNumber>())

/** Returns the state with numbers added to the list of an account. */
export const add = (state: State, accountId: AccountId, numbers: ReadonlyArray<PhoneNumber>): State => ({
  ...state,
  doNotCall: HashMap.set(
    state.doNotCall,
    accountId,
    HashSet.union(listOf(state, accountId), HashSet.fromIterable(numbers))
  )
})

/** Returns the state with numbers removed from the list of an account. */
export const remove = (state: State, accountId: AccountId, numbers: ReadonlyArray<PhoneNumber>): State => ({
  ...state,
  doNotCall: HashMap.set(
    state.doNotCall,
    accountId,
    HashSet.difference(listOf(state, accountId), HashSet.fromIterable(numbers))
  )
})
