import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import type { Scope } from "../access/Scope.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import type { DoNotCallQuery } from "./DoNotCallInput.ts"

/**
 * Port: stores the do-not-call list of each account.
 *
 * `doNotCall` of a contact's number is true while the number is on the list of the contact's account. A number stays on
 * the list when contacts are deleted. `ContactStore` adds the numbers that it stores with the flag. Only `remove`
 * removes numbers.
 */
export class DoNotCallStore extends Context.Service<
  DoNotCallStore,
  {
    /** Adds numbers to the account's list. Returns those that were not on it, sorted. */
    readonly add: (
      accountId: AccountId,
      numbers: ReadonlyArray<PhoneNumber>
    ) => Effect.Effect<ReadonlyArray<PhoneNumber>, StorageError>
    /** Removes numbers from the account's list. Returns those that were on it, sorted. */
    readonly remove: (
      accountId: AccountId,
      numbers: ReadonlyArray<PhoneNumber>
    ) => Effect.Effect<ReadonlyArray<PhoneNumber>, StorageError>
    /** Returns a page of the account's list, sorted. With a filter the list has one number, or none. */
    readonly list: (
      accountId: AccountId,
      query: DoNotCallQuery,
      page: PageRequest
    ) => Effect.Effect<Page<PhoneNumber>, StorageError>
    /**
     * Returns whether the scope must not call the number (D-DNC-5). It must not when the number is on the list of the
     * scope's account. It also must not when a contact in the scope has the number, and the number is on the list of the
     * contact's owner.
     *
     * Until the transaction ends, other transactions that add the number to any list wait. So a number that may be
     * called may still be called when the call is committed (D-DNC-6). Use this method inside `Transaction.run`. Outside,
     * other transactions do not wait.
     */
    readonly isBlocked: (scope: Scope, number: PhoneNumber) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/contact/DoNotCallStore") {}
