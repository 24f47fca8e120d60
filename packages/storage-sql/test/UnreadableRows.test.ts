import { describe, expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import * as Keyset from "@frontdesk/core/values/Keyset"
import * as Page from "@frontdesk/core/values/Page"
import { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import { VariableName } from "@frontdesk/core/variable/VariableName"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import { collect, type LogLine } from "@frontdesk/testing/LogCapture"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { databases } from "./databases.ts"

const page = Page.request({})

/** For each kind of record, two rows of which one is made unreadable, and how they are listed and found. */
const kinds = {
  contacts: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const contacts = yield* ContactStore
    const account = yield* Samples.makeAccount()
    const numbers = { phoneNumbers: [Samples.newNumber("+12025550100")] }
    const bad = yield* Samples.makeContact(account.id, numbers)
    const good = yield* Samples.makeContact(account.id, numbers)
    yield* sql`UPDATE contact_number SET phone_number = '555-1234' WHERE contact_id = ${bad.id}`
    const scope = Samples.scopeOf(account)
    return { bad, good, list: contacts.list(scope, {}, page), find: Effect.asVoid(contacts.find(scope, bad.id)) }
  }),
  "calendar events": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const events = yield* CalendarEventStore
    const account = yield* Samples.makeAccount()
    const bad = yield* Samples.makeCalendarEvent(account.id)
    const good = yield* Samples.makeCalendarEvent(account.id)
    yield* sql`UPDATE calendar_event SET event_type = 'party' WHERE id = ${bad.id}`
    const scope = Samples.scopeOf(account)
    return { bad, good, list: events.list(scope, {}, page), find: Effect.asVoid(events.find(scope, { id: bad.id })) }
  }),
  calls: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const calls = yield* CallStore
    const account = yield* Samples.makeAccount()
    const agent = yield* Samples.makeAgent(account.id)
    const bad = yield* Samples.makeCall(account.id, agent)
    const good = yield* Samples.makeCall(account.id, agent)
    yield* sql`UPDATE call SET phone_number = '555-1234' WHERE id = ${bad.id}`
    const scope = Samples.scopeOf(account)
    return { bad, good, list: calls.list(scope, {}, page), find: Effect.asVoid(calls.find(scope, { id: bad.id })) }
  })
} as const

describe.each(databases)("rows that cannot be read, in %s", (_, storage) => {
  it.effect("finding a row that does not decode fails with a corrupt StorageError that shows no value", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const account = yield* Samples.makeAccount()
      yield* sql`UPDATE account SET role = 'the king' WHERE id = ${account.id}`
      const error = yield* Effect.flip((yield* AccountStore).find(account.id))
      expect(error).toMatchObject({ reason: "corrupt", operation: "AccountStore.find" })
      expect(String(error.cause)).toContain("role")
      expect(JSON.stringify(error)).not.toContain("the king")
    }).pipe(Effect.provide(storage))
  )

  it.effect.each(Object.entries(kinds))(
    "a list of %s leaves out an unreadable row, still counts it, and logs its id; finding the row fails (D-STO-8)",
    ([, kind]) => {
      const listed = Effect.fnUntraced(function* (lines: ReadonlyArray<LogLine>) {
        const { bad, find, good, list } = yield* kind
        const found = yield* list
        expect(found.items.map(({ id }) => id)).toEqual([good.id])
        expect(found.count).toBe(2)
        expect(lines).toHaveLength(1)
        expect(lines[0]?.annotations).toMatchObject({ id: bad.id })
        expect(lines[0]?.json).not.toMatch(/party|555-1234/)
        expect(yield* Effect.flip(find)).toMatchObject({ reason: "corrupt" })
      })
      return collect((lines) => Effect.provide(listed(lines), storage), "Info")
    }
  )

  it.effect("lists without pages leave out the row that cannot be read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const account = yield* Samples.makeAccount()
      const scope = Samples.scopeOf(account)

      const agents = yield* AgentStore
      const [badAgent, goodAgent] = [yield* Samples.makeAgent(account.id), yield* Samples.makeAgent(account.id)]
      yield* sql`UPDATE agent SET role = 'king' WHERE id = ${badAgent.id}`
      const listedAgents = yield* agents.list({ accountIds: [account.id], teamIds: [] })
      expect(listedAgents.map(({ id }) => id)).toEqual([goodAgent.id])

      const webhooks = yield* WebhookStore
      const [badHook, goodHook] = [yield* Samples.makeWebhook(account.id), yield* Samples.makeWebhook(account.id)]
      yield* sql`UPDATE webhook SET status = 'king' WHERE id = ${badHook.id}`
      expect((yield* webhooks.list(account.id)).map(({ id }) => id)).toEqual([goodHook.id])

      const variables = yield* ContextVariableStore
      const define = (name: string) =>
        variables.insert({
          accountId: account.id,
          teamId: null,
          name: VariableName.make(name),
          displayName: name,
          description: null,
          variableType: "text",
          contextType: "business",
          isDefault: false,
          selectOptions: null
        })
      const [badVariable, goodVariable] = [yield* define("bad"), yield* define("good")]
      yield* sql`UPDATE variable SET variable_type = 'king' WHERE id = ${badVariable.id}`
      expect((yield* variables.list(scope, Option.none())).map(({ id }) => id)).toEqual([goodVariable.id])

      const business = yield* BusinessContextStore
      yield* business.write(account.id, { set: { bad: 1, good: 2 }, remove: [] })
      yield* sql`UPDATE business_value SET value = '[' WHERE account_id = ${account.id} AND name = 'bad'`
      expect(yield* business.values(account.id)).toEqual({ good: 2 })
    }).pipe(Effect.provide([storage, Logger.layer([])]))
  )

  it.effect("a list that is read in parts continues after a part with a row that cannot be read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* AccountStore
      const made = yield* Effect.replicateEffect(Samples.makeAccount(), Keyset.pageSize + 2)
      yield* sql`UPDATE account SET role = 'king' WHERE id = ${made[3]?.id ?? 0}`
      const all = yield* Keyset.readAll<(typeof made)[number], unknown, never>((last, limit) =>
        accounts.list(last?.id ?? null, limit)
      )
      expect(all).toHaveLength(Keyset.pageSize + 1)
    }).pipe(Effect.provide([storage, Logger.layer([])]))
  )
})
