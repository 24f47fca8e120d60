import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AuditStore } from "../audit/AuditStore.ts"
import type { AccountStore } from "../access/AccountStore.ts"
import { Principal } from "../access/Principal.ts"
import { scope as scopeOf } from "../access/Scope.ts"
import type { TeamStore } from "../access/TeamStore.ts"
import type { Agents } from "../agent/Agents.ts"
import type { AgentStore } from "../agent/AgentStore.ts"
import type { ContactStore } from "../contact/ContactStore.ts"
import type { DoNotCallStore } from "../contact/DoNotCallStore.ts"
import type { Crypto } from "../crypto/Crypto.ts"
import type { IdempotencyInProgress } from "../idempotency/IdempotencyError.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Transaction } from "../storage/Transaction.ts"
import type { Delivery } from "../delivery/Delivery.ts"
import { DeliveryStore } from "../delivery/DeliveryStore.ts"
import * as DateRange from "../values/DateRange.ts"
import * as Input from "../values/Input.ts"
import * as Page from "../values/Page.ts"
import * as Text from "../values/Text.ts"
import * as Tracing from "../values/Tracing.ts"
import type { InvalidParameter, ValidationError } from "../values/ValidationError.ts"
import { ExternalBusy } from "../availability/ExternalBusy.ts"
import type { CalendarSync } from "../external-calendar/CalendarSync.ts"
import type { BusinessContextStore } from "../business-context/BusinessContextStore.ts"
import type { WebhookEventPublisher } from "../webhook-event/WebhookEventPublisher.ts"
import type { Call } from "./Call.ts"
import { type CallDetail, maxShownToolCalls, shown } from "./CallDetail.ts"
import { CallNotFound, type CallNotHungUp, type ProviderRefused } from "./CallError.ts"
import * as CallKey from "./CallKey.ts"
import { callFilter, CreateCall, CallQuery, type CallVariables } from "./CallInput.ts"
import { CallProgress } from "./CallProgress.ts"
import { type CallProvider, ProviderCallId, CallReport } from "./CallProvider.ts"
import { type CallDryRun, type CallRefusal, CallStarts, OnCommit, type StartedCall } from "./CallStarts.ts"
import * as CallWebhookEvent from "./CallWebhookEvent.ts"
import { CallStore } from "./CallStore.ts"
import { withProviderCallId } from "./CallSubmissions.ts"
import { type HungUpCall, HangUps } from "./HangUps.ts"
import { InboundCalls } from "./InboundCalls.ts"
import { hasTimedOut } from "./ReconcilePlan.ts"
import { ProviderVariables } from "./ProviderVariables.ts"
import { ToolCallStore } from "./ToolCallStore.ts"

const inputs: Input.Inputs<Calls["Service"]> = {
  start: [{ input: CreateCall }, { onCommit: Schema.UndefinedOr(OnCommit) }],
  dryRun: [{ input: CreateCall }],
  get: [{ id: Schema.String }],
  list: [{ query: CallQuery }, { page: Page.PageRequest }],
  deliveries: [{ id: Schema.String }, { query: Schema.UndefinedOr(Page.PageQuery) }],
  hangUp: [{ id: Schema.String }],
  agentVariables: [{ ref: Text.between(1, 255) }],
  applyReport: [{ report: CallReport }]
}

/** Starts, shows and hangs up calls, and applies provider reports to them (C-4.2-1, D-CALL-20). */
export class Calls extends Context.Service<
  Calls,
  {
    /**
     * Starts a call and returns it.
     *
     * The call, its reservation and the intent to start it are committed first (D-CALL-8). Then the provider is asked once
     * (D-CALL-9). When its answer is lost, the call stays `queued` until a report, a reconciliation or the time limit
     * changes its status. When the provider refuses, the call is stored as `failed` at no cost (D-CALL-10). Interrupting
     * the caller does not interrupt the start (D-CALL-5).
     *
     * Must not run inside a transaction, because the provider would be asked before the commit. Under an idempotency key,
     * the commit records the execution of the key. An error before the commit releases the key.
     *
     * @param onCommit runs inside the transaction that commits the call, with the result of the start. It must record the
     *   execution (`CurrentExecution`). When it fails, nothing is committed. The default records the execution without an
     *   answer.
     */
    readonly start: (
      input: CreateCall,
      onCommit?: OnCommit
    ) => Effect.Effect<
      StartedCall,
      CallRefusal | ProviderRefused | IdempotencyInProgress | ValidationError | StorageError,
      Principal
    >
    /**
     * Makes every check of `start` and renders the variables. It stores nothing and does not ask the provider (D-CALL-12).
     */
    readonly dryRun: (
      input: CreateCall
    ) => Effect.Effect<CallDryRun, CallRefusal | ValidationError | StorageError, Principal>
    /**
     * Returns a call by its database id or by the service's id (C-4.2-5). Digits are a database id first, then the
     * service's id (D-HTTP-9).
     *
     * Shows its first tool calls, up to {@link maxShownToolCalls}, to every caller that sees the call (D-AGT-4). Lists, and
     * the results of `start` and `hangUp`, do not have them.
     */
    readonly get: (id: string) => Effect.Effect<CallDetail, CallNotFound | ValidationError | StorageError, Principal>
    /**
     * Returns a page of the calls that the caller sees, newest first (D-CALL-18). Fails with `InvalidParameter` when the
     * end date is before the start date.
     */
    readonly list: (
      query: CallQuery,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<Call>, InvalidParameter | ValidationError | StorageError, Principal>
    /**
     * Returns a page of the deliveries of webhook events about a call to all webhooks of the caller's account, newest first
     * (D-DEL-34). The call of a team mate has none, because its webhook events go to the webhooks of its own account.
     */
    readonly deliveries: (
      id: string,
      query?: Page.PageQuery
    ) => Effect.Effect<Page.Page<Delivery>, CallNotFound | ValidationError | StorageError, Principal>
    /**
     * Asks the provider to end a call that is queued, rings or is answered (D-PROV-1). The provider reports the end like
     * any other end. A call that has ended is returned without asking the provider.
     *
     * Fails with `CallNotHungUp` when the provider does not confirm the end. The call may then go on, and the caller may
     * try again.
     */
    readonly hangUp: (
      id: string
    ) => Effect.Effect<HungUpCall, CallNotFound | CallNotHungUp | ValidationError | StorageError, Principal>
    /**
     * Returns all variables of a call by our reference, for the voice program at the provider (D-PROV-12). Returns none when
     * no call has the reference, or the call has ended. It makes no access check: the reference must come from a signed
     * link, as `CallProvider.variablesOf` reads it.
     */
    readonly agentVariables: (
      ref: string
    ) => Effect.Effect<Option.Option<CallVariables>, ValidationError | StorageError>
    /**
     * Applies a report of the provider. Returns whether the report's ids name a call. A repeated report changes nothing
     * (D-CALL-20). The first report about an inbound call stores the call (D-CALL-40).
     */
    readonly applyReport: (report: CallReport) => Effect.Effect<boolean, ValidationError | StorageError>
  }
>()("@frontdesk/core/call/Calls") {
  /**
   * The service over the stores and the provider. When the layer closes before the provider has answered a start, that
   * call stays `intended`. The reconciliation of the next process finds out its state.
   */
  static readonly layer: Layer.Layer<
    Calls,
    never,
    | AccountStore
    | AgentStore
    | Agents
    | AuditStore
    | BusinessContextStore
    | CalendarSync
    | CallProvider
    | CallStore
    | ContactStore
    | DeliveryStore
    | DoNotCallStore
    | Crypto
    | WebhookEventPublisher
    | TeamStore
    | ToolCallStore
    | Transaction
  > = Layer.effect(
    Calls,
    Effect.gen(function* () {
      const calls = yield* CallStore
      const deliveryStore = yield* DeliveryStore
      const externalBusy = yield* ExternalBusy
      const hangUps = yield* HangUps
      const inboundCalls = yield* InboundCalls
      const progress = yield* CallProgress
      const starts = yield* CallStarts
      const toolCalls = yield* ToolCallStore
      const agentVariables = yield* ProviderVariables

      const find = Effect.fnUntraced(function* (id: string) {
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
        get: Tracing.operation("Calls.get")(function* (id) {
          const call = yield* find(id)
          // The account of the call and not the caller's, because the caller may see the call of a team mate.
          const found = yield* toolCalls.ofCall(call.accountId, call.id, maxShownToolCalls)
          return { ...call, toolCalls: found.map(shown) }
        }),
        hangUp: Tracing.operation("Calls.hangUp")(function* (id) {
          const call = yield* find(id)
          const { outcome } = yield* hangUps.hangUp(call, true)
          // `hangUps` returns the contact as the call's own account sees it. The caller may not see that contact, so the
          // call is read again in the caller's scope.
          const found = yield* calls.find(scopeOf(yield* Principal), { id: call.id })
          return { outcome, call: Option.getOrElse(found, () => call) }
        }),
        list: Tracing.operation("Calls.list")(function* (query, page) {
          const principal = yield* Principal
          yield* DateRange.requireOrder(query)
          return yield* calls.list(scopeOf(principal), callFilter(query, principal.account.settings.timeZone), page)
        }),
        deliveries: Tracing.operation("Calls.deliveries")(function* (id, query = {}) {
          const { account } = yield* Principal
          const call = yield* find(id)
          return yield* deliveryStore.listAbout(account.id, CallWebhookEvent.subjectOf(call.id), Page.request(query))
        }),
        agentVariables: agentVariables.find,
        applyReport: Tracing.operation("Calls.applyReport")(function* ({ inbound, providerCallId, ref, report }) {
          // No call has such an id, and a database may fail for it, for example because of U+0000, instead of finding
          // nothing.
          if (!isProviderCallId(ref ?? providerCallId)) return false
          const isLive = report._tag === "Ringing" || report._tag === "Answered"
          const apply = (key: CallKey.CallKey) =>
            progress.change(key, (call, now) => {
              const known = withProviderCallId(call, providerCallId)
              if (known.providerCallId !== providerCallId) return { call, reports: [] }
              // No money is reserved for a call that was given up. When it turns out to be live, it is reconciled at once,
              // which hangs it up (D-CALL-36).
              const asked = isLive && hasTimedOut(call) ? { ...known, reconcileAt: now, reconcileCount: 0 } : known
              return { call: asked, reports: [report] }
            })
          let call = yield* apply(ref === null ? { providerCallId } : { callId: ref })
          if (Option.isNone(call) && inbound !== undefined && isProviderCallId(providerCallId)) {
            const stored = yield* inboundCalls.record(providerCallId, inbound)
            if (Option.isSome(stored)) call = yield* apply({ id: stored.value.id })
          }
          // The agent will soon ask for free times, and answers within two seconds.
          if (isLive && Option.isSome(call)) yield* externalBusy.readAhead(call.value.accountId)
          return Option.exists(call, (call) => call.providerCallId === providerCallId)
        })
      })
    })
  ).pipe(
    Layer.provide([CallStarts.layer, ExternalBusy.layer, HangUps.layer, InboundCalls.layer, ProviderVariables.layer]),
    Layer.provide(CallProgress.layer)
  )
}

const isProviderCallId = Schema.is(ProviderCallId)
