import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AuditTrail from "../audit/AuditTrail.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as CallAudit from "./CallAudit.ts"
import { balance } from "../access/Account.ts"
import { AccountStore } from "../access/AccountStore.ts"
import { Principal } from "../access/Principal.ts"
import { TeamStore } from "../access/TeamStore.ts"
import { ref } from "../agent/Agent.ts"
import type { AgentArchived, AgentNotFound } from "../agent/AgentError.ts"
import { Agents } from "../agent/Agents.ts"
import { AgentStore } from "../agent/AgentStore.ts"
import type { ContactNotFound } from "../contact/ContactError.ts"
import type { ContactStore } from "../contact/ContactStore.ts"
import type { DoNotCallStore } from "../contact/DoNotCallStore.ts"
import { Crypto } from "../crypto/Crypto.ts"
import { CurrentExecution } from "../idempotency/CurrentExecution.ts"
import type { IdempotencyInProgress } from "../idempotency/IdempotencyError.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Money from "../values/Money.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import type { BusinessContextStore } from "../business-context/BusinessContextStore.ts"
import type { VariableScalar } from "../variable/ContextVariable.ts"
import { affordableSeconds } from "./Billing.ts"
import type { Call, CallContact } from "./Call.ts"
import { callContact, queuedCall } from "./QueuedCall.ts"
import {
  type AgentPhoneNumberMissing,
  CallNotPlaceable,
  type ConcurrencyLimitReached,
  type DoNotCall,
  type InsufficientFunds,
  type InvalidPhoneNumber,
  type ProviderRefused
} from "./CallError.ts"
import type { CreateCall } from "./CallInput.ts"
import * as CallStartCheck from "./CallStartCheck.ts"
import { type CallPlan, CallPlans } from "./CallPlans.ts"
import type { CallProgress } from "./CallProgress.ts"
import { CallProvider, type StartCall } from "./CallProvider.ts"
import { CallStore } from "./CallStore.ts"
import { CallSubmissions } from "./CallSubmissions.ts"
import { nextAt, ReconcilePlan } from "./ReconcilePlan.ts"

/** Why a call cannot be started, in the order of the checks (D-CALL-6). */
export type CallRefusal =
  | InvalidPhoneNumber
  | AgentNotFound
  | AgentArchived
  | ContactNotFound
  | AgentPhoneNumberMissing
  | DoNotCall
  | ValidationError
  | ConcurrencyLimitReached
  | InsufficientFunds
  | CallNotPlaceable

/** A call that was started. {@link OnCommit} receives it before the provider is asked. */
export interface StartedCall {
  /**
   * The call as it was committed, with status `queued`, whatever the provider has reported since (D-CALL-5). After the
   * provider was asked, it has the submission and the provider's id that were recorded.
   */
  readonly call: Call
  /** The names in the call's own variables that have no value (D-TPL-4). */
  readonly unresolvedVariables: ReadonlyArray<string>
}

/** A function that `Calls.start` runs inside the transaction that commits the call. */
export type OnCommit = (started: StartedCall) => Effect.Effect<void, IdempotencyInProgress | StorageError>

/** A function that `Calls.start` runs inside the transaction that commits the call. */
export const OnCommit = Schema.declare((value: unknown): value is OnCommit => typeof value === "function", {
  expected: "a function"
})

/** Records that the request with the idempotency key was executed, without an answer to it. */
const recordExecution: OnCommit = () => Effect.flatMap(CurrentExecution, ({ record }) => record(null))

/** The call that a dry run would have started (D-CALL-12). */
export interface CallDryRun {
  readonly agent: Call["agent"]
  readonly phoneNumber: Call["phoneNumber"]
  readonly contact: CallContact | null
  /** All variables that the agent would receive, rendered. */
  readonly variables: Readonly<Record<string, VariableScalar>>
  /** The names in the call's own variables that have no value (D-TPL-4). */
  readonly unresolvedVariables: ReadonlyArray<string>
  /** The amount that a start would reserve: the price of the first minute. */
  readonly reservation: Money.Money
}

/**
 * Starts calls: it checks the limits of the account and the provider, commits the call, and asks the provider to start it.
 */
export class CallStarts extends Context.Service<
  CallStarts,
  {
    /** Starts a call. `Calls.start` has the details. */
    readonly start: (
      input: CreateCall,
      onCommit?: OnCommit
    ) => Effect.Effect<StartedCall, CallRefusal | ProviderRefused | IdempotencyInProgress | StorageError, Principal>
    /** Makes the checks of a start. `Calls.dryRun` has the details. */
    readonly dryRun: (input: CreateCall) => Effect.Effect<CallDryRun, CallRefusal | StorageError, Principal>
  }
>()("@frontdesk/core/call/CallStarts") {
  /**
   * The service over the stores and the provider. When the layer closes before the provider has answered, the call stays
   * `intended`, and the reconciliation of the next process finds out its state.
   */
  static readonly layer: Layer.Layer<
    CallStarts,
    never,
    | AccountStore
    | Agents
    | AgentStore
    | AuditStore
    | BusinessContextStore
    | CallProgress
    | CallProvider
    | CallStore
    | ContactStore
    | Crypto
    | DoNotCallStore
    | TeamStore
    | Transaction
  > = Layer.effect(
    CallStarts,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const agents = yield* Agents
      const agentStore = yield* AgentStore
      const audit = yield* AuditTrail.make
      const calls = yield* CallStore
      const crypto = yield* Crypto
      const plans = yield* CallPlans
      const provider = yield* CallProvider
      const reconcilePlan = yield* ReconcilePlan
      const submissions = yield* CallSubmissions
      const teams = yield* TeamStore
      const transaction = yield* Transaction
      const layerScope = yield* Effect.scope

      const newRef = Effect.map(crypto.uuidV7, (uuid) => `call_${uuid.replaceAll("-", "")}`)

      /** Returns the command to start a call. Fails with `CallNotPlaceable` when the adapter cannot ask its provider for it. */
      const commandOf = Effect.fnUntraced(function* (plan: CallPlan, ref: string, maxDurationSeconds: number) {
        const command: StartCall = {
          ref,
          to: plan.to,
          from: plan.from,
          assistantId: plan.agent.assistantId,
          variables: plan.variables,
          maxDurationSeconds
        }
        const refusal = provider.preflight(command)
        return refusal === null ? command : yield* new CallNotPlaceable({ code: refusal.code, reason: refusal.reason })
      })

      const intend = Effect.fnUntraced(function* (input: CreateCall, onCommit: OnCommit) {
        const { account } = yield* Principal
        const plan = yield* plans.make(input)
        // The reservation comes before the count of running calls, because it locks the account. Two starts at the same
        // time would otherwise both count the same free place and exceed the limit together.
        const callId = yield* newRef
        const cause = { callId, at: yield* DateTime.now }
        const isReserved = yield* accounts.changeFunds(account.id, { reservations: plan.reservation }, cause)
        // Until the transaction ends, the agent is neither deleted nor archived (D-AGENT-5). It is locked after the account, as
        // in the end of a call: in another order they could deadlock with a change of the agent (D-PG-15).
        if (!(yield* agentStore.lockActive(plan.agent.id))) yield* agents.getActive({ id: plan.agent.id })
        const running = yield* calls.countRunning(account.id)
        const funds = yield* accounts.funds(account.id)
        const spendable = isReserved ? Money.sum(balance(funds), plan.reservation) : balance(funds)
        yield* Effect.fromResult(
          CallStartCheck.check({
            maxRunning: account.settings.maxRunningCalls,
            running,
            isCovered: isReserved,
            balance: spendable,
            required: plan.reservation
          })
        )
        const now = yield* DateTime.now
        const { teamId } = plan.agent
        // All accounts of a team see its calls. A caller who is not in the agent's team must not show its call there
        // (D-CALL-13).
        const isShared = teamId !== null && account.teamIds.includes(teamId)
        const team = isShared ? yield* teams.find(teamId) : Option.none()
        const maxSeconds = Duration.toSeconds(reconcilePlan.maxCallDuration)
        const command = yield* commandOf(plan, callId, affordableSeconds(plan.reservation, spendable, maxSeconds))
        const draft = queuedCall(plan, {
          accountId: account.id,
          callId,
          team: Option.getOrNull(team),
          metadata: input.metadata ?? null,
          reconcileAt: nextAt(reconcilePlan, 0, now),
          now
        })
        const call = yield* calls.insert(draft)
        yield* audit.created("calls.start", CallAudit.kind, call)
        yield* onCommit({ call, unresolvedVariables: plan.unresolved })
        return { plan, call, command }
      })

      const place = Effect.fnUntraced(function* (input: CreateCall, onCommit: OnCommit) {
        const { plan, call, command } = yield* transaction.run(intend(input, onCommit))
        const submitted = yield* submissions.submit(call, command)
        return { call: submitted, unresolvedVariables: plan.unresolved }
      })

      return CallStarts.of({
        // In a fiber of its own, because a caller that disconnects interrupts this one, and the provider's answer would be
        // lost (D-CALL-5).
        start: Tracing.operation("Calls.start")(function* (input, onCommit = recordExecution) {
          const fiber = yield* place(input, onCommit).pipe(Effect.forkIn(layerScope))
          return yield* Fiber.join(fiber)
        }),
        dryRun: Tracing.operation("Calls.dryRun")(function* (input) {
          const { account } = yield* Principal
          const plan = yield* plans.make(input)
          const running = yield* calls.countRunning(account.id)
          const spendable = balance(yield* accounts.funds(account.id))
          yield* Effect.fromResult(
            CallStartCheck.check({
              maxRunning: account.settings.maxRunningCalls,
              running,
              isCovered: spendable >= plan.reservation,
              balance: spendable,
              required: plan.reservation
            })
          )
          yield* commandOf(plan, yield* newRef, Duration.toSeconds(reconcilePlan.maxCallDuration))
          return {
            agent: ref(plan.agent),
            phoneNumber: plan.to,
            contact: plan.contact === null ? null : callContact(plan.contact),
            variables: plan.variables,
            unresolvedVariables: plan.unresolved,
            reservation: plan.reservation
          }
        })
      })
    })
  ).pipe(Layer.provide([CallPlans.layer, CallSubmissions.layer]))
}
