import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Timestamp from "../values/Timestamp.ts"
import type { OutboxFailure } from "./OutboxFailure.ts"

/** How long to wait after each failure; when they are used up the task is dead-lettered, or see {@link anew}. */
export type OutboxPlan = ReadonlyArray<Duration.Duration>

/** Six retries over almost nine hours: mail servers and calendars are away for minutes, sometimes for hours. */
export const defaultPlan: OutboxPlan = [
  Duration.seconds(10),
  Duration.minutes(1),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(6)
]

/** The longest wait the other side is granted: what it says may be a mistake, and may be no time at all. */
export const maxRetryAfter: Duration.Duration = Duration.hours(24)

/** How often a task is taken; more only if the plan has more tries. What stops the process must not do so for ever. */
export const maxClaims = 10

/**
 * Whether a task was taken so often that it is dead-lettered without another try.
 *
 * The plan ends a task that fails. This ends one of which nothing was ever heard.
 *
 * @param attempts how often it was taken before this time
 */
export const isExhausted = (attempts: number, plan: OutboxPlan): boolean =>
  attempts >= Math.max(maxClaims, plan.length + 1)

/**
 * When a task that failed at `now` is tried again; null: never.
 *
 * Not before the time the other side named, but for one that is more than {@link maxRetryAfter} ahead.
 *
 * @param attempts how often it was taken before this time
 */
export const next = (
  attempts: number,
  failure: OutboxFailure,
  now: DateTime.Utc,
  plan: OutboxPlan
): DateTime.Utc | null => {
  const delay = plan[attempts]
  return failure.isRetryable && delay !== undefined ? after(delay, failure, now) : null
}

/** When a task is begun anew that was tried as often as the plan says, because the other side was away; null: never. */
export const anew = (failure: OutboxFailure, now: DateTime.Utc, plan: OutboxPlan): DateTime.Utc | null => {
  const delay = plan.at(-1)
  return failure.isRetryable && failure.isOutage && delay !== undefined ? after(delay, failure, now) : null
}

const after = (delay: Duration.Duration, failure: OutboxFailure, now: DateTime.Utc): DateTime.Utc => {
  const asked = Duration.min(Duration.millis(failure.retryAfterMillis ?? 0), maxRetryAfter)
  return Timestamp.after(now, Duration.max(delay, asked))
}
