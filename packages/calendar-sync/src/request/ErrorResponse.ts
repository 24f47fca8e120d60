import { CalendarSyncError, type CalendarSyncReason } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Answer } from "./Exchange.ts"

/** Whether the status says that it was done: 2xx. */
export const isAccepted = ({ status }: Answer): boolean => status >= 200 && status < 300

/**
 * What a status means when it is not one of success (RFC 9110 15, RFC 6585 4, RFC 4918 11). A redirect is `invalid`:
 * something else stands where the calendar should be.
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
 * Fails with the error that an answer is.
 *
 * @param reason when the body says more than the status
 */
export const refusal = Effect.fnUntraced(function* (
  answer: Answer,
  reason: CalendarSyncReason = reasonOf(answer.status)
): Effect.fn.Return<never, CalendarSyncError> {
  const { asked, excerpt, headers, status } = answer
  return yield* new CalendarSyncError({
    reason,
    retryAfterMillis: retryAfterMillis(headers["retry-after"], yield* Clock.currentTimeMillis),
    cause: excerpt === "" ? `${asked}: ${status}` : `${asked}: ${status}: ${excerpt}`
  })
})

/** The answer if it was accepted, else the error that it is. */
export const accepted = (answer: Answer): Effect.Effect<Answer, CalendarSyncError> =>
  isAccepted(answer) ? Effect.succeed(answer) : refusal(answer)

/** `Retry-After` in milliseconds from now: it gives seconds or a date (RFC 9110 10.2.3); null when it gives neither. */
export const retryAfterMillis = (header: string | undefined, now: number): number | null => {
  const text = header?.trim() ?? ""
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1_000
  if (!text.endsWith(" GMT")) return null
  return Option.match(DateTime.make(text), {
    onNone: () => null,
    onSome: (date) => Math.max(0, DateTime.toEpochMillis(date) - now)
  })
}
