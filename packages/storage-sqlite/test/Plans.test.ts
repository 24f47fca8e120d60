import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { describe, expect, it } from "@effect/vitest"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { ContactErasureStore } from "@frontdesk/core/erasure/ContactErasureStore"
import { ContactRecordStore } from "@frontdesk/core/erasure/ContactRecordStore"
import * as ErasureSubject from "@frontdesk/core/erasure/ErasureSubject"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { FrontLength } from "@frontdesk/storage-sql/claim/Claim"
import * as ErasedPerson from "@frontdesk/testing/suite/ErasedPerson"
import * as FilteredLists from "@frontdesk/testing/suite/filteredLists"
import * as OutboxTasks from "@frontdesk/testing/suite/OutboxTasks"
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
        const scans = (yield* planOf(text, count)).filter(
          (step) => step.startsWith("SCAN ") && !isSmall(step) && !isBoundedCount(text, step)
        )
        expect({ text, scans }).toEqual({ text, scans: [] })
      }
    }).pipe(Effect.provide(storage))
  )

  it.effect("a claim steps through an index of ready deliveries, and not through pending ones (D-DEL-29)", () =>
    Effect.gen(function* () {
      const claims = [...ran].filter(([text]) => text.includes("RECURSIVE open") && text.includes("webhook_delivery"))
      expect(claims).toHaveLength(1)
      for (const [text, count] of claims) {
        const steps = (yield* planOf(text, count)).filter((step) => step.includes("webhook_delivery_ready"))
        // A look-up of the next account, and one of its webhook.
        const next = "SEARCH webhook_delivery USING INDEX webhook_delivery_ready ((ready_account_id,webhook_id)>(?,?))"
        expect(steps).toEqual([next, next])
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

describe("the plan of the events that are ahead of a customer", () => {
  it.effect("looks them up by the contact and by each phone number, from an end on", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      ran.clear()
      const customer = { contactId: null, phoneNumbers: ["+12025550101"] }
      yield* (yield* CalendarEventStore).ofCustomer(account.id, customer, Samples.now, 10)
      expect(ran.size).toBe(1)
      for (const [text, count] of ran) {
        const steps = (yield* planOf(text, count)).filter((step) =>
          step.startsWith("SEARCH calendar_event USING INDEX")
        )
        expect(steps).toEqual([
          "SEARCH calendar_event USING INDEX calendar_event_contact (contact_id=? AND account_id=? AND end_time>?)",
          "SEARCH calendar_event USING INDEX calendar_event_phone (account_id=? AND customer_phone=? AND end_time>?)"
        ])
      }
    }).pipe(Effect.provide(storage))
  )
})

describe("the plans of the records that a person must attend to", () => {
  it.effect("dead-lettered tasks and events in conflict are looked up by the account, by indexes of their own", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const outbox = yield* OutboxStore
      // Without a dead-lettered task, the rows of the page would not be read.
      yield* outbox.add(account.id, [OutboxTasks.sync(1)], Samples.now)
      const [task] = yield* outbox.claim(Samples.now, Samples.later(1), 1)
      if (task !== undefined) yield* outbox.deadLetter(task, "it broke", Samples.now)
      ran.clear()
      expect((yield* outbox.deadLettered({ accountId: account.id }, page)).count).toBe(1)
      yield* (yield* CalendarEventStore).conflictsFrom(account.id, Samples.now)
      const steps = yield* Effect.forEach(ran, ([text, count]) => planOf(text, count))
      expect(steps.map((plan) => plan.filter((step) => !/^(SCAN|MATERIALIZE|CO-ROUTINE)/.test(step)))).toEqual([
        ["SEARCH outbox_task USING INDEX outbox_task_dead_lettered (account_id=?)"],
        ["SEARCH outbox_task USING INDEX outbox_task_dead_lettered (account_id=?)"],
        ["SEARCH calendar_event USING INDEX calendar_event_in_conflict (account_id=? AND start_time>?)"]
      ])
    }).pipe(Effect.provide(storage))
  )
})

describe("the plans of what is known of a person", () => {
  it.effect("contacts are looked up by the e-mail address, and other records by the number, address or subject", () =>
    Effect.gen(function* () {
      const { contact } = yield* ErasedPerson.plant((yield* Samples.makeAccount()).id, "Jo", "+12025550101")
      const subject = ErasureSubject.of(contact)
      ran.clear()
      yield* (yield* ContactStore).idsByEmail(contact.accountId, "jo@example.com")
      const [records, erasure] = [yield* ContactRecordStore, yield* ContactErasureStore]
      yield* records.writtenNumbers(contact.accountId, "(", 10)
      yield* records.calls(subject, 10)
      yield* records.calendarEvents(subject, 10)
      yield* records.deliveries(contact.accountId, ["call:1"], 10)
      yield* (yield* DeliveryStore).listAbout(contact.accountId, "call:1", page)
      yield* erasure.link(subject, 10)
      yield* erasure.clearDeliveries(contact.accountId, ["call:1"], new Uint8Array(), null, 10)
      const steps = (yield* Effect.forEach(ran, ([text, count]) => planOf(text, count))).flat()
      const searched = /^SEARCH (?:contact|call|calendar_event|webhook_delivery) USING (?:COVERING )?INDEX (.*)$/
      expect(new Set(steps.flatMap((step) => searched.exec(step)?.slice(1) ?? []))).toEqual(
        new Set([
          "contact_email (account_id=? AND <expr>=?)",
          "call_contact (contact_id=? AND account_id=?)",
          "call_phone_number (account_id=? AND phone_number=?)",
          "calendar_event_contact (contact_id=? AND account_id=?)",
          "calendar_event_customer_phone (account_id=? AND customer_phone>?)",
          "calendar_event_customer_phone (account_id=? AND customer_phone=?)",
          "calendar_event_customer (account_id=? AND customer_email_key=?)",
          "webhook_delivery_line (webhook_id=? AND subject=?)",
          "webhook_delivery_subject (webhook_id=? AND subject=?)",
          "webhook_delivery_line (webhook_id=? AND subject=? AND id>?)",
          "webhook_delivery_subject (webhook_id=? AND subject=? AND id>?)"
        ])
      )
    }).pipe(Effect.provide(storage))
  )
})

describe("the plans of lists", () => {
  it.effect.each([0, 3])(
    "every list of an account in %d teams reads an index by one of its filters, in the order of the list (D-STO-12)",
    (teamCount) =>
      Effect.gen(function* () {
        const teams = yield* Effect.forEach(Array.from({ length: teamCount }), () => Samples.makeTeam())
        const account = yield* Samples.makeAccount({ teamIds: teams.map((team) => team.id) })
        const lists = yield* FilteredLists.everyFilteredList(account, teams)
        const wrong: Array<unknown> = []
        for (const list of lists) {
          ran.clear()
          yield* list.read
          const texts = [...ran].filter(([text]) => text.includes(`FROM ${list.table} WHERE`))
          // Lists of deliveries that are known to be empty have only a count.
          expect([list.name, texts.length > 0]).toEqual([list.name, true])
          for (const [text, count] of texts) {
            const steps = yield* stepsOf(text, count)
            const problems = problemsOf(list, steps)
            if (problems.length > 0) wrong.push({ list: list.name, problems, steps: steps.map(({ detail }) => detail) })
          }
        }
        expect(wrong).toEqual([])
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

/**
 * Returns what is wrong with the plan of a list or its count. An index must find the rows of each owner by one of the
 * filters. The rows may only be sorted where there are few: the rows of the page (the outermost sort), and those that a
 * filter looks up.
 */
const problemsOf = (
  { columns, isLookUp, isSearch, table }: FilteredLists.FilteredList,
  steps: ReadonlyArray<{ readonly parent: number; readonly detail: string }>
): ReadonlyArray<string> => {
  // Few events are long, or begin within a look-up's two bounds.
  const isByFilter = (detail: string) =>
    columns.some((column) => detail.includes(`${column}=?`)) ||
    (isLookUp && /_long \(\w+=\? AND end_time>\?|start_time>\? AND start_time<\?/.test(detail))
  const searches = steps.filter(({ detail }) => detail.startsWith(`SEARCH ${table} USING`) && detail.includes("INDEX"))
  const filtered = columns.length === 0 || isSearch || (table === "contact" && isLookUp)
  return [
    ...steps.filter(({ detail }) => detail.startsWith("SCAN ") && !isSmall(detail)).map(({ detail }) => detail),
    ...(filtered ? [] : searches.filter(({ detail }) => !isByFilter(detail)).map(({ detail }) => detail)),
    ...(isLookUp && table === "contact" && !steps.some(({ detail }) => /^SEARCH contact_(tag|number)/.test(detail))
      ? ["no look-up by tag or phone number"]
      : []),
    ...(isLookUp
      ? []
      : steps
          .filter(({ detail, parent }) => parent !== 0 && detail.includes("FOR ORDER BY"))
          .map(({ detail }) => detail))
  ]
}

/**
 * Returns whether a scan is small: it reads no table, a part of the statement itself, a few rows, or all requested
 * rows.
 */
const isSmall = (step: string): boolean =>
  /^SCAN (installation(?:_secret)?|server_node USING INDEX server_node_reported|webhook USING INDEX webhook_(?:deleted|cancelling)|outbox_task USING (?:COVERING )?INDEX outbox_task_(?:abandoned|old)|near|failed|going|longest|counted|json_each|page|front|due|open|pending|waiting|candidate|taken_line|taken_account|\(subquery-\d+\)|CONSTANT ROW|\d+-ROW VALUES CLAUSE)( |$)/.test(
    step
  )

/** Returns whether a scan counts the waiting tasks in their own index, up to a limit. */
const isBoundedCount = (text: string, step: string): boolean =>
  step === "SCAN outbox_task USING INDEX outbox_task_waiting" && / LIMIT \d+\) AS counted\)/.test(text)

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
