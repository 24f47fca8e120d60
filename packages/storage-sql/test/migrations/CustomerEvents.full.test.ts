import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import { fill } from "./FilledDatabase.ts"
import * as OldSchema from "./OldSchema.ts"

const phone = "+12025550101"

describe.each(emptyDatabases)("the migration to contacts of calendar events, on %s", (_, emptyDatabase) => {
  it.live(
    "existing events have no contact, are found by phone number, and can get a contact that is then deleted",
    () =>
      Effect.gen(function* () {
        const { client, storage } = yield* emptyDatabase
        yield* Effect.gen(function* () {
          yield* Effect.andThen(OldSchema.migrateTo(20), fill)
          yield* OldSchema.migrateTo(26)
          const sql = yield* SqlClient
          yield* sql`UPDATE calendar_event SET customer_phone = ${phone}`
          yield* SqlMigrations.migrate
          expect(yield* indexes).toEqual(["agent_phone_number", "calendar_event_contact", "calendar_event_phone"])
          // As a server of the version before writes.
          yield* sql`UPDATE calendar_event SET status = 'confirmed' WHERE id = 2`
        }).pipe(Effect.provide(client))
        yield* Effect.gen(function* () {
          const events = yield* CalendarEventStore
          const read = (id: number) =>
            Effect.map(events.findAnywhere({ id: CalendarEventId.make(id) }), Option.getOrThrow)
          const event = yield* read(2)
          expect(event).toMatchObject({ status: "confirmed", contactId: null })
          const [account, contactId] = [event.accountId, ContactId.make(1)]
          const find = (phoneNumbers: ReadonlyArray<string>) =>
            events.ofCustomer(account, { contactId, phoneNumbers }, event.startTime, 10)
          expect(yield* find([phone])).toEqual([event])
          expect(yield* find([])).toEqual([])
          yield* events.update({ ...event, contactId })
          expect(yield* find([])).toEqual([{ ...event, contactId }])
          const owner = { accountId: AccountId.make(1), teamIds: [] }
          expect(yield* (yield* ContactStore).delete(owner, contactId)).toBe(true)
          expect(yield* read(2)).toEqual(event)
          const missing = events.update({ ...event, contactId })
          expect(yield* Effect.flip(missing)).toMatchObject({ reason: "unknown" })
        }).pipe(Effect.provide(storage))
      }).pipe(Effect.scoped)
  )
})

/** Returns the names of the indexes of the migration that exist, and in PostgreSQL only those that are valid. */
const indexes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const names = new Set(["agent_phone_number", "calendar_event_contact", "calendar_event_phone"])
  const found = yield* sql.onDialectOrElse({
    pg: () =>
      sql<{
        name: string
      }>`SELECT CAST(relname AS text) AS name FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
        WHERE indisvalid AND relnamespace = to_regnamespace(current_schema()) ORDER BY relname`,
    orElse: () => sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name`
  })
  return found.map(({ name }) => name).filter((name) => names.has(name))
})
