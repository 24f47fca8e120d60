import * as Schema from "effect/Schema"

/** How an event stands (C-3.1-1). */
export const CalendarEventStatus = Schema.Literals(["scheduled", "confirmed", "cancelled", "completed", "no_show"])

/** How an event stands. */
export type CalendarEventStatus = typeof CalendarEventStatus.Type

/** What each status means, one row a status. Any may follow any other (C-3.1-2, D-CAL-6). */
const table: {
  readonly [Status in CalendarEventStatus]: {
    /** `status_display` (C-2.5-4). */
    readonly label: string
    /** Takes its time in the calendar (availability, "What blocks"). */
    readonly blocks: boolean
    /** Is still to take place: worth a reminder and an invitation. */
    readonly ahead: boolean
  }
} = {
  scheduled: { label: "Scheduled", blocks: true, ahead: true },
  confirmed: { label: "Confirmed", blocks: true, ahead: true },
  cancelled: { label: "Cancelled", blocks: false, ahead: false },
  completed: { label: "Completed", blocks: true, ahead: false },
  no_show: { label: "No Show", blocks: false, ahead: false }
}

/** The label of a status, `status_display` (C-2.5-4). */
export const display = (status: CalendarEventStatus): string => table[status].label

/** Whether an event in this status takes its time in the calendar. */
export const blocks = (status: CalendarEventStatus): boolean => table[status].blocks

/** Whether an event in this status is still to take place. */
export const isAhead = (status: CalendarEventStatus): boolean => table[status].ahead
