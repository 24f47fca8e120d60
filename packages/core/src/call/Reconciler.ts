import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { AccountStore } from "../access/AccountStore.ts"
import type { AgentStore } from "../agent/AgentStore.ts"
import type { ContactStore } from "../contact/ContactStore.ts"
import * as Outage from "../storage/Outage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Transaction } from "../storage/Transaction.ts"
import type { EventPublisher } from "../webhook/EventPublisher.ts"
import { type Call, type CallId, known } from "./Call.ts"
import { type Change, CallProgress } from "./CallProgress.ts"
import { CallProvider, type CallSnapshot } from "./CallProvider.ts"
import { apply } from "./CallReports.ts"
import { CallStore, type DueCall } from "./CallStore.ts"
import { identified } from "./CallSubmissions.ts"
import { isAwaited, isLost, isOverdue, type Plan, ReconcilePlan, schedule, timeout } from "./ReconcilePlan.ts"

/** How many calls are read at a time. */
const batch = 100

/** How long to wait between two rounds. */
const pause = Duration.seconds(1)

/** Calls asked about by what came of it: `known`, `not_found`, `unreachable`, or `failed` when it could not be kept. */
export const reconciled = Metric.counter("frontdesk_calls_reconciled", {
  description: "Calls that a provider was asked about, by result",
  incremental: true
})

const reconciledAs = (result: string) => Metric.withAttributes(reconciled, { result })

const reconciledBy = {
  Known: reconciledAs("known"),
  NotFound: reconciledAs("not_found"),
  Unreachable: reconciledAs("unreachable")
}

const failed = reconciledAs("failed")

/** Puts off the next question, so that no other node asks at the same moment. */
export const postpone =
  (plan: Plan) =>
  (call: Call, now: DateTime.Utc): Change => ({
    call: schedule(plan, call, call.reconcileCount + 1, now),
    reports: []
  })

/** What the provider's word, or its silence, makes of a call (Decisions 4). */
export const conclude =
  (plan: Plan, snapshot: CallSnapshot) =>
  (call: Call, now: DateTime.Utc): Change => {
    const known = snapshot._tag === "Known" ? identified(call, snapshot.providerCallId) : call
    const reports = snapshot._tag === "Known" ? snapshot.reports : []
    const isGivenUp = isOverdue(plan, call, now) || (snapshot._tag === "NotFound" && isLost(plan, call, now))
    if (!isGivenUp) return { call: known, reports }
    // The true end counts when the provider does report one: it comes first.
    const told = reports.reduce((call, report) => apply(call, report, now).call, known)
    return { call: known, reports: [...reports, { _tag: "Ended", ...timeout(told, now) }] }
  }

/**
 * Sees to it that every call ends, and that what follows an end is not lost: asks the provider about the calls it has
 * stopped speaking of (Decisions 4).
 */
export class Reconciler extends Context.Service<
  Reconciler,
  {
    /**
     * Asks about the calls that are due now, and applies the answers; returns how many it asked about. A call that
     * cannot be changed is passed over and stays due.
     */
    readonly runOnce: Effect.Effect<number, StorageError>
    /** Does so for ever; a failure is logged and tried again. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/call/Reconciler") {
  /** The service over the provider and the stores. */
  static readonly layer: Layer.Layer<
    Reconciler,
    never,
    AccountStore | AgentStore | CallProvider | CallStore | ContactStore | EventPublisher | Transaction
  > = Layer.effect(
    Reconciler,
    Effect.gen(function* () {
      const calls = yield* CallStore
      const progress = yield* CallProgress
      const provider = yield* CallProvider
      const plan = yield* ReconcilePlan

      const reconcile = Effect.fn("Reconciler.reconcile")(function* (id: CallId) {
        const call = yield* progress.change({ id }, postpone(plan))
        if (Option.isNone(call) || !isAwaited(call.value)) return false
        const snapshot = yield* provider.fetch(known(call.value)).pipe(
          Effect.timeoutOrElse({
            duration: plan.patience,
            orElse: () => Effect.succeed<CallSnapshot>({ _tag: "Unreachable", cause: "no answer in time" })
          })
        )
        if (snapshot._tag === "Unreachable") {
          yield* Effect.logWarning("The provider cannot be asked about a call", snapshot.cause).pipe(
            Effect.annotateLogs({ call: call.value.callId })
          )
        }
        yield* progress.change({ id }, conclude(plan, snapshot))
        yield* Metric.update(reconciledBy[snapshot._tag], 1)
        return true
      })

      /** Whether it was asked about. One that fails is tried again when it is next due; the others are not held up. */
      const attempt = ({ id }: DueCall) =>
        reconcile(id).pipe(
          Effect.catchCause((cause) =>
            Cause.hasInterrupts(cause)
              ? Effect.failCause(cause)
              : Outage.log("Error", "A call could not be reconciled", cause).pipe(
                  Effect.annotateLogs({ call: id }),
                  Effect.andThen(Metric.update(failed, 1)),
                  Effect.as(false)
                )
          )
        )

      const runOnce = Effect.gen(function* () {
        const now = yield* DateTime.now
        let total = 0
        // From page to page, so that those that fail each time never fill the only page that is read.
        let due = yield* calls.dueForReconciliation(now, batch)
        for (let last = due.at(-1); last !== undefined; last = due.at(-1)) {
          const asked = yield* Effect.forEach(due, attempt, { concurrency: 16 })
          total += asked.filter((wasAsked) => wasAsked).length
          due = yield* calls.dueForReconciliation(now, batch, last)
        }
        return total
      }).pipe(Effect.withSpan("Reconciler.runOnce"))

      const run = runOnce.pipe(
        Outage.survive("Error", "Reconciling failed"),
        Effect.andThen(Effect.sleep(pause)),
        Effect.forever
      )

      return Reconciler.of({ runOnce, run })
    })
  ).pipe(Layer.provide(CallProgress.layer))
}
