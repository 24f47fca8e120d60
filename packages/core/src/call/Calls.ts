import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountStore } from "../access/AccountStore.ts"
import { Principal, scope as scopeOf } from "../access/Principal.ts"
import type { TeamStore } from "../access/TeamStore.ts"
import type { Agents } from "../agent/Agents.ts"
import type { AgentStore } from "../agent/AgentStore.ts"
import type { ContactStore } from "../contact/ContactStore.ts"
import type { DoNotCallStore } from "../contact/DoNotCallStore.ts"
import type { Crypto } from "../crypto/Crypto.ts"
import type { IdempotencyInProgress } from "../idempotency/IdempotencyError.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Transaction } from "../storage/Transaction.ts"
import * as DateRange from "../values/DateRange.ts"
import * as Input from "../values/Input.ts"
import * as Page from "../values/Page.ts"
import * as Text from "../values/Text.ts"
import type { InvalidParameter, ValidationError } from "../values/ValidationError.ts"
import type { BusinessContextStore } from "../business-context/BusinessContextStore.ts"
import type { WebhookEventPublisher } from "../webhook-event/WebhookEventPublisher.ts"
import type { Call } from "./Call.ts"
import { CallNotFound, type CallNotHungUp, type ProviderRefused } from "./CallError.ts"
import * as CallKey from "./CallKey.ts"
import { callFilter, CreateCall, CallQuery, type CallVariables } from "./CallInput.ts"
import { CallProgress } from "./CallProgress.ts"
import { type CallProvider, ProviderCallId, CallReport } from "./CallProvider.ts"
import { type CallDryRun, type CallRefusal, CallStarts, OnCommit, type StartedCall } from "./CallStarts.ts"
import { CallStore } from "./CallStore.ts"
import { withProviderCallId } from "./CallSubmissions.ts"
import { type HungUpCall, HangUps } from "./HangUps.ts"
import { hasTimedOut } from "./ReconcilePlan.ts"
import { ProviderVariables } from "./ProviderVariables.ts"

const inputs: Input.Inputs<Calls["Service"]> = {
  start: [{ input: CreateCall }, { onCommit: Schema.UndefinedOr(OnCommit) }],
  dryRun: [{ input: CreateCall }],
  get: [{ id: Schema.String }],
  list: [{ query: CallQuery }, { page: Page.PageRequest }],
  hangUp: [{ id: Schema.String }],
  agentVariables: [{ ref: Text.between(1, 255) }],
  applyReport: [{ event: CallReport }]
}

/** Starts calls, shows them, and takes in what providers report of them (C-4.2-1, D-CALL-20). */
export class Calls extends Context.Service<
  Calls,
  {
    /**
     * Starts a call.
     *
     * The call, the reservation and the intent are committed before the provider is asked, and it is asked once: an answer
     * that got lost leaves the call `queued` until a report, the reconciler or the time limit settles it. Interrupting
     * the caller does not interrupt the call. A provider's refusal keeps the call as `failed`, at no cost. Not to be
     * called inside a transaction, which would not be committed when the provider is asked. Under an idempotency key the
     * commit records the execution: a refusal before it releases the key.
     *
     * `onCommit` is run inside the transaction that commits the call, with what is returned unless the provider refuses;
     * when it fails, nothing is committed. It must record the execution (`CurrentExecution`), as is done without it.
     */
    readonly start: (
      input: CreateCall,
      onCommit?: OnCommit
    ) => Effect.Effect<
      StartedCall,
      CallRefusal | ProviderRefused | IdempotencyInProgress | ValidationError | StorageError,
      Principal
    >
    /** Makes every check of `start` and renders the variables; changes nothing and asks nobody. */
    readonly dryRun: (
      input: CreateCall
    ) => Effect.Effect<CallDryRun, CallRefusal | ValidationError | StorageError, Principal>
    /** A call by its database id or the service's id; digits are the database id first (D-HTTP-9). */
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
    readonly agentVariables: (
      ref: string
    ) => Effect.Effect<Option.Option<CallVariables>, ValidationError | StorageError>
    /** Applies what a provider reported; false when it names no call. A repeat changes nothing. */
    readonly applyReport: (event: CallReport) => Effect.Effect<boolean, ValidationError | StorageError>
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
    | WebhookEventPublisher
    | TeamStore
    | Transaction
  > = Layer.effect(
    Calls,
    Effect.gen(function* () {
      const calls = yield* CallStore
      const hangUps = yield* HangUps
      const progress = yield* CallProgress
      const starts = yield* CallStarts
      const agentVariables = yield* ProviderVariables

      const get = Effect.fnUntraced(function* (id: string) {
        const scope = scopeOf(yield* Principal)
        for (const key of CallKey.parse(id)) {
          const found = yield* calls.find(scope, key)
          if (Option.isSome(found)) return found.value
        }
        return yield* new CallNotFound({ call: id })
      })

      return Input.service(Calls, inputs, {
        start: starts.start,
        dryRun: starts.dryRun,
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
          yield* DateRange.requireOrder(query)
          return yield* calls.list(scopeOf(principal), callFilter(query, principal.account.settings.timeZone), page)
        }),
        agentVariables: agentVariables.find,
        applyReport: Effect.fn("Calls.applyReport")(function* (event) {
          const { providerCallId, ref, report } = event
          // Not every database can be asked for any text, and no call is named by what none keeps.
          if (!isProviderCallId(ref ?? providerCallId)) return false
          const isLive = report._tag === "Ringing" || report._tag === "Answered"
          const call = yield* progress.change(ref === null ? { providerCallId } : { callId: ref }, (call, now) => {
            const known = withProviderCallId(call, providerCallId)
            if (known.providerCallId !== providerCallId) return { call, reports: [] }
            // Nothing is reserved for a call that was given up: if it is live after all, the reconciler hangs it up.
            const asked = isLive && hasTimedOut(call) ? { ...known, reconcileAt: now, reconcileCount: 0 } : known
            return { call: asked, reports: [report] }
          })
          return Option.exists(call, (call) => call.providerCallId === providerCallId)
        })
      })
    })
  ).pipe(Layer.provide([CallStarts.layer, HangUps.layer, ProviderVariables.layer]), Layer.provide(CallProgress.layer))
}

const isProviderCallId = Schema.is(ProviderCallId)
