import type { BookedFields } from "@frontdesk/core/booking/BookingInput"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { isAnonymous } from "@frontdesk/core/call/InboundNumber"
import { formatOffset, type TimeZone } from "@frontdesk/core/values/TimeZone"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { AnsweredEvent } from "../tool/ToolAnswers.ts"
import type { ArgumentsByName } from "../tool/Tools.ts"
import type { JsonFields } from "../wire/Json.ts"
import type { ToolUser } from "./ToolUser.ts"

/** Returns a calendar event as tools answer it, with its times in a zone. */
export const answerOf = (
  { endTime, id, startTime, status, title, uuid }: CalendarEvent,
  zone: TimeZone
): AnsweredEvent => ({
  id,
  uuid,
  title,
  start_time: formatOffset(DateTime.toEpochMillis(startTime), zone),
  end_time: formatOffset(DateTime.toEpochMillis(endTime), zone),
  status
})

const Rest = [Schema.Record(Schema.String, Schema.Json)] as const

/** The answer of a booking, as it was stored. A repeat returns it. */
export const StoredAnswer = Schema.StructWithRest(
  Schema.Struct({
    say: Schema.String,
    event: Schema.StructWithRest(
      Schema.Struct({
        id: Schema.Int,
        uuid: Schema.String,
        start_time: Schema.String,
        end_time: Schema.String,
        status: Schema.String
      }),
      Rest
    )
  }),
  Rest
)

/** The customer that the arguments of a tool name. */
interface NamedCustomer {
  readonly customerName?: string
  readonly customerEmail?: string
  readonly customerPhone?: string
}

/**
 * Returns the telephone number of the customer, or null. In a call it is the one of the person on the telephone, whatever the
 * model says, because calendar events with a number are shown to the person with that number.
 */
const phoneOf = ({ customerPhone }: NamedCustomer, { call }: ToolUser): string | null => {
  if (call === null) return customerPhone ?? null
  return isAnonymous(call.phoneNumber) ? null : call.phoneNumber
}

/** Returns the number under which the customer can be called: the proved one, or the one that a person who withholds it states. */
export const reachableAt = (given: NamedCustomer, user: ToolUser): string | null =>
  phoneOf(given, user) ?? given.customerPhone ?? null

/** Returns the notes of an event, with the number that a person who withholds it states. */
const notesOf = (notes: string | undefined, given: NamedCustomer, user: ToolUser): string | null => {
  const stated = phoneOf(given, user) === null ? given.customerPhone : undefined
  return [notes, stated].filter((note) => note !== undefined).join("\n") || null
}

/** Returns the fields of an event that every booking of an agent has. The contact of the call goes before the arguments. */
const commonFields = (given: NamedCustomer, user: ToolUser) => {
  const { call, conversation } = user
  const contact = call?.contact ?? null
  return {
    createdByAiAgent: true,
    aiAgentId: conversation.agentId,
    contactId: contact?.id ?? null,
    customerName: contact === null ? (given.customerName ?? null) : contact.name,
    customerEmail: contact === null ? (given.customerEmail ?? null) : contact.email,
    customerPhone: phoneOf(given, user)
  }
}

/** Returns the fields of the event that `book` creates. */
export const fieldsOf = (given: ArgumentsByName["book"], user: ToolUser): BookedFields => ({
  ...commonFields(given, user),
  title: given.title?.trim() ? given.title : user.texts.appointmentTitle,
  customerNotes: notesOf(given.notes, given, user)
})

/** Returns the fields of the event that `request_callback` creates. */
export const callbackFieldsOf = (given: ArgumentsByName["request_callback"], user: ToolUser): BookedFields => ({
  ...commonFields(given, user),
  title: user.texts.callbackTitle(reachableAt(given, user) ?? ""),
  eventType: "voice_call",
  customerNotes: notesOf(given.reason, given, user)
})

/** Returns the arguments of `book` as the model wrote them. */
export const argumentsOf = (given: ArgumentsByName["book"]): JsonFields =>
  stated({ slot_id: given.slotId, title: given.title, notes: given.notes, ...customerArguments(given) })

/** Returns the arguments of `request_callback` as the model wrote them. */
export const callbackArgumentsOf = (given: ArgumentsByName["request_callback"]): JsonFields =>
  stated({
    reason: given.reason,
    date: given.date,
    weekday: given.weekday,
    part_of_day: given.partOfDay,
    ...customerArguments(given)
  })

const customerArguments = ({ customerEmail, customerName, customerPhone }: NamedCustomer) => ({
  customer_name: customerName,
  customer_email: customerEmail,
  customer_phone: customerPhone
})

/** Returns the arguments without those that the model left out. */
const stated = (given: Readonly<Record<string, string | undefined>>): JsonFields =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): ReadonlyArray<[string, string]> =>
      value === undefined ? [] : [[name, value]]
    )
  )
