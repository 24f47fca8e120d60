import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { Scope } from "../access/Scope.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { ContextType, ContextVariable, VariableId } from "./ContextVariable.ts"

/** A definition before it has an id. */
export type NewContextVariable = Omit<ContextVariable, "id">

/** Port: stores variable definitions. */
export class ContextVariableStore extends Context.Service<
  ContextVariableStore,
  {
    /**
     * Stores a new definition, and returns it with its id. Fails with reason `duplicate` when the account has a
     * definition with the same name and context type.
     */
    readonly insert: (variable: NewContextVariable) => Effect.Effect<ContextVariable, StorageError>
    /** Returns the definitions in the scope, of one context type or of both, ordered by id. */
    readonly list: (
      scope: Scope,
      contextType: Option.Option<ContextType>
    ) => Effect.Effect<ReadonlyArray<ContextVariable>, StorageError>
    /** Returns the definitions in the scope of one context type whose name is in the list, ordered by id. */
    readonly listNamed: (
      scope: Scope,
      contextType: ContextType,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<ContextVariable>, StorageError>
    /**
     * Returns a definition that the account owns, and locks it until the transaction ends. Only the owner can change a
     * definition (C-2.4-5). Call it inside `Transaction.run`.
     */
    readonly findOwn: (
      accountId: AccountId,
      id: VariableId
    ) => Effect.Effect<Option.Option<ContextVariable>, StorageError>
    /** Replaces display name, description, type and options. */
    readonly update: (variable: ContextVariable) => Effect.Effect<void, StorageError>
    /** Deletes the definition. The stored values of the variable stay (C-2.4-6). */
    readonly delete: (id: VariableId) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/variable/ContextVariableStore") {}
