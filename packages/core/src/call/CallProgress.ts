import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { balance } from "../access/Account.ts"
import { AccountStore } from "../access/AccountStore.ts"
import { AgentStore } from "../agent/AgentStore.ts"
import { ContactStore } from "../contact/ContactStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Money from "../values/Money.ts"
import type { DomainEvent } from "../webhook/DomainEvent.ts"
import { EventPublisher } from "../webhook/EventPublisher.ts"
import { type Billing, settle, totalCharge } from "./Billing.ts"
import { type Call, talkSeconds } from "./Call.ts"
import type { ProviderReport } from "./CallProvider.ts"
import { apply } from "./CallReports.ts"
import { type CallKey, CallStore } from "./CallStore.ts"
import { ReconcilePlan, schedule } from "./ReconcilePlan.ts"

/** A call as it is to be kept, and what was reported of it besides. */
export interface Change {
  readonly call: Call
  readonly reports: ReadonlyArray<ProviderReport>
}

/**
 * The one way a call that exists is changed: with everything that must follow, in one transaction.
 *
 * What callers, providers and the reconciler learn of a call goes through here, one after the other for each call.
 */
export class CallProgress extends Context.Service<
  CallProgress,
  {
    /**
     * Changes a call and applies reports to it; none when there is no such call.
     *
     * The report that ends the call settles it: the hold is given back and the charge taken, the agent's counters and
     * the contact's last call move. What happened is published. A report that says something new makes the reconciler
     * wait from the beginning again.
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
    AccountStore | AgentStore | CallStore | ContactStore | EventPublisher | Transaction
  > = Layer.effect(
    CallProgress,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const agents = yield* AgentStore
      const calls = yield* CallStore
      const contacts = yield* ContactStore
      const publisher = yield* EventPublisher
      const transaction = yield* Transaction
      const plan = yield* ReconcilePlan

      // No call outlives the plan, so what a provider reports beyond it is an error, and not the account's to pay.
      const longest = Duration.toSeconds(Duration.sum(plan.longestCall, plan.margin))
      const usedSeconds = (call: Call): number | null => {
        const talked = talkSeconds(call)
        return talked === null ? null : Math.min(talked, longest)
      }

      const charge = Effect.fnUntraced(function* (call: Call, mayTakeBalance: boolean) {
        const spendable = mayTakeBalance ? balance(yield* accounts.funds(call.accountId)) : Money.zero
        const billing = settle(call.billing, usedSeconds(call), spendable)
        const taken = yield* accounts.changeFunds(call.accountId, {
          holds: Money.subtract(Money.zero, billing.initialCharge),
          charges: totalCharge(billing)
        })
        return taken ? Option.some(billing) : Option.none<Billing>()
      })

      const end = Effect.fnUntraced(function* (call: Call) {
        // Another call may spend the balance between reading and taking it. What the hold covers is always there.
        const billing = yield* charge(call, true).pipe(
          Effect.flatMap((first) => (Option.isSome(first) ? Effect.succeed(first) : charge(call, true))),
          Effect.flatMap((second) => (Option.isSome(second) ? Effect.succeed(second) : charge(call, false)))
        )
        yield* agents.addUsage(call.agent.id, usedSeconds(call) ?? 0)
        // A call the provider refused was never dialled, so it is nobody's last call.
        if (call.contact !== null && call.submission !== "refused") {
          yield* contacts.touchLastCall(call.contact.id, call.startedAt ?? call.createdAt)
        }
        return { ...call, billing: Option.getOrElse(billing, () => call.billing) }
      })

      const changeOnce = Effect.fnUntraced(function* (key: CallKey, decide: (call: Call, now: DateTime.Utc) => Change) {
        const found = yield* calls.findForUpdate(key)
        if (Option.isNone(found)) return Option.none<Outcome>()
        const now = yield* DateTime.now
        const change = decide(found.value, now)
        const happened: Array<DomainEvent> = []
        let call = change.call
        for (const report of change.reports) {
          const applied = apply(call, report, now)
          if (applied.call === call) continue
          call = applied.settle ? yield* end(applied.call) : applied.call
          call = schedule(plan, call, 0, now)
          for (const name of applied.events) happened.push({ name, call })
        }
        if (call !== found.value) yield* calls.update(call)
        yield* Effect.forEach(happened, publisher.publish, { discard: true })
        return Option.some<Outcome>({ call, hasHappened: happened.length > 0 })
      })

      const change = Effect.fn("CallProgress.change")(function* (
        key: CallKey,
        decide: (call: Call, now: DateTime.Utc) => Change
      ) {
        const outcome = yield* transaction.run(changeOnce(key, decide))
        if (Option.isSome(outcome) && outcome.value.hasHappened) yield* publisher.nudge
        return Option.map(outcome, ({ call }) => call)
      })

      return CallProgress.of({ change })
    })
  )
}

interface Outcome {
  readonly call: Call
  readonly hasHappened: boolean
}
