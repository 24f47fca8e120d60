import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import type * as Page from "../values/Page.ts"
import type { Account, AccountId, Funds } from "./Account.ts"
import type { FundsCause, FundsChange } from "./FundMovement.ts"

/** An account before it has an id. */
export type NewAccount = Omit<Account, "id">

/** An account with its sums. */
export interface FundedAccount {
  readonly account: Account
  readonly funds: Funds
}

/** How many accounts `search` examines, the newest first. */
export const maxSearched = 10_000

/** Port: where accounts and their money are stored. */
export class AccountStore extends Context.Service<
  AccountStore,
  {
    /** Stores a new account, whose sums are zero, and returns it with its id. */
    readonly insert: (account: NewAccount) => Effect.Effect<Account, StorageError>
    /** Replaces the stored account, except for its id and its money. */
    readonly update: (account: Account) => Effect.Effect<void, StorageError>
    /** Returns an account by its id. */
    readonly find: (id: AccountId) => Effect.Effect<Option.Option<Account>, StorageError>
    /**
     * Returns an account as `find` does, and locks it until the transaction ends, so that no other transaction changes it or
     * its sums.
     */
    readonly findForUpdate: (id: AccountId) => Effect.Effect<Option.Option<Account>, StorageError>
    /** Returns up to `limit` accounts with a higher id than `after`, sorted by id. Null starts at the first account. */
    readonly list: (after: AccountId | null, limit: number) => Effect.Effect<ReadonlyArray<Account>, StorageError>
    /**
     * Returns a page of the newest {@link maxSearched} accounts with their sums, the newest first. With a text it has those
     * whose name contains the text, and any account whose id is the text. A and a are the same letter, for the letters of
     * ASCII alone. `isCapped` says whether there are more accounts than were examined. For operators.
     */
    readonly search: (
      text: string | null,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<FundedAccount>, StorageError>
    /** Returns the ids of the accounts with the role `client` that name the partner, sorted. */
    readonly clientsOf: (partnerId: AccountId) => Effect.Effect<ReadonlyArray<AccountId>, StorageError>
    /** Returns the sums of an account. They are zero for an account that does not exist. */
    readonly funds: (id: AccountId) => Effect.Effect<Funds, StorageError>
    /**
     * Returns the sums of an account, and locks the account until the transaction ends. Other transactions that change its
     * sums wait. So what the transaction counts after this stays true until it commits. Used inside `Transaction.run`.
     */
    readonly lockFunds: (id: AccountId) => Effect.Effect<Funds, StorageError>
    /**
     * Adds to the sums of an account, records the movement, and returns true. Returns false, and changes nothing, when the
     * balance would become negative or the account does not exist. Two changes at the same time never spend the same money.
     * In a transaction it locks the account like `lockFunds`.
     *
     * The movement is as `FundMovement.ofChange` returns it. A change without amounts records none. A movement is never
     * recorded with an earlier time than the one before it. When the balance was changed without a movement, as servers of
     * an older version do, an opening with the difference is recorded before it.
     */
    readonly changeFunds: (
      id: AccountId,
      change: FundsChange,
      cause: FundsCause
    ) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/access/AccountStore") {}
