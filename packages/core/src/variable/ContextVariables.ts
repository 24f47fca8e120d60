import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { TeamAccessDenied, TeamNotFound } from "../access/AccessError.ts"
import { Principal, scope } from "../access/Principal.ts"
import { requireTeam } from "../access/TeamAccess.ts"
import { TeamStore } from "../access/TeamStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import type { ContextType, ContextVariable, VariableId } from "./ContextVariable.ts"
import { ContextVariableStore } from "./ContextVariableStore.ts"
import { DeleteNotAllowed, DuplicateVariable, UpdateNotAllowed, VariableNotFound } from "./VariableError.ts"
import type { VariableCreate, VariablePatch, VariablePut } from "./VariableInput.ts"
import * as VariableMerge from "./VariableMerge.ts"

type UpdateError = VariableNotFound | UpdateNotAllowed | VariableMerge.DefinitionError | StorageError

/**
 * The variable definitions of the caller (Contract 2.4 and 4.4).
 *
 * What a team shows can be listed; only the account's own can be changed, any other is not found (Contract 2.4 rule 5).
 */
export class ContextVariables extends Context.Service<
  ContextVariables,
  {
    /** The definitions the caller sees, of one context type or of both, by id. */
    readonly list: (contextType?: ContextType) => Effect.Effect<ReadonlyArray<ContextVariable>, StorageError, Principal>
    /** Adds a definition to the caller's account; its name must be new in its context type (Contract 2.4 rule 2). */
    readonly create: (
      input: VariableCreate
    ) => Effect.Effect<
      ContextVariable,
      DuplicateVariable | VariableMerge.DefinitionError | TeamNotFound | TeamAccessDenied | StorageError,
      Principal
    >
    /** Replaces display name, description, type and options; never a default (Contract 2.4 rule 4). */
    readonly put: (id: VariableId, input: VariablePut) => Effect.Effect<ContextVariable, UpdateError, Principal>
    /** Changes what is supplied; never a default (Contract 2.4 rule 4). */
    readonly patch: (id: VariableId, patch: VariablePatch) => Effect.Effect<ContextVariable, UpdateError, Principal>
    /** Deletes a definition that is no default; stored values stay (Contract 2.4 rules 4 and 6). */
    readonly delete: (
      id: VariableId
    ) => Effect.Effect<void, VariableNotFound | DeleteNotAllowed | StorageError, Principal>
  }
>()("@frontdesk/core/variable/ContextVariables") {
  /** The service over the stores of one storage. */
  static readonly layer: Layer.Layer<ContextVariables, never, ContextVariableStore | TeamStore | Transaction> =
    Layer.effect(
      ContextVariables,
      Effect.gen(function* () {
        const variables = yield* ContextVariableStore
        const teams = yield* TeamStore
        const transaction = yield* Transaction

        const own = Effect.fnUntraced(function* (id: VariableId) {
          const { account } = yield* Principal
          const variable = yield* variables.findOwn(account.id, id)
          if (Option.isNone(variable)) return yield* new VariableNotFound({ variableId: id })
          return variable.value
        })

        const update = Effect.fnUntraced(function* (
          id: VariableId,
          rule: (current: ContextVariable) => Result.Result<ContextVariable, VariableMerge.DefinitionError>
        ) {
          const current = yield* own(id)
          if (current.isDefault) return yield* new UpdateNotAllowed({ name: current.name })
          const updated = yield* Effect.fromResult(rule(current))
          yield* variables.update(updated)
          return updated
        }, transaction.run)

        return ContextVariables.of({
          list: Effect.fn("ContextVariables.list")(function* (contextType) {
            return yield* variables.list(scope(yield* Principal), Option.fromUndefinedOr(contextType))
          }),
          create: Effect.fn("ContextVariables.create")(function* (input) {
            const { account } = yield* Principal
            const variable = yield* Effect.fromResult(VariableMerge.create(input, account.id))
            if (variable.teamId !== null) {
              yield* Effect.provideService(requireTeam(variable.teamId), TeamStore, teams)
            }
            return yield* transaction.run(variables.insert(variable)).pipe(
              Effect.catchIf(
                (error) => error.reason === "duplicate",
                () => Effect.fail(new DuplicateVariable({ name: variable.name, contextType: variable.contextType }))
              )
            )
          }),
          put: Effect.fn("ContextVariables.put")((id, input) =>
            update(id, (current) => VariableMerge.put(current, input))
          ),
          patch: Effect.fn("ContextVariables.patch")((id, patch) =>
            update(id, (current) => VariableMerge.patch(current, patch))
          ),
          delete: Effect.fn("ContextVariables.delete")(function* (id) {
            const current = yield* own(id)
            if (current.isDefault) return yield* new DeleteNotAllowed({ name: current.name })
            return yield* variables.delete(id)
          }, transaction.run)
        })
      })
    )
}
