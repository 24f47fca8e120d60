import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { BusinessValues } from "./ContextVariable.ts"

/** Port: where the business context of an account is kept. */
export class BusinessContextStore extends Context.Service<
  BusinessContextStore,
  {
    /** All values of the account, in the order of their names; empty when none was ever set. */
    readonly values: (accountId: AccountId) => Effect.Effect<BusinessValues, StorageError>
    /** Sets the given values and removes the given names; the others stay. */
    readonly write: (
      accountId: AccountId,
      change: { readonly set: BusinessValues; readonly remove: ReadonlyArray<string> }
    ) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/variable/BusinessContextStore") {}
