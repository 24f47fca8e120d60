import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import type { Scope } from "../access/Principal.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"

/**
 * Port: the do-not-call list of each account.
 *
 * The list is what `doNotCall` of a contact's number shows, for every contact of the account. It outlives contacts and
 * their numbers. `ContactStore` adds the numbers that it stores with the flag; only `remove` takes numbers off the list.
 */
export class DoNotCallStore extends Context.Service<
  DoNotCallStore,
  {
    /** Adds numbers to the account's list. Returns those that were not on it, sorted. */
    readonly add: (
      accountId: AccountId,
      numbers: ReadonlyArray<PhoneNumber>
    ) => Effect.Effect<ReadonlyArray<PhoneNumber>, StorageError>
    /** Takes numbers off the account's list. Returns those that were on it, sorted. */
    readonly remove: (
      accountId: AccountId,
      numbers: ReadonlyArray<PhoneNumber>
    ) => Effect.Effect<ReadonlyArray<PhoneNumber>, StorageError>
    /** Returns a page of the account's list, sorted. */
    readonly list: (accountId: AccountId, page: PageRequest) => Effect.Effect<Page<PhoneNumber>, StorageError>
    /**
     * Returns whether the scope must not call the number: it is on the account's own list, or on the list of the account
     * that owns a contact in the scope with this number.
     *
     * Until the transaction ends, every other transaction that adds the number to any list waits. So a number that was
     * free is still free when a call to it is committed. Used inside `Transaction.run`; outside, nothing waits.
     */
    readonly isBlocked: (scope: Scope, number: PhoneNumber) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/contact/DoNotCallStore") {}
