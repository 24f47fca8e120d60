import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Timestamp from "../values/Timestamp.ts"
import type { Call } from "./Call.ts"
import type { CallEnd, CallSnapshot } from "./CallProvider.ts"
import { isTerminal } from "./CallStatus.ts"

/**
 * When a worker asks the provider about a call, how long it waits for the answer, and when it gives the call up.
 *
 * Asking the provider about a call is a question. "Heard of" means that the provider made a new report.
 */
export interface Plan {
  /**
   * The waits before the first, the second and each further question after the provider was last heard of (D-CALL-31). The
   * last wait repeats. A hang-up also begins with the first wait again.
   */
  readonly delays: readonly [Duration.Duration, ...ReadonlyArray<Duration.Duration>]
  /**
   * The maximum time between two questions about a call that has a price and is not known to be answered (D-BILL-9). Only
   * one minute is reserved for such a call, and the report that it was answered may be lost. So this time and
   * `answerTimeout` together must be less than a minute: the worker then learns of it before a second minute begins.
   */
  readonly unansweredDelay: Duration.Duration
  /**
   * The time from a question about such a call that the provider did not answer until the next question (D-BILL-9). It
   * applies until 2 minutes have passed since a worker last learned that the call was live, or since the call was made.
   * Then `unansweredDelay` applies.
   */
  readonly unansweredRetryDelay: Duration.Duration
  /** For how long after its start a call is not given up although the provider does not know the call (D-CALL-33). */
  readonly submissionWindow: Duration.Duration
  /** The maximum duration of a call, which the provider receives with its start. */
  readonly maxCallDuration: Duration.Duration
  /**
   * A call is given up when `maxCallDuration` and this margin have passed since it was answered (D-CALL-33). A call that
   * is not answered is given up when both have passed since it was made.
   */
  readonly margin: Duration.Duration
  /** The wait before each question about the data that an answered call still lacks after its end (D-CALL-37). */
  readonly followUpDelays: ReadonlyArray<Duration.Duration>
  /**
   * The timeout for one answer of the provider. It keeps an adapter that hangs from delaying other calls. It must be
   * shorter than `submissionWindow`, so that a call is not given up while the provider is still being asked to start it.
   */
  readonly answerTimeout: Duration.Duration
}

/** The default plan, as `docs/call-status.md` describes it. */
export const standard: Plan = {
  delays: [Duration.seconds(15), Duration.seconds(30), Duration.seconds(60), Duration.minutes(2)],
  unansweredDelay: Duration.seconds(25),
  unansweredRetryDelay: Duration.seconds(10),
  submissionWindow: Duration.minutes(2),
  maxCallDuration: Duration.hours(1),
  margin: Duration.minutes(10),
  followUpDelays: [Duration.seconds(15), Duration.minutes(1), Duration.minutes(5), Duration.minutes(30)],
  answerTimeout: Duration.seconds(30)
}

/** The reconcile plan in use: {@link standard}, unless a program provides another. */
export const ReconcilePlan: Context.Reference<Plan> = Context.Reference<Plan>("@frontdesk/core/call/ReconcilePlan", {
  defaultValue: () => standard
})

/**
 * Returns when to ask about a running call again, by `Plan.delays`.
 *
 * @param asked the number of questions since the provider was last heard of
 */
export const nextAt = (plan: Plan, asked: number, now: DateTime.Utc): DateTime.Utc =>
  Timestamp.after(now, plan.delays[Math.min(asked, plan.delays.length - 1)] ?? plan.delays[0])

/** Returns when a call is given up that the provider does not know. */
const lostAt = (plan: Plan, call: Pick<Call, "createdAt">): DateTime.Utc =>
  Timestamp.after(call.createdAt, plan.submissionWindow)

/** Returns how long a call may last from its answer, and how long it may wait for one. */
const maxTotal = (plan: Plan): Duration.Duration => Duration.sum(plan.maxCallDuration, plan.margin)

/**
 * Returns when a call is given up that does not end. The time counts from the answer when there was one, because a call may
 * wait and ring for a long time before it.
 */
const overdueAt = (plan: Plan, call: Pick<Call, "createdAt" | "startedAt">): DateTime.Utc =>
  Timestamp.after(call.startedAt ?? call.createdAt, maxTotal(plan))

/** Returns whether a call that the provider does not know is given up. */
const isLost = (plan: Plan, call: Pick<Call, "createdAt">, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThanOrEqualTo(now, lostAt(plan, call))

/**
 * Returns whether to give a call up (D-CALL-33). That is so when it has run longer than a call may. It is also so when the
 * provider does not know it after the submission window.
 *
 * @param askedAt when the worker asked the provider. The present time may be much later when the process was paused, and
 *   the call may have reached the provider meanwhile.
 */
export const isTimedOut = (plan: Plan, call: Call, snapshot: CallSnapshot, askedAt: DateTime.Utc): boolean =>
  !isTerminal(call.status) &&
  (DateTime.isGreaterThanOrEqualTo(askedAt, overdueAt(plan, call)) ||
    (snapshot._tag === "NotFound" && isLost(plan, call, askedAt)))

/** Returns whether a call was answered and lacks its transcript, recording or summary, which the provider may still report. */
const lacksData = (call: Call): boolean =>
  call.startedAt !== null && (call.transcript === null || call.recordingUrl === null || call.summary === null)

/** A question about a call that a worker asked the provider. */
export interface Question {
  readonly askedAt: DateTime.Utc
  /** Whether the provider gave a usable answer, which may be that it does not know the call. */
  readonly isAnswered: boolean
}

/**
 * Returns the call with the time of the next question in `reconcileAt`.
 *
 * @param asked the number of questions since the provider was last heard of
 * @param question the question that was just asked; absent after a report or a request of a caller
 */
export const schedule = (plan: Plan, call: Call, asked: number, now: DateTime.Utc, question?: Question): Call => ({
  ...call,
  reconcileCount: asked,
  reconcileAt: isTerminal(call.status)
    ? followUpAt(plan, call, asked, now)
    : questionAt(plan, call, asked, now, question)
})

const followUpAt = (plan: Plan, call: Call, asked: number, now: DateTime.Utc): DateTime.Utc | null => {
  if (mayBeLive(plan, call, now)) return nextAt(plan, asked, now)
  const delay = lacksData(call) ? plan.followUpDelays[asked] : undefined
  return delay === undefined ? null : Timestamp.after(now, delay)
}

/**
 * Returns the time of the next question by `Plan.delays`, or sooner if the call would be given up before. For a call
 * that may be answered without a report, it is not later than {@link unansweredAt}.
 */
const questionAt = (plan: Plan, call: Call, asked: number, now: DateTime.Utc, question?: Question): DateTime.Utc =>
  [
    ...(call.submission === "accepted" ? [] : [lostAt(plan, call)]),
    ...(mayBeAnsweredUnreported(call) ? [unansweredAt(plan, call, now, question)] : []),
    overdueAt(plan, call)
  ]
    .filter((limit) => DateTime.isGreaterThan(limit, now))
    .reduce<DateTime.Utc>((earliest, limit) => DateTime.min(earliest, limit), nextAt(plan, asked, now))

/** Returns when to ask at the latest about a call that may be answered without a report (D-BILL-9). */
const unansweredAt = (
  plan: Plan,
  { confirmedAt, createdAt }: Call,
  now: DateTime.Utc,
  question: Question | undefined
): DateTime.Utc => {
  const heardAt = confirmedAt ?? createdAt
  if (question === undefined) return Timestamp.after(heardAt, plan.unansweredDelay)
  const isTooLateToRetry = DateTime.isGreaterThanOrEqualTo(now, Timestamp.after(heardAt, Duration.minutes(2)))
  const wait = question.isAnswered || isTooLateToRetry ? plan.unansweredDelay : plan.unansweredRetryDelay
  // When the question took longer than the wait, that time has passed. The next question then follows a second from now.
  return DateTime.max(Timestamp.after(question.askedAt, wait), Timestamp.after(now, Duration.seconds(1)))
}

/** Returns whether a call has a price and is not known to be answered. The report that it was answered may be lost. */
const mayBeAnsweredUnreported = ({ billing, startedAt }: Call): boolean =>
  startedAt === null && billing.pricePerMinute > 0

/** The `ended_reason` of a call that was given up (D-CALL-33). */
export const timeoutReason = "provider_timeout"

/** Returns whether a call was given up and the provider has not reported its true end since. */
export const hasTimedOut = (call: Pick<Call, "endedReason" | "status">): boolean =>
  isTerminal(call.status) && call.endedReason === timeoutReason

/**
 * Returns whether a call that was given up may still be live (D-CALL-36). It may for 70 minutes with the standard plan,
 * which is as long as a call may last. No minute of such a call is reserved. So the worker asks about it, and hangs it up
 * while the provider says that it is live.
 */
export const mayStillRun = (plan: Plan, call: Call, now: DateTime.Utc): boolean => {
  const givenUpAt = call.startedAt === null ? call.endedAt : overdueAt(plan, call)
  return hasTimedOut(call) && givenUpAt !== null && DateTime.isLessThan(now, Timestamp.after(givenUpAt, maxTotal(plan)))
}

/** Returns whether the provider may still have a call that was given up before its answer was known. */
const mayBeLive = (plan: Plan, call: Call, now: DateTime.Utc): boolean =>
  call.startedAt === null && call.submission === "accepted" && mayStillRun(plan, call, now)

/**
 * Returns the end of a call that is given up (D-CALL-33).
 *
 * An answered call ends at the last time at which the provider confirmed that it was live, or at its answer. Later talk is
 * not confirmed, so it is not billed. A call that was never answered ends now, as `failed`.
 */
export const timeout = (
  { confirmedAt, startedAt }: Pick<Call, "confirmedAt" | "startedAt">,
  now: DateTime.Utc
): CallEnd =>
  startedAt === null
    ? { status: "failed", answeredAt: null, endedAt: now, reason: timeoutReason }
    : {
        status: "completed",
        answeredAt: startedAt,
        endedAt: confirmedAt === null ? startedAt : DateTime.max(startedAt, confirmedAt),
        reason: timeoutReason
      }
