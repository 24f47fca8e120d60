import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Timestamp from "../values/Timestamp.ts"
import type { OutboxFailure } from "./OutboxFailure.ts"

/** How long to wait after each failed attempt. After the last one the task is dead-lettered, or restarted: {@link restartAt}. */
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

/** The maximum wait that the other system can ask for. Its answer may be a mistake. */
export const maxRetryAfter: Duration.Duration = Duration.hours(24)

/** How often a task is claimed, or as often as the plan has attempts when those are more. A task that ends the process is not claimed again and again. */
export const maxClaims = 10

/**
 * Whether a task was claimed so often that it is dead-lettered without another attempt.
 *
 * The plan ends a task whose attempts fail. This ends a task whose attempts have no result.
 *
 * @param attempts how often the task was claimed before
 */
export const isExhausted = (attempts: number, plan: OutboxPlan): boolean =>
  attempts >= Math.max(maxClaims, plan.length + 1)

/**
 * Returns when a task that failed at `now` is retried; null when it is not.
 *
 * The other system can ask for a later time, at most {@link maxRetryAfter} ahead.
 *
 * @param attempts how often the task was claimed before
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
 * Returns when a task restarts with all its attempts after the last one failed; null when it does not. A task restarts when
 * the other system was unreachable.
 */
export const restartAt = (failure: OutboxFailure, now: DateTime.Utc, plan: OutboxPlan): DateTime.Utc | null => {
  const delay = plan.at(-1)
  return failure.isRetryable && failure.isOutage && delay !== undefined ? after(delay, failure, now) : null
}

const after = (delay: Duration.Duration, failure: OutboxFailure, now: DateTime.Utc): DateTime.Utc => {
  const asked = Duration.min(Duration.millis(failure.retryAfterMillis ?? 0), maxRetryAfter)
  return Timestamp.after(now, Duration.max(delay, asked))
}
