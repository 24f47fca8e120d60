import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Timestamp from "../values/Timestamp.ts"
import type { AccountStore } from "../access/AccountStore.ts"
import type { AgentStore } from "../agent/AgentStore.ts"
import type { ContactStore } from "../contact/ContactStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Transaction } from "../storage/Transaction.ts"
import type { WebhookEventPublisher } from "../webhook-event/WebhookEventPublisher.ts"
import * as Claims from "../background/Claims.ts"
import { type Call, type CallId, knownCall } from "../call/Call.ts"
import { type Change, CallProgress } from "../call/CallProgress.ts"
import { CallProvider, type CallSnapshot, ProviderReport } from "../call/CallProvider.ts"
import { isTerminal } from "../call/CallStatus.ts"
import { CallStore } from "../call/CallStore.ts"
import { withProviderCallId } from "../call/CallSubmissions.ts"
import { HangUps } from "../call/HangUps.ts"
import {
  isTimedOut,
  mayStillRun,
  nextAt,
  type Plan,
  ReconcilePlan,
  schedule,
  timeout,
  hasTimedOut
} from "../call/ReconcilePlan.ts"

/** How many calls a process asks about at once. */
const maxConcurrent = 16

/** How long to wait between two claims. */
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

/** One claim of a call: who asks about it, until when, and since when. */
interface Claim {
  readonly askedAt: DateTime.Utc
  readonly leaseUntil: DateTime.Utc
}

const isReport: (report: ProviderReport) => boolean = Schema.is(ProviderReport)

const isInstant = Schema.is(Timestamp.Instant)

/** Returns an end at a time that no call can have as one at `now`: without it the call would run, and be charged, on. */
const mended = (report: ProviderReport, now: DateTime.Utc): ProviderReport => {
  if (report._tag !== "Ended" || isReport(report)) return report
  const time = (at: DateTime.Utc): DateTime.Utc => (isInstant(at) ? at : now)
  const endedAt = time(report.endedAt)
  return report.status === "completed"
    ? { ...report, endedAt, answeredAt: time(report.answeredAt) }
    : { ...report, endedAt, answeredAt: report.answeredAt === null ? null : time(report.answeredAt) }
}

/** Leaves out the reports that no call can have: a time that no storage can read back would make the call unreadable. */
const readable = Effect.fnUntraced(function* (snapshot: CallSnapshot) {
  if (snapshot._tag !== "Known" || snapshot.reports.every((report) => isReport(report))) return snapshot
  yield* Effect.logError("The adapter reported what no call can have").pipe(
    Effect.annotateLogs({ reports: snapshot.reports.filter((report) => !isReport(report)).length })
  )
  const now = yield* DateTime.now
  const reports = snapshot.reports.map((report) => mended(report, now)).filter((report) => isReport(report))
  return { ...snapshot, reports }
})

/** Whether the provider says that a call waits, rings or is talked. */
const isLive = (snapshot: CallSnapshot): boolean =>
  snapshot._tag === "Known" && !snapshot.reports.some(({ _tag }) => _tag === "Ended")

/** The call with the time of the question that follows this one. */
const askAgain = (plan: Plan, call: Call, snapshot: CallSnapshot, now: DateTime.Utc, askedAt: DateTime.Utc): Call => {
  if (snapshot._tag === "NotFound" && hasTimedOut(call) && call.startedAt === null)
    return { ...call, reconcileAt: null }
  if (isLive(snapshot) && mayStillRun(plan, call, now)) {
    return { ...call, reconcileCount: 0, reconcileAt: nextAt(plan, 0, now) }
  }
  return schedule(plan, call, call.reconcileCount + 1, now, { askedAt, isAnswered: snapshot._tag !== "Unreachable" })
}

/**
 * What the provider's word, or its silence, makes of a call (D-CALL-33).
 *
 * A call that the provider knows and that has not ended was live when the question was asked. The question counts unless
 * the lease has passed to another claim, or news have rescheduled the call meanwhile. A call that was given up and that the
 * provider does not know is not asked about again.
 */
export const conclude =
  (plan: Plan, snapshot: CallSnapshot, { askedAt, leaseUntil }: Claim) =>
  (call: Call, now: DateTime.Utc): Change => {
    const isClaimed = call.reconcileAt !== null && DateTime.Equivalence(call.reconcileAt, leaseUntil)
    const asked = isClaimed ? askAgain(plan, call, snapshot, now, askedAt) : call
    if (snapshot._tag !== "Known") return { call: asked, reports: [] }
    const known = withProviderCallId(asked, snapshot.providerCallId)
    if (isTerminal(call.status) || !isLive(snapshot)) return { call: known, reports: snapshot.reports }
    // Another process may have confirmed the call while this one was paused.
    const confirmedAt = call.confirmedAt === null ? askedAt : DateTime.max(call.confirmedAt, askedAt)
    return { call: { ...known, confirmedAt }, reports: snapshot.reports }
  }

/** Ends a call whose provider does not tell its end; one that has ended meanwhile stays as it is. */
export const timeOut = (call: Call, now: DateTime.Utc): Change => ({
  call,
  reports: isTerminal(call.status) ? [] : [{ _tag: "Ended", ...timeout(call, now) }]
})

const unchanged = (call: Call): Change => ({ call, reports: [] })

/**
 * Sees to it that every call ends, and that what follows an end is not lost: asks the provider about the calls it has
 * stopped speaking of (D-CALL-31).
 */
export class CallReconciliationWorker extends Context.Service<
  CallReconciliationWorker,
  {
    /**
     * Asks about the calls that are due now, and applies the answers; returns how many it asked about. Each call is
     * claimed first, so of several processes one asks. A call that cannot be changed is passed over, and is due again
     * when its lease ends.
     */
    readonly runOnce: Effect.Effect<number, StorageError>
    /** Does so for ever; a failure is logged and tried again. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/CallReconciliationWorker") {
  /** The service over the provider and the stores. */
  static readonly layer: Layer.Layer<
    CallReconciliationWorker,
    never,
    AccountStore | AgentStore | CallProvider | CallStore | ContactStore | WebhookEventPublisher | Transaction
  > = Layer.effect(
    CallReconciliationWorker,
    Effect.gen(function* () {
      const calls = yield* CallStore
      const hangUps = yield* HangUps
      const progress = yield* CallProgress
      const provider = yield* CallProvider
      const plan = yield* ReconcilePlan

      // A question with its whole timeout, and half as long again for the storage. Not longer, because a call whose
      // answer was not reported may talk without a reservation while the claim of a dead process lasts.
      const lease = Duration.times(plan.answerTimeout, 1.5)

      const claim = Effect.fnUntraced(function* (limit: number) {
        const askedAt = yield* DateTime.now
        const leaseUntil = Timestamp.after(askedAt, lease)
        const ids = yield* calls.claim("reconcile", askedAt, leaseUntil, limit)
        return ids.map((id) => ({ id, askedAt, leaseUntil }))
      })

      const fetch = (call: Call) =>
        Effect.suspend(() => provider.fetch(knownCall(call))).pipe(
          Effect.timeoutOrElse({
            duration: plan.answerTimeout,
            orElse: () => Effect.succeed<CallSnapshot>({ _tag: "Unreachable", cause: "no answer in time" })
          }),
          Effect.tap((snapshot) =>
            snapshot._tag === "Unreachable"
              ? Effect.logWarning("The provider cannot be asked about a call", snapshot.cause)
              : Effect.void
          ),
          Effect.flatMap(readable)
        )

      const reconcile = Effect.fn("CallReconciliationWorker.reconcile")(function* ({
        id,
        ...claimed
      }: Claim & { readonly id: CallId }) {
        const call = yield* progress.change({ id }, unchanged)
        if (Option.isNone(call)) return false
        // A question that breaks the adapter counts as asked, or it would be asked for ever.
        const asked = yield* Effect.exit(fetch(call.value))
        const snapshot: CallSnapshot = Exit.isSuccess(asked)
          ? asked.value
          : { _tag: "Unreachable", cause: "the adapter failed" }
        const after = yield* progress.change({ id }, conclude(plan, snapshot, claimed))
        if (Option.isSome(after) && hasTimedOut(after.value) && isLive(snapshot))
          yield* hangUps.hangUpTimedOut(after.value)
        if (Option.isSome(after) && isTimedOut(plan, after.value, snapshot, claimed.askedAt)) {
          yield* hangUps
            .hangUp(after.value)
            .pipe(
              Effect.catchTag("CallNotHungUp", ({ cause }) =>
                Effect.logWarning("A call that is given up could not be hung up", cause)
              )
            )
          yield* progress.change({ id }, timeOut)
        }
        yield* asked
        yield* Metric.update(reconciledBy[snapshot._tag], 1)
        return true
      })

      const work: Claims.ClaimedWork<Claim & { readonly id: CallId }> = {
        claim,
        apply: (claimed) =>
          reconcile(claimed).pipe(
            Claims.orElse("A call could not be reconciled", Effect.as(Metric.update(failed, 1), false)),
            Effect.annotateLogs({ call: claimed.id })
          ),
        lanes: maxConcurrent,
        perLane: 1
      }

      const runOnce = Claims.workOnce(work).pipe(Effect.withSpan("CallReconciliationWorker.runOnce"))

      const run = Claims.workForever(work, { pause, level: "Error", failure: "Reconciling failed" })

      return CallReconciliationWorker.of({ runOnce, run })
    })
  ).pipe(Layer.provide(HangUps.layer), Layer.provide(CallProgress.layer))
}
