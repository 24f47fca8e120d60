import * as Schema from "effect/Schema"

/** How an event stands (Contract 3.1). */
export const EventStatus = Schema.Literals(["scheduled", "confirmed", "cancelled", "completed", "no_show"])

/** How an event stands. */
export type EventStatus = typeof EventStatus.Type

const all = EventStatus.literals

/** What each status means, one row a status. */
const table: {
  readonly [Status in EventStatus]: {
    /** `status_display` (Contract 2.5). */
    readonly label: string
    /** Takes its time in the calendar (availability, "What blocks"). */
    readonly blocks: boolean
    /** Is still to take place: worth a reminder and an invitation. */
    readonly ahead: boolean
    /** The statuses that may follow (Decisions 7: every one). */
    readonly next: ReadonlyArray<EventStatus>
  }
} = {
  scheduled: { label: "Scheduled", blocks: true, ahead: true, next: all },
  confirmed: { label: "Confirmed", blocks: true, ahead: true, next: all },
  cancelled: { label: "Cancelled", blocks: false, ahead: false, next: all },
  completed: { label: "Completed", blocks: true, ahead: false, next: all },
  no_show: { label: "No Show", blocks: false, ahead: false, next: all }
}

/** The label of a status, `status_display` (Contract 2.5). */
export const display = (status: EventStatus): string => table[status].label

/** Whether an event in this status takes its time in the calendar. */
export const blocks = (status: EventStatus): boolean => table[status].blocks

/** Whether an event in this status is still to take place. */
export const isAhead = (status: EventStatus): boolean => table[status].ahead

/** Whether one status may follow another (Contract 3.1, Decisions 7). */
export const mayFollow = (from: EventStatus, to: EventStatus): boolean => table[from].next.includes(to)
