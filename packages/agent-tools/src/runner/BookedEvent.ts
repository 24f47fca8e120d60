import type { BookedFields } from "@frontdesk/core/booking/Bookings"
import type { Conversation } from "@frontdesk/core/booking/Conversation"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { formatOffset, type TimeZone } from "@frontdesk/core/values/TimeZone"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { Texts } from "../speech/Texts.ts"
import type { AnsweredEvent } from "../tool/ToolAnswers.ts"
import type { ArgumentsByName } from "../tool/Tools.ts"
import type { JsonFields } from "../wire/Json.ts"

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

/** Returns the fields of the event that `book` creates. */
export const fieldsOf = (
  { customerEmail, customerName, customerPhone, notes, title }: ArgumentsByName["book"],
  { agentId }: Conversation,
  texts: Texts
): BookedFields => ({
  title: title?.trim() ? title : texts.appointmentTitle,
  createdByAiAgent: true,
  aiAgentId: agentId,
  customerEmail: customerEmail ?? null,
  customerName: customerName ?? null,
  customerPhone: customerPhone ?? null,
  customerNotes: notes ?? null
})

/** Returns the arguments of `book` as the model wrote them. */
export const argumentsOf = ({
  customerEmail,
  customerName,
  customerPhone,
  notes,
  slotId,
  title
}: ArgumentsByName["book"]): JsonFields => {
  const given = {
    slot_id: slotId,
    title,
    notes,
    customer_name: customerName,
    customer_email: customerEmail,
    customer_phone: customerPhone
  }
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): ReadonlyArray<[string, string]> =>
      value === undefined ? [] : [[name, value]]
    )
  )
}
