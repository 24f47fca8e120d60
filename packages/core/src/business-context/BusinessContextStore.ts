import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { VariableScalar } from "../variable/ContextVariable.ts"

/** The business context of an account: values in canonical form, by variable name. */
export const BusinessValues = Schema.Record(Schema.String, VariableScalar)

/** The business context of an account. */
export type BusinessValues = typeof BusinessValues.Type

/** Port: where the business context of an account is stored. */
export class BusinessContextStore extends Context.Service<
  BusinessContextStore,
  {
    /** Returns all values of the account, sorted by name. The result is empty when the account has none. */
    readonly values: (accountId: AccountId) => Effect.Effect<BusinessValues, StorageError>
    /** Sets the given values and removes the given names. All other values stay. */
    readonly write: (
      accountId: AccountId,
      change: { readonly set: BusinessValues; readonly remove: ReadonlyArray<string> }
    ) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/business-context/BusinessContextStore") {}
