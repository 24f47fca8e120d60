import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import type { CalendarSyncError } from "../external-calendar/CalendarSync.ts"
import type { MailerError } from "../mail/Mailer.ts"
import type { StorageError } from "../storage/StorageError.ts"

/** Why a task was not done. */
export interface OutboxFailure {
  /** For whoever looks at tasks that were dead-lettered; without internal detail. */
  readonly reason: string
  readonly isRetryable: boolean
  /** Whether the other side is away or asks to wait: nothing is said of the task itself. */
  readonly isOutage: boolean
  /** When the other side says it may be asked again, in milliseconds from now. */
  readonly retryAfterMillis: number | null
}

/** How a try ends that has not done its task. */
export type TaskCause = Cause.Cause<CalendarSyncError | MailerError | StorageError | Cause.TimeoutError>

/** What such a try says of its task. A defect may be one of the moment. */
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
