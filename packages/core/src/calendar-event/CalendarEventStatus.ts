import * as Schema from "effect/Schema"

/** The status of a calendar event (C-3.1-1). */
export const CalendarEventStatus = Schema.Literals(["scheduled", "confirmed", "cancelled", "completed", "no_show"])

/** The status of a calendar event. */
export type CalendarEventStatus = typeof CalendarEventStatus.Type

/** The meaning of each status. A status may change to any other (C-3.1-2, D-CAL-6). */
const table: {
  readonly [Status in CalendarEventStatus]: {
    /** `status_display` (C-2.5-4). */
    readonly label: string
    /** Whether no slot may overlap the event (D-CAL-12). */
    readonly blocks: boolean
    /** Whether the event is expected to take place. Only then invitations and reminders are sent. */
    readonly ahead: boolean
  }
} = {
  scheduled: { label: "Scheduled", blocks: true, ahead: true },
  confirmed: { label: "Confirmed", blocks: true, ahead: true },
  cancelled: { label: "Cancelled", blocks: false, ahead: false },
  completed: { label: "Completed", blocks: true, ahead: false },
  no_show: { label: "No Show", blocks: false, ahead: false }
}

/** Returns the label of a status, which the API shows as `status_display` (C-2.5-4). */
export const display = (status: CalendarEventStatus): string => table[status].label

/** Returns whether a calendar event with this status blocks its time, so that no slot may overlap it. */
export const blocks = (status: CalendarEventStatus): boolean => table[status].blocks

/** Returns whether a calendar event with this status is expected to take place: `scheduled` or `confirmed`. */
export const isAhead = (status: CalendarEventStatus): boolean => table[status].ahead
