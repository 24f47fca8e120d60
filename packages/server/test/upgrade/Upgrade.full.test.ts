import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { SqlClient } from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import type { DatabaseUrl } from "frontdesk/settings/DatabaseUrl"
import { copy, type Dialect } from "../copy/copying.ts"
import * as Databases from "../copy/Databases.ts"
import { readInstallation } from "../copy/sampleInstallation.ts"
import * as Release from "./Release.ts"

const ids = {
  accountId: AccountId.make(1),
  webhookId: WebhookId.make(1),
  eventId: CalendarEventId.make(1),
  contactId: ContactId.make(1)
}

const migrate = (url: DatabaseUrl) =>
  Effect.scoped(
    Effect.flatMap(Databases.client(url), (sql) => Effect.provideService(SqlMigrations.migrate, SqlClient, sql))
  )

/**
 * Migrates until a number of statements have run, and stops there as a killed process does: the next statement never runs,
 * and an open transaction is rolled back. Returns whether the migration was stopped, and how many statements it ran.
 */
const migrateUntil = Effect.fnUntraced(function* (url: DatabaseUrl, statements: number) {
  let left = statements
  const stopping: Statement.Transformer = (statement) =>
    Effect.suspend(() => {
      left -= 1
      return left < 0 ? Effect.interrupt : Effect.succeed(statement)
    })
  const exit = yield* Effect.exit(Effect.provideService(migrate(url), Statement.CurrentTransformer, stopping))
  return { isStopped: Exit.hasInterrupts(exit), count: statements - left }
})

const dialects: ReadonlyArray<Dialect> = ["SQLite", "PostgreSQL"]

describe.each(dialects)("a %s database of version 0.1.0 with rows in every table", (dialect) => {
  /** The tables whose rows a migration rewrites: counts get parts, and rate limits get leases. */
  const rewritten = [SqlMigrations.table, "row_count", "rate_limit_bucket"]

  const before = Effect.gen(function* () {
    const url = yield* Release.restore(dialect)
    const columns = yield* Release.columnsOf(url)
    const rows = yield* Release.rowsOf(url, columns)
    expect(Object.entries(rows).filter(([, found]) => found.length === 0)).toEqual([])
    for (const table of rewritten) columns.delete(table)
    return { url, columns, rows: yield* Release.rowsOf(url, columns) }
  })

  const fresh = Effect.gen(function* () {
    const url = yield* Databases.make(dialect)
    yield* migrate(url)
    return yield* Release.schema(url)
  })

  it.live("has the schema of a new database and all its rows after the migration", () =>
    Effect.gen(function* () {
      const { columns, rows, url } = yield* before
      yield* migrate(url)
      expect(yield* Release.schema(url)).toEqual(yield* fresh)
      expect(yield* Release.rowsOf(url, columns)).toEqual(rows)
      expect(yield* Release.accounts(url)).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("is migrated by the next process when processes are killed during the migration", () =>
    Effect.gen(function* () {
      const source = yield* before
      const whole = yield* Databases.duplicateOf(source.url)
      const { count } = yield* migrateUntil(whole, Number.MAX_SAFE_INTEGER)
      const schema = yield* Release.schema(whole)
      // A migration of PostgreSQL takes seconds, so one database is killed several times on its way.
      const stops = dialect === "SQLite" ? [0.05, 0.3, 0.5, 0.7, 0.99].map((part) => [part]) : [[0.5, 0.2, 0.2, 0.2]]
      for (const parts of stops) {
        const url = yield* Databases.duplicateOf(source.url)
        const killed = yield* Effect.forEach(parts, (part) => migrateUntil(url, Math.floor(count * part)))
        expect(killed.filter(({ isStopped }) => isStopped).length).toBeGreaterThan(parts.length / 2)
        yield* migrate(url)
        expect(yield* Release.schema(url)).toEqual(schema)
        expect(yield* Release.rowsOf(url, source.columns)).toEqual(source.rows)
        expect(yield* Release.accounts(url)).toEqual([])
      }
    }).pipe(Effect.scoped)
  )

  it.live("shows team mates what they share, and continues its deliveries", () =>
    Effect.gen(function* () {
      const { url } = yield* before
      const read = yield* readInstallation(ids).pipe(Effect.provide(Databases.stores(url)))
      expect(read.contacts.items.map(({ firstName }) => firstName)).toEqual(["Max", "Zoë"])
      expect(read.calls.items.map(({ agent, contact }) => [agent.name, contact?.name])).toEqual([
        ["Bea", "Max"],
        ["Ada", "Zoë"]
      ])
      expect(read.events.items.map(({ accountId, aiAgent }) => [accountId, aiAgent?.name])).toEqual([
        [1, undefined],
        [1, "Bea"],
        [3, undefined]
      ])
      const claimed = yield* Deliveries.claim(60, { limit: 10 }).pipe(Effect.provide(Databases.stores(url)))
      const subjects = claimed.map(({ accountId, body }) => `${accountId} ${new TextDecoder().decode(body)}`)
      expect(subjects.toSorted()).toEqual([
        '1 {"subject":"call:2"}',
        '1 {"subject":"call:3"}',
        '1 {"subject":"call:4"}',
        '3 {"subject":"call:mate"}'
      ])
    }).pipe(Effect.scoped)
  )

  it.live.each(dialects)("can be copied to %s after the migration, with the rows that team mates share", (to) =>
    Effect.gen(function* () {
      const { url } = yield* before
      yield* migrate(url)
      const target = yield* Databases.make(to)
      const back = yield* Databases.make(dialect)
      const first = yield* copy(url, target)
      const empty = first.tables.filter(({ rows }) => rows === 0).map(({ table }) => table)
      // The release does not have these tables.
      expect(empty.toSorted()).toEqual([
        "audit_entry",
        "contact_import",
        "contact_import_part",
        "contact_import_refused",
        "member",
        "session",
        "sign_in_link",
        "slot_hold",
        "statistic",
        "tool_call"
      ])
      expect((yield* copy(target, back)).sums).toEqual(first.sums)
      const read = readInstallation(ids)
      expect(yield* Effect.provide(read, Databases.stores(back))).toEqual(
        yield* Effect.provide(read, Databases.stores(url))
      )
    }).pipe(Effect.scoped)
  )
})
