import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { Scope } from "../access/Principal.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { ContextType, ContextVariable, VariableId } from "./ContextVariable.ts"

/** A definition before it has an id. */
export type NewContextVariable = Omit<ContextVariable, "id">

/** Port: where variable definitions are kept. */
export class ContextVariableStore extends Context.Service<
  ContextVariableStore,
  {
    /** Keeps a new definition. Fails with reason `duplicate` when the account has the name in that context type. */
    readonly insert: (variable: NewContextVariable) => Effect.Effect<ContextVariable, StorageError>
    /** The definitions in the scope, of one context type or of both, by id. */
    readonly list: (
      scope: Scope,
      contextType: Option.Option<ContextType>
    ) => Effect.Effect<ReadonlyArray<ContextVariable>, StorageError>
    /** The definitions in the scope of one context type that have one of these names, by id. */
    readonly listNamed: (
      scope: Scope,
      contextType: ContextType,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<ContextVariable>, StorageError>
    /**
     * A definition of the account itself, held until the transaction ends: only those can be changed (C-2.4-5). Used inside `Transaction.run`.
     */
    readonly findOwn: (
      accountId: AccountId,
      id: VariableId
    ) => Effect.Effect<Option.Option<ContextVariable>, StorageError>
    /** Replaces display name, description, type and options. */
    readonly update: (variable: ContextVariable) => Effect.Effect<void, StorageError>
    /** Deletes the definition; stored values stay (C-2.4-6). */
    readonly delete: (id: VariableId) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/variable/ContextVariableStore") {}
