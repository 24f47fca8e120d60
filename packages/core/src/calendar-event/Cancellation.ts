import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { CalendarEvent } from "./CalendarEvent.ts"
import * as CalendarEventMerge from "./CalendarEventMerge.ts"
import { isSent } from "./Invitation.ts"

/** A calendar event that was cancelled. */
export interface CancelledCalendarEvent {
  readonly event: CalendarEvent
  /** Whether the reason was shortened or left out, because it exceeds the maximum length of the customer's notes. */
  readonly isReasonShortened: boolean
}

/**
 * Returns the calendar event cancelled, whatever its status was (C-3.1-5). The reason is appended to the customer's notes
 * unless it is blank (C-3.1-8).
 * A reason that is too long is shortened, so that it never prevents a cancel.
 */
export const cancel = (event: CalendarEvent, reason: string, now: DateTime.Utc): CancelledCalendarEvent => {
  const { isShortened, notes } = appendReason(event.customer.notes, reason)
  const cancelled = CalendarEventMerge.patch(event, { status: "cancelled", customer: { notes } }, now)
  return { event: Result.getOrElse(cancelled, () => event), isReasonShortened: isShortened }
}

/**
 * Returns whether a cancel is mailed to a customer with an address (C-3.1-7, D-NOTIFY-8): when `send_notifications` was on
 * at creation, or when the customer may have an invitation. An invited customer who gets no mail would still expect the
 * event.
 *
 * @param before the calendar event before the cancel
 */
export const isMailed = (before: CalendarEvent): boolean => before.notifyOnCancel || isSent(before)

/** The maximum number of UTF-16 code units of a customer's notes. */
export const maxNotesLength = 10_000

/** The customer's notes with an appended reason. */
export interface AppendedReason {
  readonly notes: string
  /** Whether the reason was shortened or left out, because it exceeds {@link maxNotesLength}. */
  readonly isShortened: boolean
}

const ellipsis = "…"

/**
 * Returns the customer's notes with the reason as their last line (D-CAL-16). With a blank reason the notes are unchanged.
 *
 * A reason that exceeds {@link maxNotesLength} is cut between two graphemes and ends in an ellipsis. When not even one
 * grapheme fits, the reason is left out.
 */
export const appendReason = (notes: string, reason: string): AppendedReason => {
  const line = reason.trim()
  if (line === "") return { notes, isShortened: false }
  const before = notes === "" ? "" : `${notes}\n`
  const remaining = maxNotesLength - before.length
  if (line.length <= remaining) return { notes: before + line, isShortened: false }
  const shortened = prefix(line, remaining - ellipsis.length)
  return { notes: shortened === "" ? notes : before + shortened + ellipsis, isShortened: true }
}

/**
 * Returns the longest prefix of whole graphemes that has at most `maxLength` code units, without white space at its
 * end.
 */
const prefix = (text: string, maxLength: number): string => {
  let end = 0
  for (const { index, segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) {
    if (index + segment.length > maxLength) break
    end = index + segment.length
  }
  return text.slice(0, end).trimEnd()
}
