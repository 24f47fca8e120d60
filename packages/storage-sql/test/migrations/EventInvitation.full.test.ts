import { describe, expect, it } from "@effect/vitest"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import * as ClientDialect from "@frontdesk/storage-sql/dialect/ClientDialect"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import * as OldSchema from "./OldSchema.ts"

const jo = "jo@example.com"

const events = [
  { id: 1, customer_email: jo, status: "confirmed", isNotified: true },
  { id: 2, customer_email: jo, status: "no_show", isNotified: true },
  { id: 3, customer_email: jo, status: "scheduled", isNotified: false },
  { id: 4, customer_email: "", status: "scheduled", isNotified: true }
]

/** Inserts rows of the first schema. */
const fill = Effect.gen(function* () {
  const dialect = ClientDialect.of(yield* SqlClient)
  const times = yield* OldSchema.times
  const flag = (value: boolean) => (dialect.isConcurrent ? value : value ? 1 : 0)
  yield* OldSchema.insertAccounts
  yield* OldSchema.insertAll(
    "calendar_event",
    events.map(({ isNotified, ...event }) => ({
      ...times,
      uuid: `00000000-0000-4000-8000-00000000000${event.id}`,
      account_id: 1,
      event_type: "meeting",
      start_time: dialect.time(Samples.now),
      end_time: dialect.time(Samples.later(30)),
      title: "Demo",
      has_video_conference: flag(false),
      video_conference_url: "",
      video_conference_provider: "",
      created_by_ai_agent: flag(false),
      is_reminder_enabled: flag(false),
      remind_before_minutes: 30,
      customer_name: "",
      customer_phone: "",
      external_calendars: "{}",
      notify_on_cancel: flag(isNotified),
      sequence: 0,
      customer_notes: "",
      description: "",
      ...event
    }))
  )
})

describe.each(emptyDatabases)(
  "the migration to stored invitations of a database with calendar events, on %s",
  (_, emptyDatabase) => {
    it.live("a customer with an address counts as invited if send_notifications was on at creation (D-NOTIFY-9)", () =>
      Effect.gen(function* () {
        const { client, storage } = yield* emptyDatabase
        yield* Effect.andThen(OldSchema.migrateFirst, fill).pipe(Effect.provide(client))
        yield* Effect.gen(function* () {
          const store = yield* CalendarEventStore
          const read = (id: number) =>
            Effect.map(store.findAnywhere({ id: CalendarEventId.make(id) }), (found) => Option.getOrThrow(found))
          const found = yield* Effect.forEach(events, ({ id }) => read(id))
          expect(found.map(({ invitation }) => invitation)).toEqual([
            { email: jo, isSent: true, status: "confirmed" },
            { email: jo, isSent: true, status: "scheduled" },
            null,
            null
          ])
          const stored = { ...(yield* read(1)), invitation: null }
          yield* store.update(stored)
          expect((yield* read(1)).invitation).toBeNull()
        }).pipe(Effect.provide(storage))
        expect(yield* SqlMigrations.migrate.pipe(Effect.provide(client))).toEqual([])
      }).pipe(Effect.scoped)
    )
  }
)
