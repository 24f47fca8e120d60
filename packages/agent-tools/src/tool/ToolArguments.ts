import { maxDays } from "@frontdesk/core/availability/Availability"
import { durationBounds } from "@frontdesk/core/availability/Slots"
import { CallVariables } from "@frontdesk/core/call/CallInput"
import * as CalendarDate from "@frontdesk/core/values/CalendarDate"
import * as DatabaseId from "@frontdesk/core/values/DatabaseId"
import { EmailAddress } from "@frontdesk/core/values/EmailAddress"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Text from "@frontdesk/core/values/Text"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"
import { PartOfDay } from "./PartOfDay.ts"

const text = (max: number, description: string) => Schema.optionalKey(Text.upTo(max).annotate({ description }))

const slotId = Text.matching(1, 100, String.raw`^[\x21-\x7e]+$`, "a slot_id that find_slots returned").annotate({
  description: "A slot_id that find_slots returned, copied exactly"
})

const eventId = Schema.Union([
  DatabaseId.DatabaseId,
  Text.matching(1, 36, "^[0-9A-Za-z-]+$", "the id of an event that my_appointments or get_context returned")
]).annotate({ description: "The id of an event that my_appointments or get_context returned" })

const date = (description: string) => CalendarDate.CalendarDate.annotate({ description })

const reason = text(1000, "The reason, in the caller's words")

/** The arguments of a tool that takes none. */
export const None = Schema.Record(Schema.String, Schema.Unknown)

/** The arguments of `find_slots`. */
export const FindSlots = Wire.snakeCase(
  Schema.Struct({
    fromDate: date("The first day to search, as YYYY-MM-DD. Take it from the days of get_context"),
    toDate: date("The last day to search, as YYYY-MM-DD. The same as from_date for one day"),
    durationMinutes: Schema.Int.check(Schema.isBetween(durationBounds)).annotate({
      description: "The length of the appointment in minutes"
    }),
    partOfDay: Schema.optionalKey(PartOfDay.annotate({ description: "Only slots in this part of the day" }))
  })
).check(
  Schema.makeFilter(({ fromDate, toDate }) => {
    const days = CalendarDate.daysBetween(fromDate, toDate)
    if (days < 0) return { path: ["to_date"], issue: "Expected a date that is not before from_date" }
    return days < maxDays || { path: ["to_date"], issue: `Expected at most ${maxDays} days from from_date` }
  })
)

/** The arguments of `hold_slot`. */
export const HoldSlot = Wire.snakeCase(Schema.Struct({ slotId }))

const customer = {
  customerName: text(200, "The customer's name. Only when get_context shows no contact"),
  customerEmail: Schema.optionalKey(
    EmailAddress.annotate({ description: "The customer's e-mail address. Only when get_context shows no contact" })
  ),
  customerPhone: Schema.optionalKey(
    PhoneNumber.annotate({
      description: "The customer's phone number, such as +12025550123. Only when get_context shows no contact"
    })
  )
}

/** The arguments of `book`. */
export const Book = Wire.snakeCase(
  Schema.Struct({
    slotId,
    title: text(200, "What the appointment is about, in a few words"),
    notes: text(2000, "What the business should know before the appointment"),
    ...customer
  })
)

/** The arguments of `move`. */
export const Move = Wire.snakeCase(Schema.Struct({ eventId, slotId }))

/** The arguments of `cancel`. */
export const Cancel = Wire.snakeCase(Schema.Struct({ eventId, reason }))

/** The arguments of `update_contact`: the fields that change. */
export const UpdateContact = Wire.snakeCase(
  Schema.Struct({
    firstName: text(100, "The caller's first name"),
    lastName: text(100, "The caller's last name"),
    email: Schema.optionalKey(EmailAddress.annotate({ description: "The caller's e-mail address" })),
    company: text(200, "The company that the caller works for"),
    website: text(2048, "The address of the caller's web site, with https://"),
    address: text(500, "Street and house number"),
    city: text(100, "The city"),
    state: text(100, "The state or region"),
    zipCode: text(20, "The postal code"),
    country: text(100, "The country")
  })
).check(
  Schema.makeFilter((fields) => Object.keys(fields).length > 0, { description: "at least one field of the contact" })
)

/** The arguments of `set_variables`. */
export const SetVariables = Wire.snakeCase(
  Schema.Struct({
    variables: CallVariables.check(
      Schema.makeFilter((variables) => Object.keys(variables).length > 0, {
        description: "at least one variable",
        toJsonSchema: () => ({ minProperties: 1 })
      })
    ).annotate({ description: "The new values by the name of the variable" })
  })
)

/** The arguments of `request_callback`. */
export const RequestCallback = Wire.snakeCase(
  Schema.Struct({
    reason,
    date: Schema.optionalKey(date("The day on which the caller wants to be called, as YYYY-MM-DD")),
    weekday: text(20, "The name of the weekday of that date. Required with date"),
    partOfDay: Schema.optionalKey(PartOfDay.annotate({ description: "The part of that day" })),
    customerName: customer.customerName,
    customerPhone: customer.customerPhone
  })
)
