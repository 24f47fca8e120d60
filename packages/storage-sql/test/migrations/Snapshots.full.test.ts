import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { CallId } from "@frontdesk/core/call/Call"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as ClientDialect from "@frontdesk/storage-sql/dialect/ClientDialect"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import * as OldSchema from "./OldSchema.ts"

const own = { id: 1, account_id: 1, first_name: "Own" }
const shared = { id: 2, account_id: 2, team_id: 1, first_name: "Jo", last_name: "Doe", email: "jo@example.com" }
const hidden = { id: 3, account_id: 2, last_name: "Hidden" }

/** Calls of account 1, which is in team 1 and not in team 2. It owns agent 1; account 2 owns agent 2. */
const calls = {
  own: { id: 1, agent_id: 1, contact_id: 1 },
  withoutContact: { id: 2, agent_id: 1 },
  ownInTeam: { id: 3, agent_id: 1, contact_id: 1, team_id: 1 },
  ofSharedContact: { id: 4, agent_id: 1, contact_id: 2 },
  ofHiddenContact: { id: 5, agent_id: 1, contact_id: 3 },
  inForeignTeam: { id: 6, agent_id: 2, team_id: 2 }
}

const events = {
  own: { id: 1, ai_agent_id: 1 },
  foreignAgent: { id: 2, ai_agent_id: 2 },
  inTeam: { id: 3, ai_agent_id: 1, team_id: 1 },
  withoutAgent: { id: 4, team_id: 1 }
}

/** Inserts rows of the first schema. */
const fill = Effect.gen(function* () {
  const dialect = ClientDialect.of(yield* SqlClient)
  const times = yield* OldSchema.times
  yield* OldSchema.insertAccounts
  yield* OldSchema.insertAll(
    "agent",
    [1, 2].map((id) => ({
      id,
      account_id: id,
      assistant_id: `asst_${id}`,
      name: `Agent ${id}`,
      role: "outbound agent",
      model: "m",
      voice_id: "v",
      created_at: times.created_at
    }))
  )
  for (const contact of [own, shared, hidden]) {
    yield* OldSchema.insertAll("contact", [yield* OldSchema.contactRow(contact)])
  }
  yield* OldSchema.insertAll(
    "call",
    Object.values(calls).map((call) => ({
      ...times,
      account_id: 1,
      call_id: `call_${call.id}`,
      status: "completed",
      type: "outbound",
      phone_number: "+12025550111",
      submission: "accepted",
      billing_status: "charged",
      initial_charge: 0,
      final_charge: 0,
      price_per_minute: 0,
      reconcile_count: 0,
      variables: "{}",
      ...call
    }))
  )
  const flag = (value: boolean) => (dialect.isConcurrent ? value : value ? 1 : 0)
  yield* OldSchema.insertAll(
    "calendar_event",
    Object.values(events).map((event) => ({
      ...times,
      uuid: `00000000-0000-4000-8000-00000000000${event.id}`,
      account_id: 1,
      event_type: "meeting",
      status: "scheduled",
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
      customer_email: "",
      customer_phone: "",
      external_calendars: "{}",
      notify_on_cancel: flag(true),
      sequence: 0,
      customer_notes: "",
      description: "",
      ...event
    }))
  )
})

const scope = { accountId: AccountId.make(1), teamIds: [TeamId.make(1)] }

const readCall = (id: number) =>
  Effect.flatMap(CallStore, (calls) => Effect.map(calls.find(scope, { id: CallId.make(id) }), Option.getOrThrow))

const readEvent = (id: number) =>
  Effect.flatMap(CalendarEventStore, (events) =>
    Effect.map(events.find(scope, { id: CalendarEventId.make(id) }), Option.getOrThrow)
  )

/** Renames agents and contacts after the migration, and removes the contacts from their team. */
const change = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`UPDATE agent SET name = 'Renamed'`
  yield* sql`UPDATE contact SET first_name = 'Changed', team_id = NULL`
})

describe.each(emptyDatabases)("the migration to snapshots of a database with rows, on %s", (_, emptyDatabase) => {
  it.live("calls lose a team that their account is not in, and store what their account sees (D-CALL-13)", () =>
    Effect.gen(function* () {
      const { client, storage } = yield* emptyDatabase
      yield* Effect.andThen(OldSchema.migrateFirst, fill).pipe(Effect.provide(client))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const jo = { id: 2, name: "Jo Doe", email: "jo@example.com", status: "new", stage: "lead", lastCallDate: null }
        expect(yield* readCall(calls.ofSharedContact.id)).toMatchObject({ contact: jo })
        yield* change
        const [agent, renamed] = [
          { id: 1, name: "Agent 1", assistantId: "asst_1" },
          { id: 1, name: "Renamed", assistantId: "asst_1" }
        ]
        const changed = { id: 1, name: "Changed" }
        expect(yield* readCall(calls.own.id)).toMatchObject({ agent: renamed, contact: changed, team: null })
        expect(yield* readCall(calls.withoutContact.id)).toMatchObject({ agent: renamed, contact: null, team: null })
        expect(yield* readCall(calls.ownInTeam.id)).toMatchObject({ agent, contact: changed, team: { id: 1 } })
        expect(yield* readCall(calls.ofSharedContact.id)).toMatchObject({ agent, contact: jo, team: null })
        expect(yield* readCall(calls.ofHiddenContact.id)).toMatchObject({ agent, contact: null, team: null })
        const foreign = { id: 2, name: "Agent 2", assistantId: "asst_2" }
        expect(yield* readCall(calls.inForeignTeam.id)).toMatchObject({ agent: foreign, contact: null, team: null })
        expect(yield* (yield* CallStore).list(scope, {}, { page: 1, limit: 20 })).toMatchObject({ count: 6 })

        expect((yield* readEvent(events.own.id)).aiAgent).toEqual(renamed)
        expect((yield* readEvent(events.foreignAgent.id)).aiAgent).toEqual(foreign)
        expect((yield* readEvent(events.inTeam.id)).aiAgent).toEqual(agent)
        expect((yield* readEvent(events.withoutAgent.id)).aiAgent).toBeNull()

        // The snapshot is also deleted when a plain statement deletes the contact.
        const stored = sql`SELECT 1 FROM call WHERE id = 4 AND contact_name = 'Jo Doe'`
        expect(yield* stored).toHaveLength(1)
        yield* sql`DELETE FROM contact WHERE id = 2`
        expect(yield* stored).toHaveLength(0)
        expect(
          yield* sql`SELECT contact_id, contact_name, contact_email, contact_company, contact_status, contact_stage
          FROM call WHERE id = 4`
        ).toEqual([
          {
            contact_id: null,
            contact_name: null,
            contact_email: null,
            contact_company: null,
            contact_status: null,
            contact_stage: null
          }
        ])
      }).pipe(Effect.provide(storage))
    }).pipe(Effect.scoped)
  )

  it.live(
    "calls and calendar events that only their own account can read, with its own agent and contact, are not written",
    () =>
      Effect.gen(function* () {
        const { client } = yield* emptyDatabase
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* Effect.andThen(OldSchema.migrateFirst, fill)
          yield* SqlMigrations.migrate
          expect(yield* sql`SELECT id FROM call WHERE agent_name IS NULL ORDER BY id`).toHaveLength(2)
          expect(
            yield* sql`SELECT id FROM calendar_event WHERE ai_agent_id IS NOT NULL AND ai_agent IS NULL`
          ).toHaveLength(1)
        }).pipe(Effect.provide(client))
      }).pipe(Effect.scoped)
  )
})
