import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import type { Account, AccountId, Funds } from "./Account.ts"

/** An account before it has an id. */
export type NewAccount = Omit<Account, "id">

/** How the sums of an account move; an absent one stays. */
export type FundsChange = Partial<Funds>

/** Port: where accounts and their money are kept. */
export class AccountStore extends Context.Service<
  AccountStore,
  {
    /** Keeps a new account, without money. */
    readonly insert: (account: NewAccount) => Effect.Effect<Account, StorageError>
    /** Replaces everything but the id and the money. */
    readonly update: (account: Account) => Effect.Effect<void, StorageError>
    /** An account by its id. */
    readonly find: (id: AccountId) => Effect.Effect<Option.Option<Account>, StorageError>
    /** The accounts behind this id in the order of their ids, at most `limit`; null: from the first. */
    readonly list: (after: AccountId | null, limit: number) => Effect.Effect<ReadonlyArray<Account>, StorageError>
    /** The ids of a partner's clients, in order. An account of another role is none, also when it names the partner. */
    readonly clientsOf: (partnerId: AccountId) => Effect.Effect<ReadonlyArray<AccountId>, StorageError>
    /** The sums of an account; zeros for one that does not exist. */
    readonly funds: (id: AccountId) => Effect.Effect<Funds, StorageError>
    /**
     * Adds to the sums, unless the balance would become negative: then nothing changes and the answer is false.
     * Two changes at once never both spend the same money. In a transaction it holds the account until the end, also
     * when the change is zero: others that change its sums wait, so what is counted after it stays counted.
     */
    readonly changeFunds: (id: AccountId, change: FundsChange) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/access/AccountStore") {}
