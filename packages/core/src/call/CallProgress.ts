import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as AuditTrail from "../audit/AuditTrail.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as CallAudit from "./CallAudit.ts"
import type { AccountStore } from "../access/AccountStore.ts"
import { AgentStore } from "../agent/AgentStore.ts"
import { ContactStore } from "../contact/ContactStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import type { WebhookEvent } from "../webhook-event/WebhookEvent.ts"
import { WebhookEventPublisher } from "../webhook-event/WebhookEventPublisher.ts"
import { type Call, talkSeconds } from "./Call.ts"
import * as CallWebhookEvent from "./CallWebhookEvent.ts"
import { CallCharges } from "./CallCharges.ts"
import type { ProviderReport } from "./CallProvider.ts"
import { apply } from "./CallReports.ts"
import { isTerminal } from "./CallStatus.ts"
import { CallStore } from "./CallStore.ts"
import type { CallKey } from "./CallKey.ts"
import { ReconcilePlan, schedule } from "./ReconcilePlan.ts"
import { afterReserving, nextReservationAt, ReservationPlan } from "./ReservationPlan.ts"
import * as Tracing from "../values/Tracing.ts"

/** A change of a stored call. */
export interface Change {
  /** The call before minutes are reserved and reports applied. Return the stored call when nothing else changes. */
  readonly call: Call
  /** The provider's reports to apply to it, in order. */
  readonly reports: ReadonlyArray<ProviderReport>
  /**
   * How many minutes in total must be reserved for the call. The balance may cover fewer. When absent, no minute is
   * reserved.
   */
  readonly minutes?: number
}

/**
 * Changes a stored call together with everything that follows from the change, in one transaction.
 *
 * Callers, callbacks and workers all change calls through it. Two changes of the same call run one after the other.
 */
export class CallProgress extends Context.Service<
  CallProgress,
  {
    /**
     * Changes a call, reserves its next minutes and applies provider reports to it. Returns the changed call, or none when
     * no call has the key.
     *
     * A report that ends the call settles it: the reservation is released and the charge is taken. The agent's counters
     * and the contact's last call are updated. The webhook events that follow are published in the same transaction. A
     * report with something new starts the delays of `ReconcilePlan` again.
     *
     * @param decide returns the change for the stored call, which is locked until the transaction ends. It must be pure,
     *   because the transaction may run more than once.
     * @param isHangUp whether a caller has requested the hang-up from which the change follows. Then the audit log gets an entry
     *   `calls.hangUp`. The end of a call always has an entry, and no other step of a call has one (D-AUD-6).
     */
    readonly change: (
      key: CallKey,
      decide: (call: Call, now: DateTime.Utc) => Change,
      isHangUp?: boolean
    ) => Effect.Effect<Option.Option<Call>, StorageError>
  }
>()("@frontdesk/core/call/CallProgress") {
  /** The service over the stores. */
  static readonly layer: Layer.Layer<
    CallProgress,
    never,
    AccountStore | AgentStore | AuditStore | CallStore | ContactStore | WebhookEventPublisher | Transaction
  > = Layer.effect(
    CallProgress,
    Effect.gen(function* () {
      const agents = yield* AgentStore
      const audit = yield* AuditTrail.make
      const calls = yield* CallStore
      const charges = yield* CallCharges
      const contacts = yield* ContactStore
      const publisher = yield* WebhookEventPublisher
      const transaction = yield* Transaction
      const plan = yield* ReconcilePlan
      const reservationPlan = yield* ReservationPlan

      // No call runs longer than the plan allows. A longer time is an error of the provider, and the account must not pay
      // for it (D-BILL-13).
      const maxSeconds = Duration.toSeconds(Duration.sum(plan.maxCallDuration, plan.margin))
      const billedSeconds = (call: Call): number | null => {
        const talked = talkSeconds(call)
        return talked === null ? null : Math.min(talked, maxSeconds)
      }

      /** Updates the agent's counters and the contact's last call by the difference of the two states (D-CALL-29). */
      const updateUsage = Effect.fnUntraced(function* (before: Call, after: Call) {
        const newCalls = Number(isCounted(after)) - Number(isCounted(before))
        const newSeconds = (billedSeconds(after) ?? 0) - (billedSeconds(before) ?? 0)
        if (newCalls !== 0 || newSeconds !== 0) yield* agents.addUsage(after.agent.id, newSeconds, newCalls)
        const isChanged = newCalls > 0 || before.startedAt !== after.startedAt
        if (after.contact !== null && isCounted(after) && isChanged) {
          yield* contacts.touchLastCall(after.contact.id, after.startedAt ?? after.createdAt)
        }
      })

      const reserve = Effect.fnUntraced(function* (call: Call, minutes: number, now: DateTime.Utc) {
        if (!isTerminal(call.status)) {
          const granted = yield* charges.reserve(call, minutes - call.reservedMinutes)
          return afterReserving(reservationPlan, call, granted, now)
        }
        // A node of this version sets `reserveAt` to null when it settles a call. A time that is still there shows that a
        // node of an older version settled the call and left the further minutes reserved.
        if (call.reserveAt !== null) yield* charges.releaseRest(call)
        return { ...call, reserveAt: null }
      })

      const applyReport = Effect.fnUntraced(function* (before: Call, report: ProviderReport, now: DateTime.Utc) {
        const { call, events, settle } = apply(before, report, now)
        if (call === before) return { call, events }
        const settled = settle ? yield* charges.settle(before, call, billedSeconds(call)) : call
        const next =
          settled.startedAt === before.startedAt && settled.status === before.status
            ? settled
            : { ...settled, reserveAt: nextReservationAt(reservationPlan, settled) }
        return { call: schedule(plan, next, 0, now), events }
      })

      const changeOnce = Effect.fnUntraced(function* (
        key: CallKey,
        decide: (call: Call, now: DateTime.Utc) => Change,
        isHangUp: boolean
      ) {
        const found = yield* calls.findForUpdate(key)
        if (Option.isNone(found)) return Option.none<Outcome>()
        const before = found.value
        const now = yield* DateTime.now
        const change = decide(before, now)
        let call = change.call
        if (change.minutes !== undefined) call = yield* reserve(call, change.minutes, now)
        const webhookEvents: Array<WebhookEvent> = []
        for (const report of change.reports) {
          const next = yield* applyReport(call, report, now)
          call = next.call
          for (const name of next.events) webhookEvents.push(CallWebhookEvent.make(name, call))
        }
        if (call !== before) {
          yield* updateUsage(before, call)
          yield* calls.update(call)
        }
        if (isTerminal(call.status)) yield* audit.changed("calls.end", CallAudit.kind, before, call)
        else if (isHangUp) yield* audit.record("calls.hangUp", AuditTrail.auditedOf(CallAudit.kind, call))
        yield* Effect.forEach(webhookEvents, publisher.publish, { discard: true })
        return Option.some<Outcome>({ call, hasPublished: webhookEvents.length > 0 })
      })

      const change = Tracing.operation("CallProgress.change")(function* (
        key: CallKey,
        decide: (call: Call, now: DateTime.Utc) => Change,
        isHangUp: boolean = false
      ) {
        const outcome = yield* transaction.run(changeOnce(key, decide, isHangUp))
        if (Option.isSome(outcome) && outcome.value.hasPublished) yield* publisher.notify
        return Option.map(outcome, ({ call }) => call)
      })

      return CallProgress.of({ change })
    })
  ).pipe(Layer.provide(CallCharges.layer))
}

interface Outcome {
  readonly call: Call
  readonly hasPublished: boolean
}

/** Returns whether a call counts for its agent and its contact: it has ended, and the provider had accepted it. */
const isCounted = (call: Call): boolean => isTerminal(call.status) && call.submission === "accepted"
