import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { balance } from "../access/Account.ts"
import { AccountStore } from "../access/AccountStore.ts"
import { Principal, scope as scopeOf } from "../access/Principal.ts"
import { TeamStore } from "../access/TeamStore.ts"
import { ref } from "../agent/Agent.ts"
import type { AgentNotFound } from "../agent/AgentError.ts"
import type { Agents } from "../agent/Agents.ts"
import type { AgentStore } from "../agent/AgentStore.ts"
import type { ContactNotFound } from "../contact/ContactError.ts"
import type { ContactStore } from "../contact/ContactStore.ts"
import type { DoNotCallStore } from "../contact/DoNotCallStore.ts"
import { Crypto } from "../crypto/Crypto.ts"
import { CurrentExecution } from "../idempotency/CurrentExecution.ts"
import type { IdempotencyInProgress } from "../idempotency/IdempotencyError.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Money from "../values/Money.ts"
import * as Text from "../values/Text.ts"
import * as Page from "../values/Page.ts"
import { InvalidParameter, type ValidationError } from "../values/ValidationError.ts"
import type { BusinessContextStore } from "../variable/BusinessContextStore.ts"
import type { VariableScalar } from "../variable/ContextVariable.ts"
import type { EventPublisher } from "../webhook/EventPublisher.ts"
import { affordableSeconds } from "./Billing.ts"
import type { Call, CallContact } from "./Call.ts"
import { callContact, callDraft } from "./CallDraft.ts"
import {
  type AgentPhoneNumberMissing,
  CallNotFound,
  type CallNotHungUp,
  CallNotPlaceable,
  ConcurrencyLimitReached,
  type DoNotCall,
  InsufficientFunds,
  type InvalidPhoneNumber,
  type ProviderRefused
} from "./CallError.ts"
import { callFilter, CallInput, callKeys, CallQuery, type CallVariables } from "./CallInput.ts"
import { type CallPlan, CallPlans } from "./CallPlans.ts"
import { CallProgress } from "./CallProgress.ts"
import { CallProvider, ProviderCallId, ProviderEvent, type StartCall } from "./CallProvider.ts"
import { CallStore } from "./CallStore.ts"
import { CallSubmissions, identified } from "./CallSubmissions.ts"
import { type HungUpCall, HangUps } from "./HangUps.ts"
import * as Input from "../values/Input.ts"
import { nextAt, ReconcilePlan } from "./ReconcilePlan.ts"
import { ToldVariables } from "./ToldVariables.ts"

/** Why a call cannot be made, in the order the reasons are looked for (Decisions 4). */
export type CallRefusal =
  | InvalidPhoneNumber
  | AgentNotFound
  | ContactNotFound
  | AgentPhoneNumberMissing
  | DoNotCall
  | ValidationError
  | ConcurrencyLimitReached
  | InsufficientFunds
  | CallNotPlaceable

/** A call that was accepted. */
export interface StartedCall {
  /** The call as it was accepted: `queued`, whatever has been reported meanwhile. */
  readonly call: Call
  /** Names the call's variables use and nothing defines (Decisions 6). */
  readonly unresolvedVariables: ReadonlyArray<string>
}

/** What a call would be, had it been made (Decisions 4, `dry_run`). */
export interface CallDryRun {
  readonly agent: Call["agent"]
  readonly phoneNumber: Call["phoneNumber"]
  readonly contact: CallContact | null
  /** Everything the agent would be told, rendered. */
  readonly variables: Readonly<Record<string, VariableScalar>>
  readonly unresolvedVariables: ReadonlyArray<string>
  /** What would be held. */
  readonly hold: Money.Money
}

const inputs: Input.Inputs<Calls["Service"]> = {
  start: [{ input: CallInput }],
  dryRun: [{ input: CallInput }],
  get: [{ id: Schema.String }],
  list: [{ query: CallQuery }, { page: Page.PageRequest }],
  hangUp: [{ id: Schema.String }],
  toldVariables: [{ ref: Text.between(1, 255) }],
  applyEvent: [{ event: ProviderEvent }]
}

/** Starts calls, shows them, and takes in what providers report of them (Contract 4.2, Decisions 4). */
export class Calls extends Context.Service<
  Calls,
  {
    /**
     * Starts a call.
     *
     * The call, the hold and the intent are committed before the provider is asked, and it is asked once: an answer
     * that got lost leaves the call `queued` until a report, the reconciler or the time limit settles it. Interrupting
     * the caller does not interrupt the call. A provider's refusal keeps the call as `failed`, at no cost. Not to be
     * called inside a transaction, which would not be committed when the provider is asked. Under an idempotency key the
     * commit records the execution: a refusal before it releases the key.
     */
    readonly start: (
      input: CallInput
    ) => Effect.Effect<
      StartedCall,
      CallRefusal | ProviderRefused | IdempotencyInProgress | ValidationError | StorageError,
      Principal
    >
    /** Makes every check of `start` and renders the variables; changes nothing and asks nobody. */
    readonly dryRun: (
      input: CallInput
    ) => Effect.Effect<CallDryRun, CallRefusal | ValidationError | StorageError, Principal>
    /** A call by its database id or the service's id; digits are the database id first (Decisions 2). */
    readonly get: (id: string) => Effect.Effect<Call, CallNotFound | ValidationError | StorageError, Principal>
    /** The caller's calls, newest first. Fails when the dates are in the wrong order. */
    readonly list: (
      query: CallQuery,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<Call>, InvalidParameter | ValidationError | StorageError, Principal>
    /**
     * Ends a call that waits, rings or is talked; its end is reported as any other. Fails with `CallNotHungUp` when the
     * provider does not say that it ended it: then the call may go on, and hanging up may be tried again.
     */
    readonly hangUp: (
      id: string
    ) => Effect.Effect<HungUpCall, CallNotFound | CallNotHungUp | ValidationError | StorageError, Principal>
    /**
     * Returns all variables of a call that has not ended, by our reference, for the program that talks; none when there is
     * no such call. The reference must come from the provider's own signed link.
     */
    readonly toldVariables: (ref: string) => Effect.Effect<Option.Option<CallVariables>, ValidationError | StorageError>
    /** Applies what a provider reported; false when it names no call. A repeat changes nothing. */
    readonly applyEvent: (event: ProviderEvent) => Effect.Effect<boolean, ValidationError | StorageError>
  }
>()("@frontdesk/core/call/Calls") {
  /**
   * The service over the stores and the provider. A call whose answer has not come when it closes stays `intended`, for
   * the reconciler of the next process.
   */
  static readonly layer: Layer.Layer<
    Calls,
    never,
    | AccountStore
    | AgentStore
    | Agents
    | BusinessContextStore
    | CallProvider
    | CallStore
    | ContactStore
    | DoNotCallStore
    | Crypto
    | EventPublisher
    | TeamStore
    | Transaction
  > = Layer.effect(
    Calls,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const calls = yield* CallStore
      const crypto = yield* Crypto
      const hangUps = yield* HangUps
      const plans = yield* CallPlans
      const progress = yield* CallProgress
      const provider = yield* CallProvider
      const toldVariables = yield* ToldVariables
      const reconcilePlan = yield* ReconcilePlan
      const submissions = yield* CallSubmissions
      const teams = yield* TeamStore
      const transaction = yield* Transaction
      const layerScope = yield* Effect.scope

      /** What the provider is asked for a call under a new reference. Fails when it cannot be asked for it. */
      const commandOf = Effect.fnUntraced(function* (plan: CallPlan, maxDurationSeconds: number) {
        const command: StartCall = {
          ref: `call_${(yield* crypto.uuidV7).replaceAll("-", "")}`,
          to: plan.to,
          from: plan.from,
          assistantId: plan.agent.assistantId,
          variables: plan.variables,
          maxDurationSeconds
        }
        const refusal = provider.preflight(command)
        return refusal === null ? command : yield* new CallNotPlaceable({ code: refusal.code, reason: refusal.reason })
      })

      const intend = Effect.fnUntraced(function* (input: CallInput) {
        const { account } = yield* Principal
        const plan = yield* plans.make(input)
        // Before the calls are counted, because it makes the starts of an account wait for one another: two that come at
        // once neither take the last free line twice nor spend the same money.
        const isHeld = yield* accounts.changeFunds(account.id, { holds: plan.hold })
        const running = yield* calls.countRunning(account.id)
        const funds = yield* accounts.funds(account.id)
        const spendable = isHeld ? Money.sum(balance(funds), plan.hold) : balance(funds)
        yield* checkLimits(account.settings.maxRunningCalls, running, isHeld, spendable, plan.hold)
        const now = yield* DateTime.now
        const { teamId } = plan.agent
        // A team shows the call to all its accounts, so it is taken over only from an agent of the caller's own teams.
        const isShared = teamId !== null && account.teamIds.includes(teamId)
        const team = isShared ? yield* teams.find(teamId) : Option.none()
        const longest = Duration.toSeconds(reconcilePlan.longestCall)
        const command = yield* commandOf(plan, affordableSeconds(plan.hold, spendable, longest))
        const draft = callDraft(plan, {
          accountId: account.id,
          callId: command.ref,
          team: Option.getOrNull(team),
          metadata: input.metadata ?? null,
          reconcileAt: nextAt(reconcilePlan, 0, now),
          now
        })
        const call = yield* calls.insert(draft)
        yield* (yield* CurrentExecution).record
        return { plan, call, command }
      })

      const place = Effect.fnUntraced(function* (input: CallInput) {
        const { plan, call, command } = yield* transaction.run(intend(input))
        const submitted = yield* submissions.submit(call, command)
        return { call: submitted, unresolvedVariables: plan.unresolved }
      })

      const get = Effect.fnUntraced(function* (id: string) {
        const scope = scopeOf(yield* Principal)
        for (const key of callKeys(id)) {
          const found = yield* calls.find(scope, key)
          if (Option.isSome(found)) return found.value
        }
        return yield* new CallNotFound({ call: id })
      })

      return Input.service(Calls, inputs, {
        // A fiber of its own: a caller that goes away must not lose the provider's answer.
        start: Effect.fn("Calls.start")(function* (input) {
          const fiber = yield* place(input).pipe(Effect.forkIn(layerScope))
          return yield* Fiber.join(fiber)
        }),
        dryRun: Effect.fn("Calls.dryRun")(function* (input) {
          const { account } = yield* Principal
          const plan = yield* plans.make(input)
          const running = yield* calls.countRunning(account.id)
          const spendable = balance(yield* accounts.funds(account.id))
          yield* checkLimits(account.settings.maxRunningCalls, running, spendable >= plan.hold, spendable, plan.hold)
          yield* commandOf(plan, Duration.toSeconds(reconcilePlan.longestCall))
          return {
            agent: ref(plan.agent),
            phoneNumber: plan.to,
            contact: plan.contact === null ? null : callContact(plan.contact),
            variables: plan.variables,
            unresolvedVariables: plan.unresolved,
            hold: plan.hold
          }
        }),
        get: Effect.fn("Calls.get")(get),
        hangUp: Effect.fn("Calls.hangUp")(function* (id) {
          const call = yield* get(id)
          const { outcome } = yield* hangUps.hangUp(call)
          // Read again as the caller: the call that was ended shows the contact as its own account may see it.
          const found = yield* calls.find(scopeOf(yield* Principal), { id: call.id })
          return { outcome, call: Option.getOrElse(found, () => call) }
        }),
        list: Effect.fn("Calls.list")(function* (query, page) {
          const principal = yield* Principal
          const { endDate, startDate } = query
          if (startDate !== undefined && endDate !== undefined && endDate < startDate) {
            return yield* new InvalidParameter({ parameter: "end_date", message: "end_date is before start_date" })
          }
          return yield* calls.list(scopeOf(principal), callFilter(query, principal.account.settings.timeZone), page)
        }),
        toldVariables: toldVariables.find,
        applyEvent: Effect.fn("Calls.applyEvent")(function* (event) {
          const { providerCallId, ref, report } = event
          // Not every database can be asked for any text, and no call is named by what none keeps.
          if (!isProviderCallId(ref ?? providerCallId)) return false
          const call = yield* progress.change(ref === null ? { providerCallId } : { callId: ref }, (call) => {
            const known = identified(call, providerCallId)
            return known.providerCallId === providerCallId ? { call: known, reports: [report] } : { call, reports: [] }
          })
          return Option.exists(call, (call) => call.providerCallId === providerCallId)
        })
      })
    })
  ).pipe(
    Layer.provide([CallPlans.layer, CallSubmissions.layer, HangUps.layer, ToldVariables.layer]),
    Layer.provide(CallProgress.layer)
  )
}

const isProviderCallId = Schema.is(ProviderCallId)

/** The limits of the account, running calls before money (Decisions 4). */
const checkLimits = (
  limit: number,
  running: number,
  isCovered: boolean,
  spendable: Money.Money,
  required: Money.Money
): Effect.Effect<void, ConcurrencyLimitReached | InsufficientFunds> =>
  running >= limit
    ? Effect.fail(new ConcurrencyLimitReached({ limit }))
    : isCovered
      ? Effect.void
      : Effect.fail(new InsufficientFunds({ balance: spendable, required }))
