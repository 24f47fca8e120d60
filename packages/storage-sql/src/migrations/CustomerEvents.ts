import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"
import * as ConcurrentIndexes from "./ConcurrentIndexes.ts"

/** The condition that a calendar event is expected to take place (`CalendarEventStatus.isAhead`). */
export const isAhead = "status IN ('scheduled', 'confirmed')"

/**
 * Adds the contact for whom an agent booked a calendar event. It is NULL in existing rows and in rows that servers of an
 * older version write, so neither database rewrites or reads the table. A deleted contact leaves NULL.
 *
 * The contact may belong to another account of the same team, so the reference compares the id alone (D-PG-33).
 */
export const eventContacts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  yield* sql.unsafe(
    `ALTER TABLE calendar_event ADD COLUMN contact_id ${types.integer} REFERENCES contact (id) ON DELETE SET NULL`
  )
})

/**
 * Adds the indexes that find the calendar events of a contact and of a customer's phone number. The end of an
 * event is their last column, so that events that are over are not read. The contact is the first column, because its
 * deletion finds its events by it alone.
 */
export const customerEvents = ConcurrentIndexes.migration([
  {
    name: "calendar_event_contact",
    table: "calendar_event",
    definition: "(contact_id, account_id, end_time) WHERE contact_id IS NOT NULL"
  },
  {
    name: "calendar_event_phone",
    table: "calendar_event",
    definition: `(account_id, customer_phone, end_time) WHERE customer_phone <> '' AND ${isAhead}`
  }
])
