import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as AuditTrail from "../audit/AuditTrail.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as VariableAudit from "./VariableAudit.ts"
import { AccountLimits, type LimitReached } from "../access/AccountLimits.ts"
import type { TeamAccessDenied, TeamNotFound } from "../access/AccessError.ts"
import type { AccountId } from "../access/Account.ts"
import { Principal } from "../access/Principal.ts"
import { scope } from "../access/Scope.ts"
import type { TeamId } from "../access/Team.ts"
import { requireTeam } from "../access/TeamAccess.ts"
import { TeamStore } from "../access/TeamStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { ContextType, type ContextVariable, VariableId } from "./ContextVariable.ts"
import { ContextVariableStore, type NewContextVariable } from "./ContextVariableStore.ts"
import { type DeleteNotAllowed, DuplicateVariable, type UpdateNotAllowed, VariableNotFound } from "./VariableError.ts"
import { CreateVariable, PatchVariable, PutVariable } from "./VariableInput.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import * as DefaultVariables from "./DefaultVariables.ts"
import * as VariableMerge from "./VariableMerge.ts"
import * as VariableQuota from "./VariableQuota.ts"

type UpdateError = VariableNotFound | UpdateNotAllowed | LimitReached | VariableMerge.DefinitionError | StorageError

const inputs: Input.Inputs<ContextVariables["Service"]> = {
  list: [{ contextType: Schema.UndefinedOr(ContextType) }],
  create: [{ input: CreateVariable }],
  put: [{ id: VariableId }, { input: PutVariable }],
  patch: [{ id: VariableId }, { patch: PatchVariable }],
  delete: [{ id: VariableId }]
}

/**
 * The variable definitions that the caller sees (C-2.4-10 and C-4.4-3).
 *
 * The list includes the definitions of the caller's teams. The caller can change only the definitions that its account
 * owns. For any other definition a change fails with `VariableNotFound` (C-2.4-5).
 */
export class ContextVariables extends Context.Service<
  ContextVariables,
  {
    /** Returns the definitions that the caller sees, of one context type or of both, ordered by id. */
    readonly list: (
      contextType?: ContextType
    ) => Effect.Effect<ReadonlyArray<ContextVariable>, ValidationError | StorageError, Principal>
    /**
     * Adds a definition to the caller's account, and returns it. Fails with `DuplicateVariable` when the account has a
     * definition with the same name and context type (C-2.4-2).
     */
    readonly create: (
      input: CreateVariable
    ) => Effect.Effect<
      ContextVariable,
      | DuplicateVariable
      | LimitReached
      | VariableMerge.DefinitionError
      | TeamNotFound
      | TeamAccessDenied
      | ValidationError
      | StorageError,
      Principal
    >
    /**
     * Replaces display name, description, type and options, and returns the definition. Fails with `UpdateNotAllowed`
     * for a default variable (C-2.4-4).
     */
    readonly put: (id: VariableId, input: PutVariable) => Effect.Effect<ContextVariable, UpdateError, Principal>
    /**
     * Changes the given fields, and returns the definition. Fails with `UpdateNotAllowed` for a default variable
     * (C-2.4-4).
     */
    readonly patch: (id: VariableId, patch: PatchVariable) => Effect.Effect<ContextVariable, UpdateError, Principal>
    /**
     * Deletes a definition. The stored values of the variable stay (C-2.4-6). Fails with `DeleteNotAllowed` for a
     * default variable (C-2.4-4).
     */
    readonly delete: (
      id: VariableId
    ) => Effect.Effect<void, VariableNotFound | DeleteNotAllowed | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/variable/ContextVariables") {
  /** Needs the stores of one storage. */
  static readonly layer: Layer.Layer<
    ContextVariables,
    never,
    AuditStore | ContextVariableStore | TeamStore | Transaction
  > = Layer.effect(
    ContextVariables,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const limits = yield* AccountLimits
      const variables = yield* ContextVariableStore
      const teams = yield* TeamStore
      const transaction = yield* Transaction

      /** Returns a definition that the caller's account owns. */
      const own = Effect.fnUntraced(function* (id: VariableId) {
        const { account } = yield* Principal
        const variable = yield* variables.findOwn(account.id, id)
        if (Option.isNone(variable)) return yield* new VariableNotFound({ variableId: id })
        return variable.value
      })

      /**
       * Checks that a change keeps the quota of the account's definitions, and the quota of the team's definitions
       * when the changed definition has a team.
       */
      const checkQuota = Effect.fnUntraced(function* (
        accountId: AccountId,
        teamId: TeamId | null,
        change: (present: ReadonlyArray<ContextVariable>) => ReadonlyArray<NewContextVariable>
      ) {
        const present = yield* variables.list({ accountId, teamIds: teamId === null ? [] : [teamId] }, Option.none())
        const own = present.filter((variable) => variable.accountId === accountId)
        yield* Effect.fromResult(VariableQuota.check(limits, own, change(own)))
        if (teamId === null) return
        const shown = present.filter((variable) => variable.teamId === teamId)
        yield* Effect.fromResult(VariableQuota.checkTeam(limits, shown, change(shown)))
      })

      const insert = Effect.fnUntraced(function* (variable: NewContextVariable) {
        yield* checkQuota(variable.accountId, variable.teamId, (present) => [...present, variable])
        const created = yield* variables.insert(variable)
        yield* audit.created("variables.create", VariableAudit.kind, created)
        return created
      }, transaction.run)

      const update = Effect.fnUntraced(function* (
        operation: "variables.put" | "variables.patch",
        id: VariableId,
        rule: (current: ContextVariable) => Result.Result<ContextVariable, VariableMerge.DefinitionError>
      ) {
        const current = yield* Effect.fromResult(DefaultVariables.checkUpdate(yield* own(id)))
        const updated = yield* Effect.fromResult(rule(current))
        yield* checkQuota(current.accountId, current.teamId, (present) =>
          present.map((variable) => (variable.id === id ? updated : variable))
        )
        yield* variables.update(updated)
        yield* audit.changed(operation, VariableAudit.kind, current, updated)
        return updated
      }, transaction.run)

      return Input.service(ContextVariables, inputs, {
        list: Tracing.operation("ContextVariables.list")(function* (contextType) {
          return yield* variables.list(scope(yield* Principal), Option.fromUndefinedOr(contextType))
        }),
        create: Tracing.operation("ContextVariables.create")(function* (input) {
          const { account } = yield* Principal
          const variable = yield* Effect.fromResult(VariableMerge.create(input, account.id))
          if (variable.teamId !== null) {
            yield* Effect.provideService(requireTeam(variable.teamId), TeamStore, teams)
          }
          return yield* Effect.catchIf(
            insert(variable),
            (error) => error._tag === "StorageError" && error.reason === "duplicate",
            () => Effect.fail(new DuplicateVariable({ name: variable.name, contextType: variable.contextType }))
          )
        }),
        put: Tracing.operation("ContextVariables.put")(function* (id, input) {
          return yield* update("variables.put", id, (current) => VariableMerge.put(current, input))
        }),
        patch: Tracing.operation("ContextVariables.patch")(function* (id, patch) {
          return yield* update("variables.patch", id, (current) => VariableMerge.patch(current, patch))
        }),
        delete: Tracing.operation("ContextVariables.delete")(function* (id) {
          const before = yield* own(id)
          yield* Effect.fromResult(DefaultVariables.checkDelete(before))
          yield* variables.delete(id)
          yield* audit.deleted("variables.delete", VariableAudit.kind, before)
        }, transaction.run)
      })
    })
  )
}
