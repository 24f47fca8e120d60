import type { CalendarEvent } from "./CalendarEvent.ts"
import type { PutCalendarEvent } from "./CalendarEventInput.ts"
import * as Cancellation from "./Cancellation.ts"

/** Which effects outside the calendar a write has. */
export interface EffectFlags {
  /** Whether the change is written to external calendars. */
  readonly sync: boolean
  /** Whether the change may be mailed to the customer. */
  readonly notify: boolean
}

/** Returns which effects a write has. Both flags are true by default (C-3.1-3, C-3.1-4, C-4.6-8). */
export const flagsOf = (body: Pick<PutCalendarEvent, "syncExternalCalendars" | "sendNotifications">): EffectFlags => ({
  sync: body.syncExternalCalendars ?? true,
  notify: body.sendNotifications ?? true
})

/**
 * Returns which effects a cancel has. The cancel is always written to external calendars (C-3.1-6, D-CAL-20), and it may
 * be mailed when `Cancellation.isMailed` returns true (C-3.1-7).
 *
 * @param before the calendar event before the cancel
 */
export const flagsOfCancel = (before: CalendarEvent): EffectFlags => ({
  sync: true,
  notify: Cancellation.isMailed(before)
})
