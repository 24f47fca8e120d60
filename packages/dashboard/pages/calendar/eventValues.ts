import type { CalendarEventItem, Slot } from "@frontdesk/client"

/** Every type of a calendar event. */
export const eventTypes = [
  "meeting",
  "appointment",
  "voice_call",
  "video_call",
  "busy"
] as const satisfies ReadonlyArray<CalendarEventItem["event_type"]>

/** Every status of a calendar event. */
export const eventStatuses = [
  "scheduled",
  "confirmed",
  "completed",
  "no_show",
  "cancelled"
] as const satisfies ReadonlyArray<CalendarEventItem["status"]>

/** A time that a calendar event takes up, in epoch milliseconds. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

/** Returns the time of a calendar event. */
export const rangeOf = (event: Pick<CalendarEventItem, "start_time" | "end_time">): TimeRange => ({
  start: Date.parse(event.start_time),
  end: Date.parse(event.end_time)
})

/** Returns an instant as the API takes it. */
export const isoOf = (instant: number): string => new Date(instant).toISOString()

/** Returns the slots without those that start less than 15 minutes after the one before, which would cover each other. */
export const thinned = (slots: ReadonlyArray<Slot>): ReadonlyArray<Slot> => {
  let last = Number.NEGATIVE_INFINITY
  return slots.filter(({ start }) => {
    const at = Date.parse(start)
    if (at - last < 15 * 60_000) return false
    last = at
    return true
  })
}
