import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Timestamp from "../values/Timestamp.ts"
import type { OutboxFailure } from "./OutboxFailure.ts"

/**
 * The wait after each failed attempt. The last wait is followed by one more attempt. When that fails too, the task is
 * dead-lettered or restarted: see {@link restartAt}.
 */
export type OutboxPlan = ReadonlyArray<Duration.Duration>

/** Six retries over almost nine hours, because mail servers and calendars are unreachable for minutes, sometimes hours. */
export const defaultPlan: OutboxPlan = [
  Duration.seconds(10),
  Duration.minutes(1),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(6)
]

/** The maximum wait that the other system can ask for. A longer one is taken for a mistake (D-OUT-2). */
export const maxRetryAfter: Duration.Duration = Duration.hours(24)

/** The maximum number of claims of a task (D-OUT-3). When the plan has more attempts, their number is the maximum. */
export const maxClaims = 10

/**
 * Returns whether a task was claimed so often that it is dead-lettered without another attempt.
 *
 * The plan ends a task whose attempts fail. This ends a task whose attempts have no result, for example because each one
 * ends the process.
 *
 * @param attempts how many times the task was claimed before
 */
export const isExhausted = (attempts: number, plan: OutboxPlan): boolean =>
  attempts >= Math.max(maxClaims, plan.length + 1)

/**
 * Returns when to retry a task that failed at `now`, or null when it is not retried. The other system can ask for a later
 * time, at most {@link maxRetryAfter} ahead.
 *
 * @param attempts how many times the task was claimed before
 */
export const retryAt = (
  attempts: number,
  failure: OutboxFailure,
  now: DateTime.Utc,
  plan: OutboxPlan
): DateTime.Utc | null => {
  const delay = plan[attempts]
  return failure.isRetryable && delay !== undefined ? after(delay, failure, now) : null
}

/**
 * Returns when to restart a task, with the full number of attempts, after its last attempt failed. Returns null when it is
 * not restarted. Only an outage restarts a task (`OutboxFailure.isOutage`), and the worker restarts only writes to
 * external calendars (D-EXT-14).
 */
export const restartAt = (failure: OutboxFailure, now: DateTime.Utc, plan: OutboxPlan): DateTime.Utc | null => {
  const delay = plan.at(-1)
  return failure.isRetryable && failure.isOutage && delay !== undefined ? after(delay, failure, now) : null
}

const after = (delay: Duration.Duration, failure: OutboxFailure, now: DateTime.Utc): DateTime.Utc => {
  const asked = Duration.min(Duration.millis(failure.retryAfterMillis ?? 0), maxRetryAfter)
  return Timestamp.after(now, Duration.max(delay, asked))
}
