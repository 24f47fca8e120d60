import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { TeamId } from "../access/Team.ts"
import { AgentId } from "../agent/Agent.ts"
import { ContactId } from "../contact/Contact.ts"
import * as DateRange from "../values/DateRange.ts"
import { DateTimeText } from "../values/DateTimeText.ts"
import { EmailAddressOrEmpty } from "../values/EmailAddress.ts"
import * as Text from "../values/Text.ts"
import { maxNotesLength } from "./Cancellation.ts"
import { CopyResolution, CalendarEventType } from "./CalendarEvent.ts"
import { CalendarEventStatus } from "./CalendarEventStatus.ts"

const UrlOrEmpty = Text.matching(
  0,
  2_048,
  String.raw`^(?:[Hh][Tt][Tt][Pp][Ss]?://[^\s\p{C}<>"]+)?$`,
  'an http or https URL, or ""'
)

/** The maximum of `remind_before_minutes`: four weeks. */
export const maxRemindBefore = 40_320

/** The fields that every write may set, and that a PATCH cannot clear with null. The customer's fields are flat (C-2.5-10). */
const plain = {
  description: Text.upTo(10_000),
  eventType: CalendarEventType,
  status: CalendarEventStatus,
  customerName: Text.upTo(255),
  customerEmail: EmailAddressOrEmpty,
  customerPhone: Text.upTo(50),
  customerNotes: Text.upTo(maxNotesLength),
  hasVideoConference: Schema.Boolean,
  videoConferenceUrl: UrlOrEmpty,
  videoConferenceProvider: Text.upTo(100),
  isReminderEnabled: Schema.Boolean,
  remindBeforeMinutes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxRemindBefore }))
}

/** The fields that a PATCH clears with null. */
const clearable = {
  location: Schema.NullOr(Text.upTo(1_000)),
  aiAgentId: Schema.NullOr(AgentId),
  teamId: Schema.NullOr(TeamId)
}

/**
 * Options of one write, which are not stored in the calendar event (C-2.5-10). They say whether the write is synced to
 * external calendars (C-3.1-3), notifies the customer (C-3.1-4), and which times it may not take. The first two are true by
 * default (C-4.6-8): `CalendarEventFlags.flagsOf`.
 *
 * `requireAvailable` books only a time that availability offers (D-CAL-11): within working hours, with the buffers and the
 * minimum notice of the account, free of its calendar events and of its external calendars, which are read now. Only the
 * account that owns the event can use it. It includes the check of `rejectConflicts`.
 *
 * `rejectConflicts` can turn the check for overlaps on. It cannot turn the check off when the account's setting has turned
 * it on (D-CAL-10).
 */
const flags = {
  syncExternalCalendars: Schema.Boolean,
  sendNotifications: Schema.Boolean,
  rejectConflicts: Schema.Boolean,
  requireAvailable: Schema.Boolean
}

const titleAndTimes = { title: Text.filled(255), startTime: DateTimeText, endTime: DateTimeText }

const orNull = Struct.map(Schema.NullOr)
const optional = Struct.map(Schema.optionalKey)

/**
 * The body of a create (C-4.6-5). Title and both times are required. For every other field null counts as absent.
 *
 * Texts are limited to 255 characters (title, customer name), 10,000 (description, notes), 1,000 (location), 2,048
 * (URL), 254 (e-mail), 100 (provider) and 50 (phone).
 */
export const CreateCalendarEvent = Schema.Struct({
  ...titleAndTimes,
  ...optional(orNull({ ...plain, ...clearable, createdByAiAgent: Schema.Boolean, ...flags }))
})

/** The body of a create. */
export type CreateCalendarEvent = typeof CreateCalendarEvent.Type

/**
 * The body of a PUT (C-4.6-6). It has every field of a create except `createdByAiAgent`. All are optional (C-4.6-7),
 * and null counts as absent (D-HTTP-4).
 */
export const PutCalendarEvent = Schema.Struct(optional(orNull({ ...titleAndTimes, ...plain, ...clearable, ...flags })))

/** The body of a PUT. */
export type PutCalendarEvent = typeof PutCalendarEvent.Type

/**
 * The body of a PATCH (C-4.6-6). It has the fields of a PUT (C-4.6-7). An absent field keeps its value. Null clears
 * `location`, `ai_agent_id` and `team_id` (D-CAL-15), and is invalid for every other field (D-HTTP-3).
 */
export const PatchCalendarEvent = Schema.Struct(optional({ ...titleAndTimes, ...plain, ...clearable, ...flags }))

/** The body of a PATCH. */
export type PatchCalendarEvent = typeof PatchCalendarEvent.Type

/** The body of a cancel (C-4.6-10). A blank reason counts as absent. */
export const CancelCalendarEvent = Schema.Struct({ reason: Schema.optionalKey(Schema.NullOr(Text.upTo(2_000))) })

/** The body of a cancel. */
export type CancelCalendarEvent = typeof CancelCalendarEvent.Type

/** The body of a request that resolves a conflict in an external calendar. */
export const ResolveCopy = Schema.Struct({ resolution: CopyResolution })

/** The body of a request that resolves a conflict in an external calendar. */
export type ResolveCopy = typeof ResolveCopy.Type

/** The filters of the list of calendar events. Dates are days in the caller's time zone, both included (D-CAL-8). */
export const CalendarEventQuery = Schema.Struct({
  ...DateRange.fields,
  status: Schema.optional(CalendarEventStatus),
  eventType: Schema.optional(CalendarEventType),
  aiAgentId: Schema.optional(AgentId),
  teamId: Schema.optional(TeamId),
  /** The comparison ignores upper and lower case. */
  customerEmail: Schema.optional(Text.searched),
  /** A contact that the caller sees (D-CAL-21). */
  contactId: Schema.optional(ContactId),
  /**
   * Whether the list also has the events that began before `startDate` and end after it has begun (D-CAL-22). Default:
   * false.
   */
  overlapping: Schema.optional(Schema.Boolean)
})

/** The filters of the list of calendar events. */
export type CalendarEventQuery = typeof CalendarEventQuery.Type
