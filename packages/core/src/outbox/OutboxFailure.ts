import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import type { CalendarSyncError } from "../external-calendar/CalendarSync.ts"
import type { MailerError } from "../mail/Mailer.ts"
import type { StorageError } from "../storage/StorageError.ts"

/** Why an attempt at a task failed. */
export interface OutboxFailure {
  /** For the list of dead-lettered tasks. Has no internal detail. */
  readonly reason: string
  readonly isRetryable: boolean
  /** Whether the other system is unreachable or asks to wait. The task itself may be right. */
  readonly isOutage: boolean
  /** After how many milliseconds the other system allows the next attempt; null when it does not say. */
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
