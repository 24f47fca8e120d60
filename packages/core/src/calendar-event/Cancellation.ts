import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { CalendarEvent } from "./CalendarEvent.ts"
import * as CalendarEventMerge from "./CalendarEventMerge.ts"
import { isSent } from "./Invitation.ts"

/** A calendar event that was cancelled. */
export interface CancelledCalendarEvent {
  readonly event: CalendarEvent
  /** Whether the reason was shortened, or left out, because the customer's notes had no room for all of it. */
  readonly isReasonShortened: boolean
}

/**
 * Returns the event cancelled, with a reason that is not blank appended to the customer's notes (C-3.1-8). A reason
 * that does not fit is shortened: a cancel never fails because of it.
 */
export const cancel = (event: CalendarEvent, reason: string, now: DateTime.Utc): CancelledCalendarEvent => {
  const { isShortened, notes } = appendReason(event.customer.notes, reason)
  const cancelled = CalendarEventMerge.patch(event, { status: "cancelled", customer: { notes } }, now)
  return { event: Result.getOrElse(cancelled, () => event), isReasonShortened: isShortened }
}

/**
 * Whether a cancel is mailed to the customer (C-3.1-7): `send_notifications` was on when the event was created, or the
 * customer has an invitation. Without a cancellation an invited customer would still expect the event.
 *
 * @param before the event before the cancel
 */
export const isMailed = (before: CalendarEvent): boolean => before.notifyOnCancel || isSent(before)

/** The maximum number of UTF-16 code units of a customer's notes. */
export const maxNotesLength = 10_000

/** Notes to which a reason was appended. */
export interface AppendedReason {
  readonly notes: string
  /** Whether the reason was shortened, or left out, because the notes had no room for all of it. */
  readonly isShortened: boolean
}

const ellipsis = "…"

/**
 * Returns the customer's notes with a reason on a line of its own at the end. A blank reason leaves them as they are.
 *
 * A reason that does not fit is cut between two characters as people see them, and ends in an ellipsis. A reason of which
 * not even one character fits is left out.
 */
export const appendReason = (notes: string, reason: string): AppendedReason => {
  const line = reason.trim()
  if (line === "") return { notes, isShortened: false }
  const before = notes === "" ? "" : `${notes}\n`
  const remaining = maxNotesLength - before.length
  if (line.length <= remaining) return { notes: before + line, isShortened: false }
  const start = beginning(line, remaining - ellipsis.length)
  return { notes: start === "" ? notes : before + start + ellipsis, isShortened: true }
}

/** Returns the first whole characters of a text that have at most so many code units together. */
const beginning = (text: string, limit: number): string => {
  let end = 0
  for (const { index, segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) {
    if (index + segment.length > limit) break
    end = index + segment.length
  }
  return text.slice(0, end).trimEnd()
}
