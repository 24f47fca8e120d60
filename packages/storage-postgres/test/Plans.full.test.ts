import { expect, layer } from "@effect/vitest"
import type { Scope } from "@frontdesk/core/access/Scope"
import { TeamId } from "@frontdesk/core/access/Team"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { FrontLength } from "@frontdesk/storage-sql/claim/Claim"
import * as Explain from "@frontdesk/test-postgres/Explain"
import * as LargeTables from "@frontdesk/test-postgres/LargeTables"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as FilteredLists from "@frontdesk/testing/suite/filteredLists"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

/** Every statement that ran, with the number of its parameters. */
const ran = new Map<string, number>()

const inDatabase = Layer.unwrap(
  Effect.map(TestDatabase.makeInEnglish, (url) => PostgresStorage.layer({ url: Redacted.make(url) }))
)

const watched = Layer.merge(
  // A short front, so that claims also go through the webhooks one by one.
  Layer.provide(inDatabase, Layer.succeed(FrontLength, 2)),
  Layer.succeed(Statement.CurrentTransformer, (statement) => {
    const [text, params] = statement.compile()
    if (/^(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text)) ran.set(text, params.length)
    return Effect.succeed(statement)
  })
)

// Runs every statement of every store, so that the tests below check the plans of all of them. The language of the
// database orders texts differently from their code points.
storageSuite("PostgreSQL in English, with recorded statements", watched)

/** The statements on the large tables that look up contacts by a tag, with their parameters. */
const tagStatements = new Map<string, ReadonlyArray<unknown>>()

/** The statements on the large tables that find a page, with their parameters. */
const pageStatements = new Map<string, ReadonlyArray<unknown>>()

/** The statements on the large tables that find the events of a customer, with their parameters. */
const customerStatements = new Map<string, ReadonlyArray<unknown>>()

/** The statements on the large tables that find the records that a person must attend to, with their parameters. */
const attentionStatements = new Map<string, ReadonlyArray<unknown>>()

/** The statements of a claim on the large tables, with their parameters. */
const claimStatements: Array<readonly [text: string, params: ReadonlyArray<unknown>]> = []

/** The storage with the tables of years of use, for an account that shares a team with others. */
class Large extends Context.Service<Large, { readonly scope: Scope }>()(
  "@frontdesk/storage-postgres/test/Plans.full.test/Large"
) {
  static readonly layer = Layer.effect(
    Large,
    Effect.gen(function* () {
      const team = yield* Samples.makeTeam()
      const account = yield* Samples.makeAccount({ teamIds: [team.id] })
      const agent = yield* Samples.makeAgent(account.id)
      yield* LargeTables.grow({ accountId: account.id, teamId: team.id, agentId: agent.id }, 50_000)
      return { scope: { accountId: account.id, teamIds: [team.id] } }
    })
  ).pipe(
    Layer.provideMerge(
      Layer.unwrap(
        Effect.map(TestDatabase.make, (url) =>
          // One connection, so that its prepared statements can be inspected.
          PostgresStorage.layer({
            url: Redacted.make(url),
            maxConnections: 1,
            statementTimeout: Duration.infinity
          }).pipe(
            // A short front, so that a claim also goes through the webhooks one by one.
            Layer.provide(Layer.succeed(FrontLength, 2))
          )
        )
      )
    ),
    Layer.merge(
      Layer.succeed(Statement.CurrentTransformer, (statement) => {
        const [text, params] = statement.compile()
        if (/contact_tag WHERE (?:account|team)_id/.test(text)) tagStatements.set(text, params)
        if (text.startsWith("SELECT") && text.includes("customer_phone <> ''")) customerStatements.set(text, params)
        if (/^SELECT .* FROM (?:outbox_task|calendar_event) WHERE (?:error|account_id)/s.test(text)) {
          attentionStatements.set(text, params)
        }
        if (text.startsWith("SELECT") && text.includes(") AS page)")) pageStatements.set(text, params)
        if (/^WITH RECURSIVE (front|open) |ready_account_id = account_id/.test(text))
          claimStatements.push([text, params])
        return Effect.succeed(statement)
      })
    )
  )
}

/** Returns whether a table stays small, or all its rows are requested. */
const isSmall = (table: string): boolean => ["installation", "installation_secret", "server_node"].includes(table)

layer(Large.layer, { excludeTestServices: true, timeout: 120_000 })("in large tables", (it) => {
  it.effect(
    "no statement reads a large table from end to end, whatever its parameters are",
    () =>
      Effect.gen(function* () {
        expect(ran.size).toBeGreaterThan(100)
        const scans: Array<unknown> = []
        for (const [text, count] of ran) {
          const steps = yield* Explain.generic(text, Array<null>(count).fill(null))
          const scanned = Explain.scanned(steps).filter((table) => !isSmall(table))
          if (scanned.length > 0) scans.push({ text, scanned })
        }
        expect(scans).toEqual([])
      }),
    120_000
  )

  it.effect("a claim behind a backlog reads no more rows when 5,000 webhooks have a retry pending (D-DEL-29)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* Deliveries.emptyQueue
      const account = yield* Samples.makeAccount()
      const [hanging, idle] = [yield* Samples.makeWebhook(account.id), yield* Samples.makeWebhook(account.id)]
      for (let index = 0; index < 20; index++) yield* Deliveries.add(hanging, `call:${index}`)
      yield* Deliveries.add(idle, "call:last", { createdAt: Samples.later(1) })
      const putBack = (keys: ReadonlyArray<number>) => queue.postpone(keys, "lease", Samples.later(1))
      const claim = Effect.gen(function* () {
        claimStatements.length = 0
        const request = { leaseId: "lease", takenPlaces: new Map([[hanging.id, 8]]), perWebhook: 8 }
        const claimed = yield* Deliveries.claim(2, request)
        expect(claimed.map(({ webhookId }) => webhookId)).toEqual([idle.id])
        const keys = claimed.map(({ key }) => key)
        yield* putBack(keys)
        return keys
      })
      const read = Effect.gen(function* () {
        const keys = yield* claim
        // Two walks. Between them the postponed delivery becomes ready.
        expect(claimStatements.length).toBeGreaterThan(2)
        // The analysis runs the statements, so it claims the delivery too.
        const rows = yield* Effect.forEach([...claimStatements], ([text, params]) =>
          Effect.map(Explain.analysed(text, params), Explain.rowsRead)
        )
        yield* putBack(keys)
        return rows.reduce((sum, count) => sum + count, 0)
      })
      // The first claim also examines the front of the queue.
      yield* claim
      const before = yield* read
      yield* sql`WITH webhook AS (
          SELECT id, account_id FROM webhook WHERE name = 'large' ORDER BY id LIMIT 5000
        ),
        event AS (
          INSERT INTO webhook_event (account_id, name, created_at, body)
          SELECT DISTINCT account_id, 'call.ended', now(), CAST('{}' AS bytea) FROM webhook RETURNING id, account_id
        )
        INSERT INTO webhook_delivery (account_id, delivery_id, event_id, webhook_id, subject, state, kind, due_at, results,
          claims, attempts)
        SELECT account_id, gen_random_uuid()::text, event.id, webhook.id, 'call:1', 'pending', 'automatic',
          ${DateTime.formatIso(Samples.later(60))}::timestamptz, 0, 0, 1
        FROM webhook JOIN event USING (account_id)`
      yield* sql`ANALYZE webhook_delivery`
      expect({ before, after: yield* read, isFew: before < 200 }).toEqual({ before, after: before, isFew: true })
    })
  )

  it.effect(
    "the first page of a list is planned five times, and the next plan is used for all later requests (D-PG-17)",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const events = yield* CalendarEventStore
        const { scope } = yield* Large
        const own = { ...scope, teamIds: [] }
        const from = DateTime.makeUnsafe("2025-03-03T00:00:00Z")
        const until = DateTime.add(from, { days: 7 })
        for (const filter of [{}, { from, until }]) {
          yield* Effect.replicateEffect(events.list(own, filter, { page: 1, limit: 20 }), 12)
        }
        // PostgreSQL plans a new statement for its values five times, before it compares a generic plan.
        expect(
          yield* sql`SELECT custom_plans AS planned FROM pg_prepared_statements WHERE statement LIKE 'SELECT calendar_event.id%'`
        ).toEqual([{ planned: 5n }, { planned: 5n }])
      })
  )

  it.effect(
    "every list finds its page by one of its filters, among the many rows that others have in a team (D-STO-12)",
    () =>
      Effect.gen(function* () {
        const { scope } = yield* Large
        const team = { id: TeamId.make(scope.teamIds[0] ?? 0), name: "" }
        const stranger = yield* Samples.makeAccount({ teamIds: scope.teamIds })
        const lists = yield* FilteredLists.everyFilteredList(stranger, [team])
        const wrong: Array<unknown> = []
        for (const list of lists.filter(({ isSearch }) => !isSearch)) {
          pageStatements.clear()
          yield* list.read
          for (const [text, params] of new Map(pageStatements)) {
            const read = Explain.rowsRead(yield* Explain.analysed(text, params))
            if (read > 500) wrong.push({ list: list.name, read, text })
          }
        }
        expect(wrong).toEqual([])
      }),
    120_000
  )

  it.effect("the events that are ahead of a customer are found among 50,000 others, and among 50 that are over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const events = yield* CalendarEventStore
      const { accountId } = (yield* Large).scope
      const [customer] = yield* sql<{ contact: string; phone: string }>`SELECT CAST(contact_id AS text) AS contact,
          customer_phone AS phone FROM calendar_event
        WHERE contact_id IS NOT NULL AND customer_phone <> '' AND account_id = ${accountId} ORDER BY id DESC LIMIT 1`
      const contactId = ContactId.make(Number(customer?.contact))
      const phoneNumbers = [customer?.phone ?? "", "+12025550199"]
      const [last] = yield* sql<{ ended: Date }>`SELECT max(end_time) AS ended FROM calendar_event`
      const ended = DateTime.makeUnsafe(last?.ended ?? 0)
      const times = { startTime: ended, endTime: DateTime.add(ended, { minutes: 30 }) }
      const made = [
        yield* Samples.makeCalendarEvent(accountId, { ...times, contactId }),
        yield* Samples.makeCalendarEvent(accountId, {
          ...times,
          customer: { name: "", email: "", phone: customer?.phone ?? "", notes: "" }
        })
      ]
      customerStatements.clear()
      expect(yield* events.ofCustomer(accountId, { contactId, phoneNumbers }, ended, 10)).toEqual(made)
      expect(customerStatements.size).toBe(1)
      for (const [text, params] of customerStatements) {
        const read = Explain.rowsRead(yield* Explain.analysed(text, params))
        expect({ text, read, isMany: read > 20 }).toEqual({ text, read, isMany: false })
      }
      for (const { id } of made) yield* sql`DELETE FROM calendar_event WHERE id = ${id}`
    })
  )

  it.effect(
    "dead-lettered tasks and events in conflict of an account are read without those of others, or in no conflict",
    () =>
      Effect.gen(function* () {
        const { scope } = yield* Large
        const sql = yield* SqlClient.SqlClient
        // Without a dead-lettered task, the rows of the page would not be read.
        yield* sql`INSERT INTO outbox_task (account_id, due_at, error, tag, event_id, work)
          SELECT ${scope.accountId}, due_at, error, tag, event_id, work FROM outbox_task WHERE error IS NOT NULL LIMIT 1`
        attentionStatements.clear()
        const page = yield* (yield* OutboxStore).deadLettered({ accountId: scope.accountId }, { page: 1, limit: 20 })
        expect(page.count).toBe(1)
        const from = DateTime.makeUnsafe("2024-01-01T00:00:00Z")
        expect(yield* (yield* CalendarEventStore).conflictsFrom(scope.accountId, from)).toEqual({})
        expect(attentionStatements.size).toBe(3)
        for (const [text, params] of attentionStatements) {
          const read = Explain.rowsRead(yield* Explain.analysed(text, params))
          expect({ text, read, isMany: read > 20 }).toEqual({ text, read, isMany: false })
        }
      })
  )

  it.effect("an update of a webhook after a delivery changes its page and no index (D-PG-18)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const changes = Effect.gen(function* () {
        yield* sql`SELECT pg_stat_force_next_flush()`
        return yield* sql<{ all: number; hot: number }>`SELECT CAST(n_tup_upd AS integer) AS all,
          CAST(n_tup_hot_upd AS integer) AS hot FROM pg_stat_user_tables WHERE relname = 'webhook'`
      })
      const [before] = yield* changes
      yield* sql`UPDATE webhook SET last_delivery_at = now(), last_success_at = now() WHERE id % 10 = 0`
      const [after] = yield* changes
      const [all, hot] = [(after?.all ?? 0) - (before?.all ?? 0), (after?.hot ?? 0) - (before?.hot ?? 0)]
      expect({ isMany: all > 1_000, all }).toEqual({ isMany: true, all: hot })
    })
  )

  it.effect("contacts with a tag are found by the tag among the many contacts that other accounts have in a team", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const contacts = yield* ContactStore
      const { scope } = yield* Large
      const [row] = yield* sql<{ tag: string }>`SELECT tag FROM contact_tag WHERE team_id IS NOT NULL LIMIT 1`
      const tag = row?.tag ?? ""
      const stranger = yield* Samples.makeAccount({ teamIds: scope.teamIds })
      const page = { page: 1, limit: 20 }
      for (const teamId of [undefined, ...scope.teamIds]) {
        tagStatements.clear()
        const found = yield* contacts.list({ ...scope, accountId: stranger.id }, { tag, teamId }, page)
        expect(found.items.map((contact) => contact.tags)).toEqual(Array.from({ length: 20 }, () => [tag]))
        // One statement counts the contacts, and one finds the page.
        expect(tagStatements.size).toBe(2)
        for (const [text, params] of new Map(tagStatements)) {
          const read = Explain.rowsRead(yield* Explain.analysed(text, params))
          expect({ text, read, isMany: read > 500 }).toEqual({ text, read, isMany: false })
        }
      }
    })
  )
})
