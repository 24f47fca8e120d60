import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import type { Account, AccountId } from "./Account.ts"
import { AccountNotFound } from "./AccessError.ts"
import type { AccountStore } from "./AccountStore.ts"

/**
 * Returns the account with this id. Fails with `AccountNotFound` when there is none (D-ACC-4).
 *
 * A write that names an account calls it first. Otherwise a database would refuse the write by a foreign key, with an
 * `unknown` `StorageError`, and the memory storage would accept it.
 *
 * @param find how it is read, such as `accounts.findForUpdate`. The default does not lock it
 */
export const requireAccount: (
  accounts: AccountStore["Service"],
  id: AccountId,
  find?: AccountStore["Service"]["find"]
) => Effect.Effect<Account, AccountNotFound | StorageError> = Effect.fnUntraced(function* (
  accounts,
  id,
  find = accounts.find
) {
  const found = yield* find(id)
  return Option.isSome(found) ? found.value : yield* new AccountNotFound({ accountId: id })
})
