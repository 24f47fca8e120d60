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
import * as Tracing from "../values/Tracing.ts"
import type { AccountStore } from "../access/AccountStore.ts"
import type { AgentStore } from "../agent/AgentStore.ts"
import * as Acting from "../audit/Acting.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
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

/** The maximum number of calls that a process reconciles at once. */
const maxConcurrent = 16

/** The rest between two claims. */
const pause = Duration.seconds(1)

/**
 * Counts reconciled calls by result: `known`, `not_found` or `unreachable`; `failed` when the storage failed or the
 * adapter failed with a defect.
 */
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

/** One claim of a call: when the worker claimed it, and when the lease ends. */
interface Claim {
  readonly askedAt: DateTime.Utc
  readonly leaseUntil: DateTime.Utc
}

const isReport: (report: ProviderReport) => boolean = Schema.is(ProviderReport)

const isInstant = Schema.is(Timestamp.Instant)

/**
 * Returns a report of an end with each invalid time replaced by `now` (D-CALL-27). Without the end, the call would
 * continue and be charged for ever. Any other report is returned unchanged.
 */
const withValidTimes = (report: ProviderReport, now: DateTime.Utc): ProviderReport => {
  if (report._tag !== "Ended" || isReport(report)) return report
  const time = (at: DateTime.Utc): DateTime.Utc => (isInstant(at) ? at : now)
  const endedAt = time(report.endedAt)
  return report.status === "completed"
    ? { ...report, endedAt, answeredAt: time(report.answeredAt) }
    : { ...report, endedAt, answeredAt: report.answeredAt === null ? null : time(report.answeredAt) }
}

/**
 * Removes invalid reports from a snapshot, and replaces the invalid times of an end. With a time that no storage can
 * read back, the call would be unreadable.
 */
const validReports = Effect.fnUntraced(function* (snapshot: CallSnapshot) {
  if (snapshot._tag !== "Known" || snapshot.reports.every((report) => isReport(report))) return snapshot
  yield* Effect.logError("The call provider returned invalid reports of a call, which are ignored").pipe(
    Effect.annotateLogs({ reports: snapshot.reports.filter((report) => !isReport(report)).length })
  )
  const now = yield* DateTime.now
  const reports = snapshot.reports.map((report) => withValidTimes(report, now)).filter((report) => isReport(report))
  return { ...snapshot, reports }
})

/** Returns whether the provider knows the call and reports no end of it. */
const isLive = (snapshot: CallSnapshot): boolean =>
  snapshot._tag === "Known" && !snapshot.reports.some(({ _tag }) => _tag === "Ended")

/** Returns the call with the time of its next reconciliation; null when there is none. */
const scheduleNext = (
  plan: Plan,
  call: Call,
  snapshot: CallSnapshot,
  now: DateTime.Utc,
  askedAt: DateTime.Utc
): Call => {
  if (snapshot._tag === "NotFound" && hasTimedOut(call) && call.startedAt === null)
    return { ...call, reconcileAt: null }
  if (isLive(snapshot) && mayStillRun(plan, call, now)) {
    return { ...call, reconcileCount: 0, reconcileAt: nextAt(plan, 0, now) }
  }
  return schedule(plan, call, call.reconcileCount + 1, now, { askedAt, isAnswered: snapshot._tag !== "Unreachable" })
}

/**
 * Returns the change of a call after the provider was asked about it (D-CALL-33).
 *
 * When the provider reports no end, the call is confirmed as live at the time of the question. The next reconciliation
 * is planned, unless another claim or a new report has rescheduled the call meanwhile. None is planned for a call that
 * has timed out unanswered and that the provider does not know.
 */
export const conclude =
  (plan: Plan, snapshot: CallSnapshot, { askedAt, leaseUntil }: Claim) =>
  (call: Call, now: DateTime.Utc): Change => {
    const isClaimed = call.reconcileAt !== null && DateTime.Equivalence(call.reconcileAt, leaseUntil)
    const asked = isClaimed ? scheduleNext(plan, call, snapshot, now, askedAt) : call
    if (snapshot._tag !== "Known") return { call: asked, reports: [] }
    const known = withProviderCallId(asked, snapshot.providerCallId)
    if (isTerminal(call.status) || !isLive(snapshot)) return { call: known, reports: snapshot.reports }
    // Another process may have confirmed the call while this one was paused.
    const confirmedAt = call.confirmedAt === null ? askedAt : DateTime.max(call.confirmedAt, askedAt)
    return { call: { ...known, confirmedAt }, reports: snapshot.reports }
  }

/** Returns the change that ends a call whose end the provider does not report. A call that has ended stays as it is. */
export const timeOut = (call: Call, now: DateTime.Utc): Change => ({
  call,
  reports: isTerminal(call.status) ? [] : [{ _tag: "Ended", ...timeout(call, now) }]
})

const unchanged = (call: Call): Change => ({ call, reports: [] })

/**
 * Asks the provider about calls that it does not report on, so that every call ends and no report is lost (D-CALL-31).
 */
export class CallReconciliationWorker extends Context.Service<
  CallReconciliationWorker,
  {
    /**
     * Asks about the calls that are due now, applies the answers, and returns how many calls it reconciled without a
     * failure. Each call is claimed first, so that only one process asks. When a call cannot be changed, the worker
     * logs it and continues with the others. The call is due again when its lease ends.
     */
    readonly runOnce: Effect.Effect<number, StorageError>
    /** Reconciles due calls until it is interrupted. A failure is logged and retried. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/CallReconciliationWorker") {
  /** The worker on the provider and the stores. */
  static readonly layer: Layer.Layer<
    CallReconciliationWorker,
    never,
    | AccountStore
    | AgentStore
    | AuditStore
    | CallProvider
    | CallStore
    | ContactStore
    | WebhookEventPublisher
    | Transaction
  > = Layer.effect(
    CallReconciliationWorker,
    Effect.gen(function* () {
      const calls = yield* CallStore
      const hangUps = yield* HangUps
      const progress = yield* CallProgress
      const provider = yield* CallProvider
      const plan = yield* ReconcilePlan

      // The timeout of a question, and half of it for the storage (D-CALL-32). After a crash the calls of the dead
      // process wait for the end of the lease. Meanwhile a call whose answer was not reported runs without a
      // reservation.
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
            orElse: () =>
              Effect.succeed<CallSnapshot>({ _tag: "Unreachable", cause: "the provider did not answer in time" })
          }),
          Effect.tap((snapshot) =>
            snapshot._tag === "Unreachable"
              ? Effect.logWarning(
                  "The call provider could not be asked about a call, and is asked again later",
                  snapshot.cause
                )
              : Effect.void
          ),
          Effect.flatMap(validReports)
        )

      const reconcile = Tracing.operation("CallReconciliationWorker.reconcile")(function* ({
        id,
        ...claimed
      }: Claim & { readonly id: CallId }) {
        const call = yield* progress.change({ id }, unchanged)
        if (Option.isNone(call)) return false
        // A defect of the adapter counts as an unreachable provider. Otherwise the call would never time out.
        const asked = yield* Effect.exit(fetch(call.value))
        const snapshot: CallSnapshot = Exit.isSuccess(asked)
          ? asked.value
          : { _tag: "Unreachable", cause: "the adapter failed" }
        const after = yield* progress.change({ id }, conclude(plan, snapshot, claimed))
        // A call that was given up proves to be live (D-CALL-36).
        if (Option.isSome(after) && hasTimedOut(after.value) && isLive(snapshot))
          yield* hangUps.hangUpTimedOut(after.value)
        if (Option.isSome(after) && isTimedOut(plan, after.value, snapshot, claimed.askedAt)) {
          yield* hangUps
            .hangUp(after.value)
            .pipe(
              Effect.catchTag("CallNotHungUp", ({ cause }) =>
                Effect.logWarning("A call that has timed out could not be hung up", cause)
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
            Acting.by("worker", "call-reconciler"),
            Claims.orElse("A call could not be reconciled", Effect.as(Metric.update(failed, 1), false)),
            Effect.annotateLogs({ call: claimed.id })
          ),
        lanes: maxConcurrent,
        perLane: 1
      }

      const runOnce = Claims.workOnce(work).pipe(Tracing.span("CallReconciliationWorker.runOnce"))

      const run = Claims.workForever(work, { pause, level: "Error", failure: "Calls could not be reconciled" })

      return CallReconciliationWorker.of({ runOnce, run })
    })
  ).pipe(Layer.provide(HangUps.layer), Layer.provide(CallProgress.layer))
}
