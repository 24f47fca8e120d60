import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import type { Account, AccountId } from "./Account.ts"
import { AccountNotFound } from "./AccessError.ts"
import type { AccountStore } from "./AccountStore.ts"

/**
 * Returns the account that a write names. Fails with `AccountNotFound` when there is none. Without this check a database
 * refuses the row by its foreign key, as an `unknown` `StorageError`. Other storages store it.
 */
export const requireAccount: (
  accounts: AccountStore["Service"],
  id: AccountId
) => Effect.Effect<Account, AccountNotFound | StorageError> = Effect.fnUntraced(function* (accounts, id) {
  const found = yield* accounts.find(id)
  return Option.isSome(found) ? found.value : yield* new AccountNotFound({ accountId: id })
})
