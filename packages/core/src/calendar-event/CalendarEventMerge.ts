import * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import type { CalendarEvent, CalendarEventCustomer } from "./CalendarEvent.ts"
import * as EmailAddress from "../values/EmailAddress.ts"
import type { InvalidTimeRange } from "./CalendarEventError.ts"
import * as CalendarEventTimes from "./CalendarEventTimes.ts"

/** The fields of a calendar event that a write may set, without the customer. */
export type CalendarEventData = Pick<
  CalendarEvent,
  | "title"
  | "description"
  | "eventType"
  | "status"
  | "startTime"
  | "endTime"
  | "location"
  | "hasVideoConference"
  | "videoConferenceUrl"
  | "videoConferenceProvider"
  | "isReminderEnabled"
  | "remindBeforeMinutes"
  | "aiAgent"
  | "team"
>

/** A change of a calendar event. An absent field is not changed, and neither is an absent field of the customer. */
export type CalendarEventChange = Partial<CalendarEventData> & { readonly customer?: Partial<CalendarEventCustomer> }

/** The values of the fields that a creation does not set (D-CAL-4). */
export const defaults = {
  description: "",
  eventType: "meeting",
  status: "scheduled",
  location: null,
  hasVideoConference: false,
  videoConferenceUrl: "",
  videoConferenceProvider: "",
  isReminderEnabled: false,
  remindBeforeMinutes: 30,
  aiAgent: null,
  team: null,
  customer: { name: "", email: "", phone: "", notes: "" }
} as const satisfies CalendarEventChange

/** A creation: a change with title and times, and what only a creation sets. */
export type Creation = CalendarEventChange &
  Pick<CalendarEventData, "title" | "startTime" | "endTime"> &
  Pick<CalendarEvent, "uuid" | "accountId" | "contactId" | "createdByAiAgent" | "notifyOnCancel">

/** Returns a new calendar event (C-4.6-5). Fails with `InvalidTimeRange` when it does not end after it starts. */
export const create = (
  creation: Creation,
  now: DateTime.Utc
): Result.Result<Omit<CalendarEvent, "id">, InvalidTimeRange> =>
  CalendarEventTimes.checkOrder({
    ...defaults,
    ...creation,
    customer: { ...defaults.customer, ...creation.customer },
    externalCalendars: {},
    externalCalendarsStatus: {},
    invitation: null,
    sequence: 0,
    createdAt: now,
    updatedAt: now
  })

/**
 * Returns the calendar event after a PUT. Title, times and status keep their values when they are absent. Every other
 * absent field gets its default (D-CAL-1). Fails with `InvalidTimeRange` when the event does not end after it starts.
 */
export const put = (
  event: CalendarEvent,
  change: CalendarEventChange,
  now: DateTime.Utc
): Result.Result<CalendarEvent, InvalidTimeRange> =>
  patch(
    event,
    { ...defaults, status: event.status, ...change, customer: { ...defaults.customer, ...change.customer } },
    now
  )

/**
 * Returns the calendar event after a PATCH: only the fields of the change have new values. Fails with
 * `InvalidTimeRange` when the event does not end after it starts, also when the change has only one of the times.
 *
 * A change that leaves every value equal returns the given object itself. Any other change raises `updatedAt` by at
 * least one millisecond, even when the clock was set back (D-CAL-18). A change of time, location, video link, status or
 * the customer's address also raises `sequence` (D-CAL-19). So no two states of an event have the same `updatedAt` and
 * `sequence`.
 */
export const patch = (
  event: CalendarEvent,
  change: CalendarEventChange,
  now: DateTime.Utc
): Result.Result<CalendarEvent, InvalidTimeRange> =>
  Result.map(
    CalendarEventTimes.checkOrder({ ...event, ...change, customer: { ...event.customer, ...change.customer } }),
    (changed) =>
      Equal.equals(changed, event)
        ? event
        : {
            ...changed,
            sequence: isRevision(event, changed) ? event.sequence + 1 : event.sequence,
            updatedAt: DateTime.max(now, DateTime.add(event.updatedAt, { milliseconds: 1 }))
          }
  )

type Revised = CalendarEventData & Pick<CalendarEvent, "customer">

const isRevision = (before: Revised, after: Revised): boolean =>
  CalendarEventTimes.isMoved(before, after) ||
  before.status !== after.status ||
  before.location !== after.location ||
  before.videoConferenceUrl !== after.videoConferenceUrl ||
  // The previous address gets a cancellation, whose SEQUENCE must be higher than that of its invitation (RFC 5546
  // 3.2.5).
  !EmailAddress.isSameMailbox(before.customer.email, after.customer.email)
