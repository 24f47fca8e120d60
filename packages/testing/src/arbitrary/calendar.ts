import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { AgentId } from "@frontdesk/core/agent/Agent"
import {
  type CalendarEvent,
  type CalendarProviderKey,
  type CalendarEventCustomer,
  CalendarEventId,
  CalendarEventType,
  CalendarEventUuid,
  ExternalStatus
} from "@frontdesk/core/calendar-event/CalendarEvent"
import type { CalendarEventChange } from "@frontdesk/core/calendar-event/CalendarEventMerge"
import { CalendarEventStatus } from "@frontdesk/core/calendar-event/CalendarEventStatus"
import { ContactId } from "@frontdesk/core/contact/Contact"
import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"

/** Generates a status of a calendar event. */
export const calendarEventStatus = (): fc.Arbitrary<CalendarEventStatus> =>
  fc.constantFrom(...CalendarEventStatus.literals)

/** Generates a set of providers of external calendars. */
export const providers = (): fc.Arbitrary<ReadonlyArray<CalendarProviderKey>> =>
  fc.subarray<CalendarProviderKey>(["google", "outlook", "apple"])

/** The number of surrogate code points, which are not characters. */
const surrogates = 0x800

/**
 * Generates text that is difficult for text formats: every kind of line break, control characters, characters that
 * iCalendar escapes, lines that look like iCalendar, and characters of one to four bytes.
 */
export const oddText = (options: { readonly maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.oneof(
      fc.constantFrom("\r\n", "\n", "\r", "\u2028", "\u0085", "\t", "\0", "\u0007", "\u007f", "\u009b"),
      fc.constantFrom("\\", ";", ",", ":", '"', "^", "\\n", "\r\nBEGIN:VEVENT\r\n", "END:VCALENDAR", "日", "é", "👩‍👩‍👧"),
      fc
        .integer({ min: 0, max: 0x10ffff - surrogates })
        .map((n) => String.fromCodePoint(n < 0xd800 ? n : n + surrogates)),
      fc.string({ minLength: 1, maxLength: 30 })
    ),
    maxLength: options.maxLength ?? 12
  })

const mail = fc.oneof(
  fc.constant(""),
  fc.stringMatching(/^[a-z0-9]{1,8}$/).map((name) => `${name}@example.com`)
)

const url = fc.oneof(
  fc.constant(""),
  fc.stringMatching(/^[\w-]{1,12}$/).map((room) => `https://meet.example.com/${room}`)
)

const customerFields = (text: fc.Arbitrary<string>) => ({ name: text, email: mail, phone: text, notes: text })

const agentRef = fc
  .integer({ min: 1, max: 5 })
  .map((id) => ({ id: AgentId.make(id), name: `Agent ${id}`, assistantId: `asst_${id}` }))

const teamRef = fc.integer({ min: 1, max: 5 }).map((id) => ({ id: TeamId.make(id), name: `Team ${id}` }))

const epoch = Date.UTC(2026, 0, 1)

/**
 * Generates an instant at a whole quarter of an hour, so that some instants are equal. Default: one of the first 8,000
 * hours of 2026.
 */
export const instant = (options: { readonly from?: number; readonly hours?: number } = {}) =>
  fc
    .integer({ min: 0, max: (options.hours ?? 8_000) * 4 })
    .map((quarter) => DateTime.makeUnsafe((options.from ?? epoch) + quarter * 900_000))

/** The fields that a write can change, without the times and the customer. */
const dataFields = (text: fc.Arbitrary<string>) => ({
  title: text,
  description: text,
  eventType: fc.constantFrom(...CalendarEventType.literals),
  status: calendarEventStatus(),
  location: fc.option(text),
  hasVideoConference: fc.boolean(),
  videoConferenceUrl: url,
  videoConferenceProvider: text,
  isReminderEnabled: fc.boolean(),
  remindBeforeMinutes: fc.constantFrom(0, 5, 30, 1_440),
  aiAgent: fc.option(agentRef),
  team: fc.option(teamRef)
})

/** Generates a customer. Each field may be empty. */
export const calendarEventCustomer = (
  options: { readonly text?: fc.Arbitrary<string> } = {}
): fc.Arbitrary<CalendarEventCustomer> => fc.record(customerFields(options.text ?? oddText()))

/** Generates a calendar event, by default of account 1 and with the texts of {@link oddText}. */
export const calendarEvent = (
  options: {
    readonly text?: fc.Arbitrary<string>
    readonly status?: fc.Arbitrary<CalendarEventStatus>
    readonly accountId?: AccountId
  } = {}
): fc.Arbitrary<CalendarEvent> => {
  const text = options.text ?? oddText()
  return fc
    .record({
      ...dataFields(text),
      status: options.status ?? calendarEventStatus(),
      id: fc.integer({ min: 1, max: 1_000_000 }).map((id) => CalendarEventId.make(id)),
      uuid: fc.uuid().map((uuid) => CalendarEventUuid.make(uuid)),
      startTime: instant(),
      minutes: fc.integer({ min: 1, max: 600 }),
      createdByAiAgent: fc.boolean(),
      customer: calendarEventCustomer({ text }),
      contactId: fc.option(fc.integer({ min: 1, max: 5 }).map((id) => ContactId.make(id))),
      externalCalendars: fc.dictionary(
        fc.constantFrom("google", "outlook", "apple"),
        fc.record({ id: fc.uuid(), revision: fc.option(fc.string()) })
      ),
      externalCalendarsStatus: fc.dictionary(
        fc.constantFrom("google", "outlook", "apple"),
        fc.record({ status: fc.constantFrom(...ExternalStatus.literals), at: instant() })
      ),
      notifyOnCancel: fc.boolean(),
      isInvitationSent: fc.option(fc.boolean()),
      toldStatus: calendarEventStatus(),
      sequence: fc.nat(9),
      createdAt: instant({ hours: 10 }),
      updatedAt: instant({ hours: 10 })
    })
    .map(({ isInvitationSent, minutes, toldStatus, ...event }) => ({
      ...event,
      invitation:
        isInvitationSent === null || event.customer.email === ""
          ? null
          : {
              email: event.customer.email,
              isSent: isInvitationSent,
              status: toldStatus,
              ...(isInvitationSent ? { told: {} } : {})
            },
      accountId: options.accountId ?? AccountId.make(1),
      endTime: DateTime.add(event.startTime, { minutes })
    }))
}

/**
 * Generates a change of any fields of a calendar event. It has both times in order or neither, so that no rule refuses
 * it.
 */
export const calendarEventChange = (
  options: { readonly text?: fc.Arbitrary<string> } = {}
): fc.Arbitrary<CalendarEventChange> => {
  const text = options.text ?? fc.constantFrom("", "a", "b")
  const times = fc
    .tuple(instant({ hours: 2 }), fc.integer({ min: 1, max: 60 }))
    .map(([startTime, minutes]) => ({ startTime, endTime: DateTime.add(startTime, { minutes }) }))
  return fc
    .tuple(
      fc.record(dataFields(text), { requiredKeys: [] }),
      fc.option(times),
      fc.option(fc.record(customerFields(text), { requiredKeys: [] }))
    )
    .map(([data, range, customer]) => ({ ...data, ...range, ...(customer === null ? {} : { customer }) }))
}
