import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import * as AuditTrail from "../audit/AuditTrail.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as VariableAudit from "../variable/VariableAudit.ts"
import * as BusinessContextAudit from "./BusinessContextAudit.ts"
import { AccountLimits, type LimitReached } from "../access/AccountLimits.ts"
import { Principal } from "../access/Principal.ts"
import { ownRows, scope } from "../access/Scope.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { type BusinessValues, BusinessContextStore } from "./BusinessContextStore.ts"
import * as BusinessContextMerge from "./BusinessContextMerge.ts"
import { ContextVariableStore } from "../variable/ContextVariableStore.ts"
import type { InvalidValue, UndefinedVariable } from "../variable/VariableError.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import { SetBusinessContext } from "./BusinessContextInput.ts"
import * as VariableQuota from "../variable/VariableQuota.ts"

const inputs: Input.Inputs<BusinessContext["Service"]> = { set: [{ input: SetBusinessContext }] }

const auditedOf = (accountId: AccountId) => ({ accountId, type: "business_context" as const, id: null })

/** Shows and changes the values of the caller's business variables, which belong to the whole account (C-4.5-8). */
export class BusinessContext extends Context.Service<
  BusinessContext,
  {
    /** Returns all values of the caller's account, each in its canonical form. */
    readonly get: Effect.Effect<BusinessValues, StorageError, Principal>
    /**
     * Sets values, and removes those that are null (C-2.4-8, C-2.4-9). When it fails, nothing changes.
     *
     * A name without a definition whose value is not null fails with `UndefinedVariable` (C-4.5-6). With
     * `autoCreateVariables` it gets a definition instead (C-4.5-4). Two requests that create the same definition at the
     * same time both succeed.
     *
     * Fails with `InvalidValue` when a value does not fit its definition, unless that belongs to another account and
     * `autoCreateVariables` makes an own one. Fails with `ValidationError` when a new definition would have an invalid
     * name. Also fails with it when all values together would have more than 64 KiB of JSON and not fewer bytes than before.
     * Fails with `LimitReached` when the account would have too many or too large definitions (D-VAR-16).
     */
    readonly set: (
      input: SetBusinessContext
    ) => Effect.Effect<
      void,
      InvalidValue | UndefinedVariable | LimitReached | ValidationError | StorageError,
      Principal
    >
  }
>()("@frontdesk/core/business-context/BusinessContext") {
  /** The service over the stores, which must be of one storage. */
  static readonly layer: Layer.Layer<
    BusinessContext,
    never,
    AuditStore | BusinessContextStore | ContextVariableStore | Transaction
  > = Layer.effect(
    BusinessContext,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const limits = yield* AccountLimits
      const values = yield* BusinessContextStore
      const variables = yield* ContextVariableStore
      const transaction = yield* Transaction

      return Input.service(BusinessContext, inputs, {
        get: Effect.flatMap(Principal, ({ account }) => values.values(account.id)).pipe(
          Tracing.span("BusinessContext.get")
        ),
        set: Tracing.operation("BusinessContext.set")(
          function* (input) {
            const principal = yield* Principal
            const defined = yield* variables.listNamed(scope(principal), "business", Object.keys(input.variables))
            const change = yield* Effect.fromResult(BusinessContextMerge.plan(input, defined, principal.account.id))
            const current = yield* values.values(principal.account.id)
            yield* Effect.fromResult(BusinessContextMerge.checkSize(current, change))
            if (change.define.length > 0) {
              const own = yield* variables.list(ownRows(principal.account.id), Option.none())
              yield* Effect.fromResult(VariableQuota.check(limits, own, [...own, ...change.define]))
            }
            yield* Effect.forEach(
              change.define,
              (variable) =>
                Effect.flatMap(variables.insert(variable), (created) =>
                  audit.created("variables.create", VariableAudit.kind, created)
                ),
              { discard: true }
            )
            yield* values.write(principal.account.id, change)
            const changes = BusinessContextAudit.changes(current, change)
            if (changes.changes.length > 0)
              yield* audit.record("business.set", auditedOf(principal.account.id), changes)
          },
          transaction.run,
          // Another request created the same definition at the same time. The next run finds that definition.
          Effect.retry({ times: 3, while: (error) => error._tag === "StorageError" && error.reason === "duplicate" })
        )
      })
    })
  )
}
