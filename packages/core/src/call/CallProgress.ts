import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
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
import { afterReserving, nextReservationAt, ReservationPlan } from "./Reservation.ts"

/** A call as it is to be kept, and what was reported of it besides. */
export interface Change {
  readonly call: Call
  readonly reports: ReadonlyArray<ProviderReport>
  /** How many minutes the call is to have reserved; as many as the balance covers are added. */
  readonly minutes?: number
}

/**
 * The one way a call that exists is changed: with everything that must follow, in one transaction.
 *
 * What callers, providers and the workers learn of a call goes through here, one after the other for each call.
 */
export class CallProgress extends Context.Service<
  CallProgress,
  {
    /**
     * Changes a call, reserves its next minutes and applies reports to it; none when there is no such call.
     *
     * The report that ends the call settles it: the reservation is released and the charge taken, the agent's counters
     * and the contact's last call move. What happened is published. A report that says something new makes the
     * reconciler wait from the beginning again.
     *
     * @param decide reads the call as it stands, held until the transaction ends; may run again when another writer won
     */
    readonly change: (
      key: CallKey,
      decide: (call: Call, now: DateTime.Utc) => Change
    ) => Effect.Effect<Option.Option<Call>, StorageError>
  }
>()("@frontdesk/core/call/CallProgress") {
  /** The service over the stores. */
  static readonly layer: Layer.Layer<
    CallProgress,
    never,
    AccountStore | AgentStore | CallStore | ContactStore | WebhookEventPublisher | Transaction
  > = Layer.effect(
    CallProgress,
    Effect.gen(function* () {
      const agents = yield* AgentStore
      const calls = yield* CallStore
      const charges = yield* CallCharges
      const contacts = yield* ContactStore
      const publisher = yield* WebhookEventPublisher
      const transaction = yield* Transaction
      const plan = yield* ReconcilePlan
      const reservationPlan = yield* ReservationPlan

      // No call outlives the plan, so what a provider reports beyond it is an error, and not the account's to pay.
      const maxSeconds = Duration.toSeconds(Duration.sum(plan.maxCallDuration, plan.margin))
      const usedSeconds = (call: Call): number | null => {
        const talked = talkSeconds(call)
        return talked === null ? null : Math.min(talked, maxSeconds)
      }

      /** Moves the agent's counters and the contact's last call by what differs. */
      const count = Effect.fnUntraced(function* (before: Call, after: Call) {
        const newCalls = Number(isCounted(after)) - Number(isCounted(before))
        const newSeconds = (usedSeconds(after) ?? 0) - (usedSeconds(before) ?? 0)
        if (newCalls !== 0 || newSeconds !== 0) yield* agents.addUsage(after.agent.id, newSeconds, newCalls)
        const isNews = newCalls > 0 || before.startedAt !== after.startedAt
        if (after.contact !== null && isCounted(after) && isNews) {
          yield* contacts.touchLastCall(after.contact.id, after.startedAt ?? after.createdAt)
        }
      })

      const reserved = Effect.fnUntraced(function* (call: Call, minutes: number, now: DateTime.Utc) {
        if (!isTerminal(call.status)) {
          const granted = yield* charges.reserve(call, minutes - call.reservedMinutes)
          return afterReserving(reservationPlan, call, granted, now)
        }
        // Whoever settles a call leaves no reservation due, so this one was settled by a node without reservations.
        if (call.reserveAt !== null) yield* charges.releaseRest(call)
        return { ...call, reserveAt: null }
      })

      const applied = Effect.fnUntraced(function* (before: Call, report: ProviderReport, now: DateTime.Utc) {
        const { call, events, settle } = apply(before, report, now)
        if (call === before) return { call, events }
        const settled = settle ? yield* charges.settle(before, call, usedSeconds(call)) : call
        const reserving =
          settled.startedAt === before.startedAt && settled.status === before.status
            ? settled
            : { ...settled, reserveAt: nextReservationAt(reservationPlan, settled) }
        return { call: schedule(plan, reserving, 0, now), events }
      })

      const changeOnce = Effect.fnUntraced(function* (key: CallKey, decide: (call: Call, now: DateTime.Utc) => Change) {
        const found = yield* calls.findForUpdate(key)
        if (Option.isNone(found)) return Option.none<Outcome>()
        const before = found.value
        const now = yield* DateTime.now
        const change = decide(before, now)
        let call = change.call
        if (change.minutes !== undefined) call = yield* reserved(call, change.minutes, now)
        const happened: Array<WebhookEvent> = []
        for (const report of change.reports) {
          const next = yield* applied(call, report, now)
          call = next.call
          for (const name of next.events) happened.push(CallWebhookEvent.make(name, call))
        }
        if (call !== before) {
          yield* count(before, call)
          yield* calls.update(call)
        }
        yield* Effect.forEach(happened, publisher.publish, { discard: true })
        return Option.some<Outcome>({ call, hasHappened: happened.length > 0 })
      })

      const change = Effect.fn("CallProgress.change")(function* (
        key: CallKey,
        decide: (call: Call, now: DateTime.Utc) => Change
      ) {
        const outcome = yield* transaction.run(changeOnce(key, decide))
        if (Option.isSome(outcome) && outcome.value.hasHappened) yield* publisher.notify
        return Option.map(outcome, ({ call }) => call)
      })

      return CallProgress.of({ change })
    })
  ).pipe(Layer.provide(CallCharges.layer))
}

interface Outcome {
  readonly call: Call
  readonly hasHappened: boolean
}

/** Whether a call counts for its agent and its contact: it has ended, and the provider had accepted it. */
const isCounted = (call: Call): boolean => isTerminal(call.status) && call.submission === "accepted"
