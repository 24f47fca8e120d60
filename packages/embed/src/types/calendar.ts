import type { AgentRef, CalendarProvider, CallOptions, List, LocalDate, PageQuery, TeamRef, Time } from "./common.ts"
import type { Delivery } from "./webhook.ts"

/** The type of a calendar event. */
export type CalendarEventType = "meeting" | "appointment" | "busy" | "voice_call" | "video_call"

/** The status of a calendar event. It may change to any other. */
export type CalendarEventStatus = "scheduled" | "confirmed" | "cancelled" | "completed" | "no_show"

/** The person that a calendar event is with. An unknown value is "". */
export interface CalendarEventCustomer {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly notes: string
}

/** The copy of a calendar event in an external calendar. */
export interface ExternalCopy {
  /** The id of the copy in the external calendar. */
  readonly id: string
  /** What the adapter last wrote, in a format of its own. Null when it does not need it. */
  readonly revision: string | null
  /** True while the copy differs because the owner accepted a person's change. */
  readonly isKept?: boolean | undefined
}

/** The state of a copy in an external calendar, and since when. */
export interface ExternalState {
  readonly status: "pending" | "synced" | "conflict" | "gone" | "kept" | "failed"
  readonly at: string
}

/** The invitation of a calendar event's customer. */
export interface Invitation {
  readonly email: string
  /** Whether the mail server may have the invitation. */
  readonly isSent: boolean
  /** The status that the last mail showed. */
  readonly status: CalendarEventStatus
  /** True once the mail server has certainly accepted a mail to the address. */
  readonly isAccepted?: boolean | undefined
  /** True while it is uncertain whether a mail to the address arrived. */
  readonly isUnanswered?: boolean | undefined
  /** The values that the last mail showed and that the calendar event no longer has. */
  readonly told?: { readonly [K in keyof MailFields]?: MailFields[K] | undefined } | undefined
}

/** The fields of a calendar event that a mail or its attached invitation shows. */
interface MailFields {
  readonly title: string
  readonly description: string
  readonly status: CalendarEventStatus
  readonly startTime: string
  /** After `startTime`. */
  readonly endTime: string
  readonly location: string | null
  readonly videoConferenceUrl: string
  readonly videoConferenceProvider: string
}

/** A calendar event. */
export interface CalendarEvent extends MailFields {
  readonly id: number
  readonly uuid: string
  readonly accountId: number
  readonly eventType: CalendarEventType
  readonly hasVideoConference: boolean
  readonly createdByAiAgent: boolean
  readonly isReminderEnabled: boolean
  readonly remindBeforeMinutes: number
  readonly customer: CalendarEventCustomer
  /** The agent as it was when it was linked. */
  readonly aiAgent: AgentRef | null
  readonly team: TeamRef | null
  /** The copy in each external calendar that has one, by provider. */
  readonly externalCalendars: { readonly [provider: string]: ExternalCopy }
  /** The state of the copy in each external calendar that should have one, by provider. */
  readonly externalCalendarsStatus: { readonly [provider: string]: ExternalState }
  /** Whether the customer is mailed about a cancel, and reminded by mail. */
  readonly notifyOnCancel: boolean
  /** Null when the customer's present address was not invited. */
  readonly invitation: Invitation | null
  /** The SEQUENCE of RFC 5545. */
  readonly sequence: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** The id of a calendar event, or its UUID. */
export type CalendarEventKey = number | string | { readonly id: number } | { readonly uuid: string }

/** The fields that every write may set. Null counts as absent. */
interface CalendarEventFields {
  readonly description?: string | null | undefined
  readonly eventType?: CalendarEventType | null | undefined
  readonly status?: CalendarEventStatus | null | undefined
  readonly customerName?: string | null | undefined
  readonly customerEmail?: string | null | undefined
  readonly customerPhone?: string | null | undefined
  readonly customerNotes?: string | null | undefined
  readonly hasVideoConference?: boolean | null | undefined
  readonly videoConferenceUrl?: string | null | undefined
  readonly videoConferenceProvider?: string | null | undefined
  readonly isReminderEnabled?: boolean | null | undefined
  readonly remindBeforeMinutes?: number | null | undefined
  readonly location?: string | null | undefined
  readonly aiAgentId?: number | null | undefined
  readonly teamId?: number | null | undefined
  /** Whether this write is synced to external calendars. Default: true. */
  readonly syncExternalCalendars?: boolean | null | undefined
  /** Whether this write notifies the customer. Default: true. */
  readonly sendNotifications?: boolean | null | undefined
  /** Whether this write is rejected when the calendar event overlaps another one. Default: the account's setting. */
  readonly rejectConflicts?: boolean | null | undefined
  /**
   * Whether only a time is booked that availability offers now, by the external calendars too. Otherwise the error is
   * `slot_unavailable`, and its `details` are the nearest free times. Default: false.
   */
  readonly requireAvailable?: boolean | null | undefined
}

/** The calendar event to create. */
export interface CreateCalendarEvent extends CalendarEventFields {
  readonly title: string
  readonly startTime: Time
  readonly endTime: Time
  readonly createdByAiAgent?: boolean | null | undefined
}

/** The calendar event that replaces the stored one. Title, times and status keep their values when they are absent. */
export interface PutCalendarEvent extends CalendarEventFields {
  readonly title?: string | null | undefined
  readonly startTime?: Time | null | undefined
  readonly endTime?: Time | null | undefined
}

/** A change of a calendar event. An absent field keeps its value. Null clears `location`, `aiAgentId` and `teamId`. */
export interface PatchCalendarEvent {
  readonly title?: string | undefined
  readonly startTime?: Time | undefined
  readonly endTime?: Time | undefined
  readonly description?: string | undefined
  readonly eventType?: CalendarEventType | undefined
  readonly status?: CalendarEventStatus | undefined
  readonly customerName?: string | undefined
  readonly customerEmail?: string | undefined
  readonly customerPhone?: string | undefined
  readonly customerNotes?: string | undefined
  readonly hasVideoConference?: boolean | undefined
  readonly videoConferenceUrl?: string | undefined
  readonly videoConferenceProvider?: string | undefined
  readonly isReminderEnabled?: boolean | undefined
  readonly remindBeforeMinutes?: number | undefined
  readonly location?: string | null | undefined
  readonly aiAgentId?: number | null | undefined
  readonly teamId?: number | null | undefined
  /** Whether this write is synced to external calendars. Default: true. */
  readonly syncExternalCalendars?: boolean | undefined
  /** Whether this write notifies the customer. Default: true. */
  readonly sendNotifications?: boolean | undefined
  /** Whether this write is rejected when the calendar event overlaps another one. Default: the account's setting. */
  readonly rejectConflicts?: boolean | undefined
  /**
   * Whether only a time is booked that availability offers now, by the external calendars too. Otherwise the error is
   * `slot_unavailable`, and its `details` are the nearest free times. Default: false.
   */
  readonly requireAvailable?: boolean | undefined
}

/** A cancel. */
export interface CancelCalendarEvent {
  /** Appended to the customer's notes. */
  readonly reason?: string | null | undefined
}

/** A calendar event that was cancelled. */
export interface CancelledCalendarEvent {
  readonly event: CalendarEvent
  /** Whether the reason was shortened, because the customer's notes would become too long. */
  readonly isReasonShortened: boolean
}

/** How the owner resolves a conflict in an external calendar. */
export interface ResolveCopy {
  readonly resolution: "overwrite" | "keep_theirs"
}

/** The filters of the list of calendar events. Dates are days in the account's time zone, both included. */
export interface CalendarEventQuery {
  readonly startDate?: LocalDate | undefined
  readonly endDate?: LocalDate | undefined
  readonly status?: CalendarEventStatus | undefined
  readonly eventType?: CalendarEventType | undefined
  readonly aiAgentId?: number | undefined
  readonly teamId?: number | undefined
  readonly customerEmail?: string | undefined
  /** A contact: its events are those that were booked for it, or have one of its phone numbers or its e-mail address. */
  readonly contactId?: number | undefined
  /** Whether the list also has the events that began before `startDate` and end after it has begun. Default: false. */
  readonly overlapping?: boolean | undefined
}

/** The calendar of the caller: calendar events of its account and of its teams. */
export interface Calendar {
  /** Adds a calendar event, and returns it. Rejects with `slot_unavailable` when conflicts are rejected and there is one. */
  readonly create: (event: CreateCalendarEvent, options?: CallOptions) => Promise<CalendarEvent>
  /** Returns a calendar event by its id or UUID. */
  readonly get: (key: CalendarEventKey, options?: CallOptions) => Promise<CalendarEvent>
  /** Lists the calendar events that match the filters, ordered by start. */
  readonly list: (query?: CalendarEventQuery & PageQuery, options?: CallOptions) => List<CalendarEvent>
  /** Lists the deliveries of webhook events about an event to all webhooks of the account, newest first, at most 10,000. */
  readonly deliveries: (key: CalendarEventKey, query?: PageQuery, options?: CallOptions) => List<Delivery>
  /** Another name of `list`. */
  readonly events: (query?: CalendarEventQuery & PageQuery, options?: CallOptions) => List<CalendarEvent>
  /** Replaces a calendar event, and returns it. */
  readonly put: (key: CalendarEventKey, event: PutCalendarEvent, options?: CallOptions) => Promise<CalendarEvent>
  /** Changes the given fields. Without a difference there is no webhook event. */
  readonly patch: (key: CalendarEventKey, change: PatchCalendarEvent, options?: CallOptions) => Promise<CalendarEvent>
  /** Cancels a calendar event, whatever its status is. */
  readonly cancel: (
    key: CalendarEventKey,
    cancel?: CancelCalendarEvent,
    options?: CallOptions
  ) => Promise<CancelledCalendarEvent>
  /** Resolves a conflict in an external calendar. Only the owner of the calendar event may. */
  readonly resolveCopy: (
    key: CalendarEventKey,
    provider: CalendarProvider,
    resolution: ResolveCopy,
    options?: CallOptions
  ) => Promise<CalendarEvent>
  /** Returns a calendar event as an iCalendar file. */
  readonly ics: (key: CalendarEventKey, options?: CallOptions) => Promise<string>
}

/** The query for free slots. */
export interface AvailabilityQuery {
  /** The first local date, in the account's time zone. Default: today. */
  readonly startDate?: LocalDate | undefined
  /** The last local date, included in the search. Default: six days after the first. */
  readonly endDate?: LocalDate | undefined
  /** The duration of a slot in minutes, 1 to 180. Default: 30. */
  readonly duration?: number | undefined
  /** The IANA time zone in which the slots are written. Default: the account's time zone. */
  readonly timeZone?: string | undefined
  /** A calendar event that is treated as if it took no time, because it is about to be moved. */
  readonly excludeEventId?: CalendarEventKey | undefined
  /** The maximum number of slots, 1 to 5,000. Default: 2,000. */
  readonly limit?: number | undefined
}

/** A free slot. Both times have the offset of the answer's time zone: `2026-03-09T09:00:00-04:00`. */
export interface Slot {
  readonly start: string
  readonly end: string
}

/** The free slots of an account. */
export interface AvailabilityAnswer {
  /** The account. */
  readonly userId: number
  readonly startDate: string
  readonly endDate: string
  readonly durationMinutes: number
  readonly timeZone: string
  readonly slots: ReadonlyArray<Slot>
  /** The start of the first slot beyond the limit. Null when the answer has all slots. */
  readonly nextStart: string | null
  /** The external calendars whose busy times the slots avoid, and when each was read. */
  readonly externalCalendars: ReadonlyArray<{ readonly provider: CalendarProvider; readonly readAt: string }>
}

/** The query for the busy times of external calendars. */
export interface ExternalBusyQuery {
  /** The first local date, in the account's time zone. Default: today. */
  readonly startDate?: LocalDate | undefined
  /** The last local date, included. Default: six days after the first. */
  readonly endDate?: LocalDate | undefined
}

/** The busy times of an account's external calendars. Times have the offset of the account's time zone. */
export interface ExternalBusyAnswer {
  readonly startDate: string
  readonly endDate: string
  readonly timeZone: string
  readonly busyTimes: ReadonlyArray<{
    readonly start: string
    readonly end: string
    /** The calendars that are busy during the time. */
    readonly providers: ReadonlyArray<CalendarProvider>
  }>
  /** The start of the first time beyond the 5,000 of an answer. Null when the answer has all times. */
  readonly nextStart: string | null
  /** The external calendars that were read, and when. */
  readonly externalCalendars: ReadonlyArray<{ readonly provider: CalendarProvider; readonly readAt: string }>
  /** The external calendars that cannot be read, so that their busy times are missing. */
  readonly unavailable: ReadonlyArray<CalendarProvider>
}

/** The free slots of the caller. */
export interface Availability {
  /** Returns the free slots between two dates, by the account's settings, its calendar and its external calendars. */
  readonly find: (query?: AvailabilityQuery, options?: CallOptions) => Promise<AvailabilityAnswer>
  /** Returns when the account's external calendars are busy. A calendar that cannot be read is in `unavailable`. */
  readonly busy: (query?: ExternalBusyQuery, options?: CallOptions) => Promise<ExternalBusyAnswer>
}
