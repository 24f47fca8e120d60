import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Timestamp from "../values/Timestamp.ts"
import type { Call } from "./Call.ts"
import type { CallEnd, CallSnapshot } from "./CallProvider.ts"
import { isTerminal } from "./CallStatus.ts"

/** When to ask a provider about a call, how long to wait for its answer, and when to give up. */
export interface Plan {
  /** How long to wait before each question since the provider last said something; the last one repeats. */
  readonly delays: readonly [Duration.Duration, ...ReadonlyArray<Duration.Duration>]
  /**
   * The longest wait between two questions about a call that has a price and is not known to be answered. One minute of
   * talk is reserved for such a call. It must be asked about before that minute can end, because the report of its answer
   * may be lost: so early that the provider may take its whole timeout for the question before that minute ends.
   */
  readonly unanswered: Duration.Duration
  /**
   * The wait between two questions about such a call when the provider did not answer the first one: until a second minute
   * of talk would have begun, had the call been answered right after the last question that the provider answered.
   */
  readonly unansweredAgain: Duration.Duration
  /** How long after its start a call that the provider does not know may still turn up. */
  readonly submissionWindow: Duration.Duration
  /** The longest a provider is asked to let a call last. */
  readonly maxCallDuration: Duration.Duration
  /** How much longer than that a call may last after its answer, or wait for one, before it is given up. */
  readonly margin: Duration.Duration
  /** How long to wait before each question about what an answered call still lacks after its end. */
  readonly followUps: ReadonlyArray<Duration.Duration>
  /**
   * How long one answer of the provider may take, so that an adapter that hangs holds up nothing but its own call.
   * Shorter than `submissionWindow`: a call that is still being asked for is not given up.
   */
  readonly answerTimeout: Duration.Duration
}

/**
 * After 15 s, 30 s, 60 s, then every 2 minutes, and every 25 s before the answer of a call with a price, 10 s after a
 * question that failed; found within 2 minutes; one hour of talk and ten minutes around it; for what is missing after the end, 15 s, 1, 5 and 30 minutes
 * later; 30 s for an answer.
 */
export const standard: Plan = {
  delays: [Duration.seconds(15), Duration.seconds(30), Duration.seconds(60), Duration.minutes(2)],
  unanswered: Duration.seconds(25),
  unansweredAgain: Duration.seconds(10),
  submissionWindow: Duration.minutes(2),
  maxCallDuration: Duration.hours(1),
  margin: Duration.minutes(10),
  followUps: [Duration.seconds(15), Duration.minutes(1), Duration.minutes(5), Duration.minutes(30)],
  answerTimeout: Duration.seconds(30)
}

/** The plan in use; {@link standard} unless another is provided. */
export const ReconcilePlan: Context.Reference<Plan> = Context.Reference<Plan>("@frontdesk/core/call/ReconcilePlan", {
  defaultValue: () => standard
})

/** When to ask next about a call that runs, after so many questions since the provider last said something. */
export const nextAt = (plan: Plan, asked: number, now: DateTime.Utc): DateTime.Utc =>
  Timestamp.after(now, plan.delays[Math.min(asked, plan.delays.length - 1)] ?? plan.delays[0])

const lostAt = (plan: Plan, call: Pick<Call, "createdAt">): DateTime.Utc =>
  Timestamp.after(call.createdAt, plan.submissionWindow)

/** How long a call may last from its answer. */
const maxTotal = (plan: Plan): Duration.Duration => Duration.sum(plan.maxCallDuration, plan.margin)

/** Measured from the answer, because a call may have waited and rung for long before it. */
const overdueAt = (plan: Plan, call: Pick<Call, "createdAt" | "startedAt">): DateTime.Utc =>
  Timestamp.after(call.startedAt ?? call.createdAt, maxTotal(plan))

/** Whether a call the provider does not know will not turn up any more. */
const isLost = (plan: Plan, call: Pick<Call, "createdAt">, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThanOrEqualTo(now, lostAt(plan, call))

/**
 * Whether a call is given up: it has lasted longer than any call may, or the provider does not know it any more.
 *
 * @param askedAt when the provider was asked: a process may have been paused since, while the call reached the provider
 */
export const isTimedOut = (plan: Plan, call: Call, snapshot: CallSnapshot, askedAt: DateTime.Utc): boolean =>
  !isTerminal(call.status) &&
  (DateTime.isGreaterThanOrEqualTo(askedAt, overdueAt(plan, call)) ||
    (snapshot._tag === "NotFound" && isLost(plan, call, askedAt)))

/** Whether the provider may still have something to tell: the call runs, or was answered and lacks some of its data. */
export const isAwaited = (call: Call): boolean =>
  !isTerminal(call.status) ||
  (call.startedAt !== null && (call.transcript === null || call.recordingUrl === null || call.summary === null))

/** A question that a provider was asked about a call. */
export interface Question {
  readonly askedAt: DateTime.Utc
  /** Whether the provider answered it, with whatever it knows. */
  readonly isAnswered: boolean
}

/**
 * Returns the call with the time of the next question, after so many since the provider last said something.
 *
 * @param question the one from which the change follows
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
  const delay = isAwaited(call) ? plan.followUps[asked] : undefined
  return delay === undefined ? null : Timestamp.after(now, delay)
}

/**
 * As the delays say, and no later than the moment at which the call may be given up, or than `Plan.unanswered` after the last
 * question.
 */
const questionAt = (plan: Plan, call: Call, asked: number, now: DateTime.Utc, question?: Question): DateTime.Utc =>
  [
    ...(call.submission === "accepted" ? [] : [lostAt(plan, call)]),
    ...(mayTalkUnreported(call) ? unansweredAt(plan, call, now, question) : []),
    overdueAt(plan, call)
  ]
    .filter((limit) => DateTime.isGreaterThan(limit, now))
    .reduce<DateTime.Utc>((earliest, limit) => DateTime.min(earliest, limit), nextAt(plan, asked, now))

/** When a call that may talk unreported is to be asked about at the latest. */
const unansweredAt = (
  plan: Plan,
  { confirmedAt, createdAt }: Call,
  now: DateTime.Utc,
  question: Question | undefined
): ReadonlyArray<DateTime.Utc> => {
  const heardAt = confirmedAt ?? createdAt
  if (question === undefined) return [Timestamp.after(heardAt, plan.unanswered)]
  const isSecondMinute = DateTime.isGreaterThanOrEqualTo(now, Timestamp.after(heardAt, Duration.minutes(2)))
  const wait = question.isAnswered || isSecondMinute ? plan.unanswered : plan.unansweredAgain
  // After a question that took longer than the wait, the next one follows at once.
  return [DateTime.max(Timestamp.after(question.askedAt, wait), Timestamp.after(now, Duration.seconds(1)))]
}

/** Whether the call may be using up its reserved minute, because the report of its answer may have been lost. */
const mayTalkUnreported = ({ billing, startedAt }: Call): boolean => startedAt === null && billing.pricePerMinute > 0

/** The reason of an end that no provider reported (D-CALL-33). */
export const timeoutReason = "provider_timeout"

/** Whether a call has ended because it was given up, and the provider has not reported its true end. */
export const hasTimedOut = (call: Pick<Call, "endedReason" | "status">): boolean =>
  isTerminal(call.status) && call.endedReason === timeoutReason

/**
 * Whether a call that was given up may still be live: for as long again as a call may last. No minute of it is reserved, so it
 * is asked about and hung up as long as the provider says that it is live.
 */
export const mayStillRun = (plan: Plan, call: Call, now: DateTime.Utc): boolean => {
  const givenUpAt = call.startedAt === null ? call.endedAt : overdueAt(plan, call)
  return hasTimedOut(call) && givenUpAt !== null && DateTime.isLessThan(now, Timestamp.after(givenUpAt, maxTotal(plan)))
}

/** Whether the provider may have a call that was given up before its answer was known. */
const mayBeLive = (plan: Plan, call: Call, now: DateTime.Utc): boolean =>
  call.startedAt === null && call.submission === "accepted" && mayStillRun(plan, call, now)

/**
 * Returns the end of a call that is given up.
 *
 * An answered call ends at the last moment at which the provider said that it was live, because time that is not known
 * to have been talked is not billed; a call without an answer ends now.
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
