import { CalendarSyncError, type CalendarSyncReason } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Answer } from "./Exchange.ts"

/** Returns whether the status is 2xx. */
export const isAccepted = ({ status }: Answer): boolean => status >= 200 && status < 300

/**
 * Returns the reason of the error for a status other than 2xx (RFC 9110 15, RFC 6585 4, RFC 4918 11). A redirect is
 * `invalid`, because the URL is not that of a calendar.
 */
export const reasonOf = (status: number): CalendarSyncReason => {
  switch (status) {
    case 401:
    case 403:
      return "unauthorized"
    case 404:
    case 410:
      return "gone"
    case 409:
    case 412:
    case 423:
      return "conflict"
    case 429:
      return "rate_limited"
    case 408:
    case 425:
      return "transport"
    default:
      return status >= 500 && status !== 501 ? "transport" : "invalid"
  }
}

/**
 * Fails with the error for an answer. The error has the `Retry-After` time and an excerpt of the body.
 *
 * @param reason the reason from the body, if that is more precise than the status
 */
export const refusal = Effect.fnUntraced(function* (
  answer: Answer,
  reason: CalendarSyncReason = reasonOf(answer.status)
): Effect.fn.Return<never, CalendarSyncError> {
  const { excerpt, headers, requestLine, status } = answer
  return yield* new CalendarSyncError({
    reason,
    retryAfterMillis: retryAfterMillis(headers["retry-after"], yield* Clock.currentTimeMillis),
    cause: excerpt === "" ? `${requestLine}: ${status}` : `${requestLine}: ${status}: ${excerpt}`
  })
})

/** Returns an answer with a status of 2xx. Fails with the error for any other. */
export const accepted = (answer: Answer): Effect.Effect<Answer, CalendarSyncError> =>
  isAccepted(answer) ? Effect.succeed(answer) : refusal(answer)

/** Returns `Retry-After`, seconds or a date (RFC 9110 10.2.3), in milliseconds from now. Returns null if it is neither. */
export const retryAfterMillis = (header: string | undefined, now: number): number | null => {
  const text = header?.trim() ?? ""
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1_000
  if (!text.endsWith(" GMT")) return null
  return Option.match(DateTime.make(text), {
    onNone: () => null,
    onSome: (date) => Math.max(0, DateTime.toEpochMillis(date) - now)
  })
}
