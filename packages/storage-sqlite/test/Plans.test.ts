import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import type { Scope } from "@frontdesk/core/access/Principal"
import { TeamId } from "@frontdesk/core/access/Team"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { CalendarEventStore, type EventFilter } from "@frontdesk/core/calendar/CalendarEventStore"
import { type CallFilter, CallStore } from "@frontdesk/core/call/CallStore"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { type ContactFilter, ContactStore } from "@frontdesk/core/contact/ContactStore"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { FrontLength } from "@frontdesk/storage-sql/webhook/DeliveryClaim"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import * as SqliteStorage from "../src/SqliteStorage.ts"

/** Every statement that ran, with the number of its parameters. */
const ran = new Map<string, number>()

const storage = Layer.merge(
  // A short front, so that claims go through the endpoints too.
  Layer.provide(SqliteStorage.layer({ filename: ":memory:" }), Layer.succeed(FrontLength, 2)),
  Layer.succeed(Statement.CurrentTransformer, (statement) => {
    const [text, params] = statement.compile()
    if (/^(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text) && !text.includes("frontdesk_migration")) {
      ran.set(text, params.length)
    }
    return Effect.succeed(statement)
  })
)

// Runs every statement of every store, so that the plans below are those of all of them.
storageSuite("SQLite, watched", storage)

describe("the plans of all statements", () => {
  it.effect("no statement reads a whole table", () =>
    Effect.gen(function* () {
      expect(ran.size).toBeGreaterThan(100)
      for (const [text, count] of ran) {
        const scans = (yield* planOf(text, count)).filter((step) => step.startsWith("SCAN ") && !isSmall(step))
        // Every account is what it asks for.
        const allowed = /^SELECT [^?]* FROM account ORDER BY id$/.test(text) ? ["SCAN account"] : []
        expect({ text, scans }).toEqual({ text, scans: allowed })
      }
    }).pipe(Effect.provide(storage))
  )

  it.effect("every look-up begins with more than the kind of row", () =>
    Effect.gen(function* () {
      for (const [text, count] of ran) {
        expect(yield* planOf(text, count)).not.toContainEqual(expect.stringMatching(/\((kind|state|status)=\?\)/))
      }
    }).pipe(Effect.provide(storage))
  )
})

describe("the plans of lists", () => {
  const cases: ReadonlyArray<readonly [string, Scope]> = [
    ["an account", scope([])],
    ["an account with teams", scope([1, 2, 3])]
  ]

  it.effect.each(cases)("every list of calls, events and contacts of %s is read in order", ([, scope]) =>
    Effect.gen(function* () {
      ran.clear()
      const page = { page: 1, limit: 20 }
      for (const filter of eventFilters) yield* (yield* CalendarEventStore).list(scope, filter, page)
      for (const filter of callFilters) yield* (yield* CallStore).list(scope, filter, page)
      for (const filter of contactFilters) yield* (yield* ContactStore).list(scope, filter, page)

      const pages = [...ran].filter(([text]) => text.includes(" AS page)"))
      expect(pages.length).toBeGreaterThanOrEqual(eventFilters.length + callFilters.length + contactFilters.length - 3)
      for (const [text, count] of pages) {
        const sorts = (yield* stepsOf(text, count)).filter(({ detail }) => detail.includes("FOR ORDER BY"))
        // The outermost step sorts the rows of the page itself, a hundred at most.
        expect({ text, sorts: sorts.filter(({ parent }) => parent !== 0) }).toEqual({ text, sorts: [] })
      }
    }).pipe(Effect.provide(storage))
  )
})

const from = Samples.now

const until = Samples.later(60)

const eventFilters: ReadonlyArray<EventFilter> = [
  {},
  { from, until },
  { status: "scheduled" },
  { eventType: "meeting", from },
  { aiAgentId: AgentId.make(1), until },
  { teamId: TeamId.make(1) },
  { teamId: TeamId.make(9) },
  { customerEmail: "jo@example.com", from, until }
]

const callFilters: ReadonlyArray<CallFilter> = [
  {},
  { from, until },
  { status: "completed" },
  { type: "inbound", from },
  { agentId: AgentId.make(1), until },
  { contactId: ContactId.make(1) },
  { phoneNumber: PhoneNumber.make("+12025550100"), from, until }
]

const contactFilters: ReadonlyArray<ContactFilter> = [
  {},
  { status: "new" },
  { stage: "lead" },
  { search: "jo" },
  { teamId: 1 }
]

function scope(teamIds: ReadonlyArray<number>): Scope {
  return { accountId: AccountId.make(1), teamIds: teamIds.map((id) => TeamId.make(id)) }
}

/** What a statement reads that is no table: a list of parameters, a part of the statement itself. */
const isSmall = (step: string): boolean =>
  /^SCAN (json_each|page|front|open|candidate|\(subquery-\d+\)|CONSTANT ROW|\d+-ROW VALUES CLAUSE)( |$)/.test(step)

const stepsOf = Effect.fnUntraced(function* (text: string, parameters: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.unsafe<{ parent: number; detail: string }>(
    `EXPLAIN QUERY PLAN ${text}`,
    Array.from({ length: parameters }, () => null)
  )
})

// Foreign keys of a new row: SQLite shows how it would look for rows that waited for it, and never has to.
const planOf = (text: string, parameters: number) =>
  text.startsWith("INSERT")
    ? Effect.succeed([])
    : Effect.map(stepsOf(text, parameters), (steps) => steps.map((step) => step.detail))
