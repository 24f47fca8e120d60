import { maxDays } from "@frontdesk/core/availability/Availability"
import { durationBounds } from "@frontdesk/core/availability/Slots"
import { CallVariables } from "@frontdesk/core/call/CallInput"
import * as CalendarDate from "@frontdesk/core/values/CalendarDate"
import { EmailAddress } from "@frontdesk/core/values/EmailAddress"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Text from "@frontdesk/core/values/Text"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"
import { PartOfDay } from "./PartOfDay.ts"

// The descriptions in these schemas are what an error expects. `ArgumentDescriptions` has those for the model.

const text = (max: number) => Schema.optionalKey(Text.upTo(max))

/** Returns the schema of an id that the agent copies from an answer. An error about it only says where it is from. */
const copied = (max: number, pattern: string, description: string) =>
  Schema.String.check(
    Schema.isBetweenLength(1, max, { description }),
    Schema.isPattern(new RegExp(pattern, "u"), { description })
  )

const slotId = copied(100, String.raw`^[\x21-\x7e]+$`, "a slot_id that find_slots returned, copied exactly")

const eventIdText = "the id of an event that my_appointments or get_context returned, copied exactly"

const eventId = Schema.Union([
  Schema.Number.check(
    Schema.isInt({ description: eventIdText }),
    Schema.isGreaterThan(0, { description: eventIdText })
  ),
  copied(36, "^[0-9A-Za-z-]+$", eventIdText)
])

/** The arguments of a tool that takes none. */
export const None = Schema.Record(Schema.String, Schema.Unknown)

/** The arguments of `find_slots`. */
export const FindSlots = Wire.snakeCase(
  Schema.Struct({
    fromDate: CalendarDate.CalendarDate,
    toDate: CalendarDate.CalendarDate,
    durationMinutes: Schema.Int.check(Schema.isBetween(durationBounds)),
    partOfDay: Schema.optionalKey(PartOfDay)
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
  customerName: text(200),
  customerEmail: Schema.optionalKey(EmailAddress),
  customerPhone: Schema.optionalKey(PhoneNumber)
}

/** The arguments of `book`. */
export const Book = Wire.snakeCase(
  Schema.Struct({
    slotId,
    title: text(200),
    notes: text(2000),
    ...customer
  })
)

/** The arguments of `move`. */
export const Move = Wire.snakeCase(Schema.Struct({ eventId, slotId }))

/** The arguments of `cancel`. */
export const Cancel = Wire.snakeCase(Schema.Struct({ eventId, reason: text(1000) }))

/** The arguments of `update_contact`: the fields that change. */
export const UpdateContact = Wire.snakeCase(
  Schema.Struct({
    firstName: text(100),
    lastName: text(100),
    email: Schema.optionalKey(EmailAddress),
    company: text(200),
    website: text(2048),
    address: text(500),
    city: text(100),
    state: text(100),
    zipCode: text(20),
    country: text(100)
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
    )
  })
)

/** The arguments of `request_callback`. */
export const RequestCallback = Wire.snakeCase(
  Schema.Struct({
    reason: text(1000),
    date: Schema.optionalKey(CalendarDate.CalendarDate),
    weekday: text(20),
    partOfDay: Schema.optionalKey(PartOfDay),
    customerName: customer.customerName,
    customerPhone: customer.customerPhone
  })
)
