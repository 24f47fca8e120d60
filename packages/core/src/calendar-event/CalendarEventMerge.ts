import * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import type { CalendarEvent, CalendarEventCustomer } from "./CalendarEvent.ts"
import * as EmailAddress from "../values/EmailAddress.ts"
import { InvalidTimeRange } from "./CalendarError.ts"

/** What a write may set of an event. */
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

/** What a write says of an event: what is absent is not said. Of the customer each field on its own. */
export type CalendarEventChange = Partial<CalendarEventData> & { readonly customer?: Partial<CalendarEventCustomer> }

/** What an event has when its creation does not say (D-CAL-4). */
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

/** What a creation says beside the event's data. */
export type Creation = CalendarEventChange &
  Pick<CalendarEventData, "title" | "startTime" | "endTime"> &
  Pick<CalendarEvent, "uuid" | "accountId" | "createdByAiAgent" | "notifyOnCancel">

/** A new event (C-4.6-5). Fails when it does not end after it starts. */
export const create = (
  creation: Creation,
  now: DateTime.Utc
): Result.Result<Omit<CalendarEvent, "id">, InvalidTimeRange> =>
  checkTimes({
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
 * The event that a PUT makes: title, times and status keep their value when absent, everything else goes back to its
 * default (D-CAL-1). Fails when it does not end after it starts.
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
 * The event with only what is supplied changed. Fails when it does not end after it starts, also when one of the times
 * was supplied and the other one was there.
 *
 * A change that changes nothing answers the very event that was given. Any other raises `updatedAt`, also when the clock
 * has not moved or was put back, and one of time, place, status or customer's address `sequence` (D-CAL-19): no two states share both.
 */
export const patch = (
  event: CalendarEvent,
  change: CalendarEventChange,
  now: DateTime.Utc
): Result.Result<CalendarEvent, InvalidTimeRange> =>
  Result.map(checkTimes({ ...event, ...change, customer: { ...event.customer, ...change.customer } }), (changed) =>
    Equal.equals(changed, event)
      ? event
      : {
          ...changed,
          sequence: isRevision(event, changed) ? event.sequence + 1 : event.sequence,
          updatedAt: DateTime.max(now, DateTime.add(event.updatedAt, { milliseconds: 1 }))
        }
  )

/** The event, when it ends after it starts (C-2.5-3). */
export const checkTimes = <E extends Pick<CalendarEventData, "startTime" | "endTime">>(
  event: E
): Result.Result<E, InvalidTimeRange> =>
  DateTime.isGreaterThan(event.endTime, event.startTime)
    ? Result.succeed(event)
    : Result.fail(new InvalidTimeRange({ startTime: event.startTime, endTime: event.endTime }))

/** Whether two states of an event lie at another time. */
export const isMoved = (before: CalendarEventData, after: CalendarEventData): boolean =>
  !DateTime.Equivalence(before.startTime, after.startTime) || !DateTime.Equivalence(before.endTime, after.endTime)

type Revised = CalendarEventData & Pick<CalendarEvent, "customer">

const isRevision = (before: Revised, after: Revised): boolean =>
  isMoved(before, after) ||
  before.status !== after.status ||
  before.location !== after.location ||
  before.videoConferenceUrl !== after.videoConferenceUrl ||
  // The address that is left out gets a cancellation, which has to be newer than its invitation (RFC 5546 3.2.5).
  !EmailAddress.isSameMailbox(before.customer.email, after.customer.email)
