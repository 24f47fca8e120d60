import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import type { CalendarSyncError } from "../external-calendar/CalendarSync.ts"
import type { MailerError } from "../mail/Mailer.ts"
import type { StorageError } from "../storage/StorageError.ts"

/** The failure of an attempt at a task. */
export interface OutboxFailure {
  /** The reason, which the list of dead-lettered tasks shows. It has no internal detail. */
  readonly reason: string
  /** Whether the same attempt may succeed later. */
  readonly isRetryable: boolean
  /**
   * Whether an external calendar is unreachable or asks to wait, or the attempt timed out. The task itself may be
   * right.
   */
  readonly isOutage: boolean
  /** The milliseconds after which the other system allows the next attempt. Null when it does not state a time. */
  readonly retryAfterMillis: number | null
}

/** The cause of a failed attempt. */
export type TaskCause = Cause.Cause<CalendarSyncError | MailerError | StorageError | Cause.TimeoutError>

/** Returns why an attempt failed. A defect can be retried, because it may not happen again. */
export const fromCause = (cause: TaskCause): OutboxFailure => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (error === undefined) return { reason: "defect", isRetryable: true, isOutage: false, retryAfterMillis: null }
  switch (error._tag) {
    case "TimeoutError":
      return { reason: "timeout", isRetryable: true, isOutage: true, retryAfterMillis: null }
    case "StorageError":
      return { reason: "storage", isRetryable: true, isOutage: false, retryAfterMillis: null }
    case "CalendarSyncError":
      return {
        reason: `calendar: ${error.reason}`,
        isRetryable: error.isRetryable,
        isOutage: error.reason === "transport" || error.reason === "rate_limited",
        retryAfterMillis: error.retryAfterMillis
      }
    case "MailerError":
      return {
        reason: `mail: ${error.reason}`,
        isRetryable: error.isRetryable,
        isOutage: false,
        retryAfterMillis: null
      }
  }
}
