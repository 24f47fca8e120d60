import { describe, expect, it } from "@effect/vitest"
import type { AccountId } from "@frontdesk/core/access/Account"
import type { TeamRef } from "@frontdesk/core/access/TeamRef"
import { CalendarEventStore, type CalendarEventFilter } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { type CallFilter, CallStore } from "@frontdesk/core/call/CallStore"
import { type ContactFilter, ContactStore } from "@frontdesk/core/contact/ContactStore"
import { FrontLength } from "@frontdesk/storage-sql/delivery/DeliveryClaim"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"

/** Every statement that ran, with the number of its parameters. */
const ran = new Map<string, number>()

const storage = Layer.merge(
  // A short front, so that claims also go through the webhooks one by one.
  Layer.provide(SqliteStorage.layer({ filename: ":memory:" }), Layer.succeed(FrontLength, 2)),
  Layer.succeed(Statement.CurrentTransformer, (statement) => {
    const [text, params] = statement.compile()
    if (/^(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text) && !text.includes("frontdesk_migration")) {
      ran.set(text, params.length)
    }
    return Effect.succeed(statement)
  })
)

// Runs every statement of every store, so that the tests below check the plans of all of them.
storageSuite("SQLite with recorded statements", storage)

describe("the plans of all statements", () => {
  it.effect("no statement reads a whole table (D-STO-9)", () =>
    Effect.gen(function* () {
      expect(ran.size).toBeGreaterThan(100)
      for (const [text, count] of ran) {
        const scans = (yield* planOf(text, count)).filter((step) => step.startsWith("SCAN ") && !isSmall(step))
        expect({ text, scans }).toEqual({ text, scans: [] })
      }
    }).pipe(Effect.provide(storage))
  )

  it.effect("no index look-up uses only the kind, state or status of a row", () =>
    Effect.gen(function* () {
      for (const [text, count] of ran) {
        expect(yield* planOf(text, count)).not.toContainEqual(expect.stringMatching(/\((kind|state|status)=\?\)/))
      }
    }).pipe(Effect.provide(storage))
  )
})

describe("the plans of lists", () => {
  it.effect.each([0, 3])("every list of an account in %d teams is read in its order, without a sort", (teamCount) =>
    Effect.gen(function* () {
      const teams = yield* Effect.forEach(Array.from({ length: teamCount }), () => Samples.makeTeam())
      const account = yield* Samples.makeAccount({ teamIds: teams.map((team) => team.id) })
      const filters = yield* filtersOfSomething(account.id, teams)
      const scope = { accountId: account.id, teamIds: account.teamIds }
      ran.clear()
      for (const filter of filters.events) yield* (yield* CalendarEventStore).list(scope, filter, page)
      for (const filter of filters.calls) yield* (yield* CallStore).list(scope, filter, page)
      for (const filter of filters.contacts) yield* (yield* ContactStore).list(scope, filter, page)

      const pages = [...ran].filter(([text]) => text.includes(" AS page)"))
      expect(pages).toHaveLength(filters.events.length + filters.calls.length + filters.contacts.length)
      for (const [text, count] of pages) {
        const sorts = (yield* stepsOf(text, count)).filter(({ detail }) => detail.includes("FOR ORDER BY"))
        // The outermost step sorts the rows of the page itself, which are at most a hundred.
        expect({ text, sorts: sorts.filter(({ parent }) => parent !== 0) }).toEqual({ text, sorts: [] })
      }
    }).pipe(Effect.provide(storage))
  )

  it.effect("contacts with a tag are looked up by the tag, for the account and for each team (D-PG-13)", () =>
    Effect.gen(function* () {
      const team = yield* Samples.makeTeam()
      const account = yield* Samples.makeAccount({ teamIds: [team.id] })
      yield* Samples.makeContact((yield* Samples.makeAccount()).id, { team, tags: ["vip"] })
      ran.clear()
      yield* (yield* ContactStore).list({ accountId: account.id, teamIds: [team.id] }, { tag: "vip" }, page)
      const lookedUp = [...ran].filter(([text]) => text.includes("contact_tag WHERE account_id"))
      // One statement counts the contacts, and one reads the page.
      expect(lookedUp).toHaveLength(2)
      for (const [text, count] of lookedUp) {
        const steps = yield* planOf(text, count)
        const owners = ["account_id", "team_id"].filter((owner) =>
          steps.some((step) => step.startsWith("SEARCH contact_tag") && step.includes(`(${owner}=? AND tag=?`))
        )
        expect({ text, owners }).toEqual({ text, owners: ["account_id", "team_id"] })
      }
    }).pipe(Effect.provide(storage))
  )
})

const page = { page: 1, limit: 20 }

/** Adds one of each record, and returns filters that find it. A list that is known to be empty is not read at all. */
const filtersOfSomething = Effect.fnUntraced(function* (accountId: AccountId, teams: ReadonlyArray<TeamRef>) {
  const agent = yield* Samples.makeAgent(accountId)
  const numbers = [Samples.newNumber("+12025550100")]
  const contact = yield* Samples.makeContact(accountId, { firstName: "Jo", tags: ["vip"], phoneNumbers: numbers })
  const aiAgent = { id: agent.id, name: agent.name, assistantId: agent.assistantId }
  const customer = { name: "Jo", email: "jo@example.com", phone: "", notes: "" }
  yield* Samples.makeCalendarEvent(accountId, { aiAgent, customer })
  const shown = { ...contact, name: "Jo" }
  const { phoneNumber } = yield* Samples.makeCall(accountId, agent, { contact: shown })
  for (const team of teams) {
    yield* Samples.makeCalendarEvent(accountId, { team })
    yield* Samples.makeContact(accountId, { team })
  }
  const [from, until] = [Samples.now, Samples.later(60)]
  const ofTeam = teams.slice(0, 1).map((team) => ({ teamId: team.id }))

  const events: ReadonlyArray<CalendarEventFilter> = [
    {},
    { from, until },
    { status: "scheduled" },
    { status: "scheduled", from },
    { eventType: "meeting", from },
    { aiAgentId: agent.id, until },
    { customerEmail: "Jo@example.com", from, until },
    ...ofTeam
  ]
  const calls: ReadonlyArray<CallFilter> = [
    {},
    { from, until },
    { status: "queued" },
    { type: "outbound", from },
    { agentId: agent.id, until },
    { contactId: contact.id },
    { phoneNumber, from, until }
  ]
  const contacts: ReadonlyArray<ContactFilter> = [{}, { status: "new" }, { stage: "lead" }, { search: "jo" }, ...ofTeam]
  return { events, calls, contacts }
})

/**
 * Returns whether a scan is small: it reads no table, a part of the statement itself, a few rows, or all requested
 * rows.
 */
const isSmall = (step: string): boolean =>
  /^SCAN (installation_secret|webhook USING INDEX webhook_(?:deleted|cancelling)|outbox_task USING (?:COVERING )?INDEX outbox_task_(?:abandoned|old)|near|going|longest|json_each|page|front|due|open|candidate|\(subquery-\d+\)|CONSTANT ROW|\d+-ROW VALUES CLAUSE)( |$)/.test(
    step
  )

const stepsOf = Effect.fnUntraced(function* (text: string, parameters: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.unsafe<{ parent: number; detail: string }>(
    `EXPLAIN QUERY PLAN ${text}`,
    Array.from({ length: parameters }, () => null)
  )
})

// For an INSERT, SQLite shows how it would find rows that reference the new row. A new row has no such rows.
const planOf = (text: string, parameters: number) =>
  text.startsWith("INSERT")
    ? Effect.succeed([])
    : Effect.map(stepsOf(text, parameters), (steps) => steps.map((step) => step.detail))
