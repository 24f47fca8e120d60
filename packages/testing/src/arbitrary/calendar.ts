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
import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"

/** A status of an event. */
export const eventStatus = (): fc.Arbitrary<CalendarEventStatus> => fc.constantFrom(...CalendarEventStatus.literals)

/** Some of the outside calendars. */
export const providers = (): fc.Arbitrary<ReadonlyArray<CalendarProviderKey>> =>
  fc.subarray<CalendarProviderKey>(["google", "outlook", "apple"])

const surrogates = 0x800

/**
 * Text that is hard on formats: line breaks of every kind, control characters, what iCalendar escapes, lines that look
 * like its own, and characters of one to four octets.
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

/** Instants of 2026 to the second, few enough to be equal now and then. */
export const instant = (options: { readonly from?: number; readonly hours?: number } = {}) =>
  fc
    .integer({ min: 0, max: (options.hours ?? 8_000) * 4 })
    .map((quarter) => DateTime.makeUnsafe((options.from ?? epoch) + quarter * 900_000))

/** Everything a write can say but the times, under any keys. */
const dataFields = (text: fc.Arbitrary<string>) => ({
  title: text,
  description: text,
  eventType: fc.constantFrom(...CalendarEventType.literals),
  status: eventStatus(),
  location: fc.option(text),
  hasVideoConference: fc.boolean(),
  videoConferenceUrl: url,
  videoConferenceProvider: text,
  isReminderEnabled: fc.boolean(),
  remindBeforeMinutes: fc.constantFrom(0, 5, 30, 1_440),
  aiAgent: fc.option(agentRef),
  team: fc.option(teamRef)
})

/** A customer; each field may be "". */
export const eventCustomer = (
  options: { readonly text?: fc.Arbitrary<string> } = {}
): fc.Arbitrary<CalendarEventCustomer> => fc.record(customerFields(options.text ?? oddText()))

/** A calendar event, by default of account 1 and with hard texts. */
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
      status: options.status ?? eventStatus(),
      id: fc.integer({ min: 1, max: 1_000_000 }).map((id) => CalendarEventId.make(id)),
      uuid: fc.uuid().map((uuid) => CalendarEventUuid.make(uuid)),
      startTime: instant(),
      minutes: fc.integer({ min: 1, max: 600 }),
      createdByAiAgent: fc.boolean(),
      customer: eventCustomer({ text }),
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
      toldStatus: eventStatus(),
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
 * What a write may say of an event, from nothing to everything. Both times or neither, in order, so that no change is
 * refused.
 */
export const eventChange = (
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
