import { TeamId } from "@frontdesk/core/access/Team"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as SqlCopy from "@frontdesk/storage-sql/copy/SqlCopy"
import { tableNames } from "@frontdesk/storage-sql/copy/CopiedTables"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as NodeCrypto from "frontdesk/NodeCrypto"
import type { DatabaseUrl } from "frontdesk/settings/DatabaseUrl"
import { join } from "node:path"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import * as Databases from "./Databases.ts"
import { fill, type Filled, portrait } from "./sampleInstallation.ts"

type Dialect = "SQLite" | "PostgreSQL"

const copy = Effect.fnUntraced(
  function* (
    from: DatabaseUrl,
    to: DatabaseUrl,
    onProgress?: (progress: SqlCopy.Progress, target: SqlClient) => Effect.Effect<void>
  ) {
    const source = yield* Databases.reader(from)
    const target = yield* Databases.client(to)
    const options = onProgress && { onProgress: (progress: SqlCopy.Progress) => onProgress(progress, target) }
    return yield* SqlCopy.copy({ source, target, ...options })
  },
  Effect.scoped,
  Effect.provide(NodeCrypto.layer)
)

/** Runs statements on a database. */
const statements = Effect.fnUntraced(function* (url: DatabaseUrl, ...texts: ReadonlyArray<string>) {
  const sql = yield* Databases.client(url)
  return yield* Effect.forEach(texts, (text) => sql.unsafe<Readonly<Record<string, unknown>>>(text))
}, Effect.scoped)

/** Every row of every table, and the name of the installation. */
const contents = (url: DatabaseUrl) =>
  statements(url, ...["installation", ...tableNames].map((name) => `SELECT * FROM ${name} ORDER BY 1, 2`))

const folder = temporaryFolder()

/** Where the samples are, of which every test has copies: to fill a database costs more than to copy it. */
const samples = {
  SQLite: Effect.succeed<DatabaseUrl>({ _tag: "File", path: join(folder, "sample.db") }),
  PostgreSQL: Databases.make("PostgreSQL")
}

const scope = Scope.makeUnsafe()
const made = new Map<Dialect, { readonly url: DatabaseUrl; readonly ids: Filled }>()

beforeAll(async () => {
  const make = Effect.fnUntraced(function* (dialect: Dialect) {
    const url = yield* samples[dialect]
    made.set(dialect, { url, ids: yield* Effect.provide(fill, Databases.stores(url)) })
  })
  const all = Effect.forEach(["SQLite", "PostgreSQL"] as const, make).pipe(Effect.provide(TestClock.layer()))
  await Effect.runPromise(Scope.provide(all, scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** A database with the sample, and what is in it. */
const filled = Effect.fnUntraced(function* (dialect: Dialect) {
  const sample = made.get(dialect)
  if (sample === undefined) return yield* Effect.die(`There is no sample on ${dialect}`)
  return { url: yield* Databases.copyOf(sample.url), ids: sample.ids }
})

describe.each([
  { from: "SQLite", to: "PostgreSQL" },
  { from: "PostgreSQL", to: "SQLite" },
  { from: "SQLite", to: "SQLite" },
  { from: "PostgreSQL", to: "PostgreSQL" }
] as const)("a copy from $from to $to", ({ from, to }) => {
  it.effect("shows all that the source shows, through every port", () =>
    Effect.gen(function* () {
      const source = yield* filled(from)
      const target = yield* Databases.make(to)
      const { sums, tables } = yield* copy(source.url, target)
      expect(tables.map(({ table }) => table)).toEqual(tableNames)
      expect(tables.filter(({ rows }) => rows === 0)).toEqual([])
      expect(sums).toEqual({
        balance: 12_245_678n,
        running_calls: 1n,
        events: 1n,
        pending_reminders: 1n,
        pending_deliveries: 3n
      })
      const shown = portrait(source.ids)
      expect(yield* Effect.provide(shown, Databases.stores(target))).toEqual(
        yield* Effect.provide(shown, Databases.stores(source.url))
      )
    })
  )

  it.effect("goes on as the source would: leases end, ids follow, rows are counted, references hold (D-STO-1)", () =>
    Effect.gen(function* () {
      const source = yield* filled(from)
      const target = yield* Databases.make(to)
      yield* copy(source.url, target)
      const goOn = Effect.gen(function* () {
        const asked = { leaseUntil: Samples.later(500) }
        const claimed = [
          yield* Deliveries.claim(1.2, asked),
          yield* Deliveries.claim(1.6, asked),
          yield* Deliveries.claim(31, asked)
        ]
        const contact = yield* Samples.makeContact(source.ids.accountId)
        const event = yield* Samples.makeCalendarEvent(source.ids.accountId)
        const webhook = yield* Samples.makeWebhook(source.ids.accountId)
        yield* Deliveries.add(webhook, "call:9")
        const later = yield* Deliveries.claim(40, asked)
        const sql = yield* SqlClient
        const counted = yield* sql`SELECT kind, account_id, team_id, status, type, total FROM row_count
          WHERE total <> 0 ORDER BY kind, account_id, team_id, status, type`
        const alone = yield* Effect.flip(
          Samples.makeContact(source.ids.accountId, { team: { id: TeamId.make(99), name: "" } })
        )
        return {
          claimed: [...claimed, later].map((some) =>
            some.map(({ body, id: _id, leaseId: _lease, secrets, ...rest }) => ({
              ...rest,
              body: new TextDecoder().decode(body),
              secrets: [secrets.current, ...(secrets.previous ? [secrets.previous.secret] : [])].map(Redacted.value)
            }))
          ),
          ids: [contact.id, event.id, webhook.id],
          counted: counted.map((row) => Object.values(row).map(String)),
          refused: alone.reason
        }
      })
      const there = yield* Effect.provide(goOn, Databases.stores(target))
      const here = yield* Effect.provide(goOn, Databases.stores(source.url))
      expect(there).toEqual(here)
      // The pending one; the leased one at the end of its lease; the one to be tried again; a new one.
      expect(there.claimed.map((some) => some.length)).toEqual([1, 1, 1, 1])
      expect(there.ids[0]).toBe(source.ids.contactId + 2)
    })
  )

  it.effect("made again holds what the source holds by then, and nothing that is gone there", () =>
    Effect.gen(function* () {
      const source = yield* filled(from)
      const target = yield* Databases.make(to)
      const first = yield* copy(source.url, target)
      expect(yield* copy(source.url, target)).toEqual(first)
      yield* statements(source.url, "DELETE FROM contact_tag WHERE position = 0", "UPDATE account SET name = 'New'")
      yield* Effect.provide(Samples.makeContact(source.ids.accountId), Databases.stores(source.url))
      const second = yield* copy(source.url, target)
      expect(second.checksum).not.toBe(first.checksum)
      const shown = portrait(source.ids)
      expect(yield* Effect.provide(shown, Databases.stores(target))).toEqual(
        yield* Effect.provide(shown, Databases.stores(source.url))
      )
    })
  )

  it.effect("is not made again over what was written to it, however little", () =>
    Effect.gen(function* () {
      const source = yield* filled(from)
      const target = yield* Databases.make(to)
      yield* copy(source.url, target)
      yield* statements(target, "UPDATE webhook_attempt SET duration_ms = duration_ms + 1 WHERE delivery_id = 1")
      const before = yield* contents(target)
      expect(yield* Effect.flip(copy(source.url, target))).toMatchObject({ reason: "target_changed" })
      expect(yield* contents(target)).toEqual(before)
    })
  )

  it.effect("is of one state of the source, which goes on in the meantime", () =>
    Effect.gen(function* () {
      const source = yield* filled(from)
      const target = yield* Databases.make(to)
      const before = yield* Effect.provide(portrait(source.ids), Databases.stores(source.url))
      const write = Effect.provide(Samples.makeContact(source.ids.accountId), Databases.stores(source.url))
      yield* copy(source.url, target, ({ table }) => (table === "account" ? Effect.orDie(write) : Effect.void))
      expect(yield* Effect.provide(portrait(source.ids), Databases.stores(target))).toEqual(before)
    })
  )

  it.effect("that comes out different is undone", () =>
    Effect.gen(function* () {
      const source = yield* filled(from)
      const target = yield* Databases.make(to)
      const spoil = (progress: SqlCopy.Progress, sql: SqlClient) =>
        progress.table === "webhook_attempt" && progress.phase === "copying"
          ? Effect.orDie(sql.unsafe("UPDATE contact_tag SET tag = 'other' WHERE position = 1"))
          : Effect.void
      expect(yield* Effect.flip(copy(source.url, target, spoil))).toMatchObject({
        _tag: "CopyMismatch",
        subject: "contact_tag"
      })
      expect((yield* contents(target)).slice(1).flat()).toEqual([])
      // Nothing of it is left that would be in the way of the next.
      yield* copy(source.url, target)
    })
  )
})

describe("a copy", () => {
  it.effect("takes every table that the migrations make", () =>
    Effect.gen(function* () {
      const url = yield* Databases.make("SQLite")
      yield* Effect.provide(Effect.void, Databases.stores(url))
      const [found] = yield* statements(
        url,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      )
      const made = new Set((found ?? []).map(({ name }) => name))
      expect(made).toEqual(new Set([...tableNames, "installation", SqlMigrations.table]))
    })
  )

  it.effect("leaves every rule of the tables as it was", () =>
    Effect.gen(function* () {
      const source = yield* filled("SQLite")
      const rules = `SELECT conrelid::regclass::text || pg_get_constraintdef(oid) AS rule FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace UNION ALL SELECT tgname::text || tgenabled::text FROM pg_trigger
        WHERE NOT tgisinternal UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`
      const target = yield* Databases.make("PostgreSQL")
      yield* Effect.provide(Effect.void, Databases.stores(target))
      const before = yield* statements(target, rules)
      yield* copy(source.url, target)
      expect(yield* statements(target, rules)).toEqual(before)
    })
  )

  it.effect("does not take the place of an installation, be it the one that the source is a copy of (D-COPY-3)", () =>
    Effect.gen(function* () {
      const source = yield* filled("SQLite")
      const other = yield* filled("PostgreSQL")
      const before = yield* contents(other.url)
      expect(yield* Effect.flip(copy(source.url, other.url))).toMatchObject({ reason: "other_installation" })
      expect(yield* contents(other.url)).toEqual(before)

      const target = yield* Databases.make("PostgreSQL")
      yield* copy(source.url, target)
      expect(yield* Effect.flip(copy(target, source.url))).toMatchObject({ reason: "other_installation" })
      expect(yield* Effect.flip(copy(other.url, target))).toMatchObject({ reason: "other_installation" })
    })
  )

  it.effect.each(["SQLite", "PostgreSQL"] as const)("is not made of a %s database into itself", (dialect) =>
    Effect.gen(function* () {
      const { url } = yield* filled(dialect)
      expect(yield* Effect.flip(copy(url, url))).toMatchObject({ reason: "same_database" })
    })
  )

  it.effect("is made between databases of the present schema alone", () =>
    Effect.gen(function* () {
      const source = yield* filled("SQLite")
      const empty = yield* Databases.make("PostgreSQL")
      expect(yield* Effect.flip(copy(empty, source.url))).toMatchObject({ reason: "source_schema" })
      const old = yield* filled("PostgreSQL")
      yield* statements(old.url, `DELETE FROM ${SqlMigrations.table} WHERE migration_id > 1`)
      expect(yield* Effect.flip(copy(source.url, old.url))).toMatchObject({ reason: "target_schema" })
      expect(yield* Effect.flip(copy(old.url, empty))).toMatchObject({ reason: "source_schema" })
    })
  )

  it.effect.each([
    ["nul", "UPDATE contact SET company = 'a' || char(0) || 'b'", { table: "contact", column: "company" }],
    ["json", "UPDATE contact SET custom_context = '{'", { table: "contact", column: "custom_context" }],
    ["time", "UPDATE contact SET last_call_date = -210866803200001", { table: "contact", column: "last_call_date" }]
  ] as const)("names the value that PostgreSQL does not take (%s), and leaves nothing", ([problem, change, place]) =>
    Effect.gen(function* () {
      const source = yield* filled("SQLite")
      yield* statements(source.url, change)
      const target = yield* Databases.make("PostgreSQL")
      const error = yield* Effect.flip(copy(source.url, target))
      expect(error).toMatchObject({ ...place, problem, key: { id: String(source.ids.contactId) } })
      expect((yield* contents(target)).slice(1).flat()).toEqual([])
      const file = yield* Databases.make("SQLite")
      yield* copy(source.url, file)
      expect(yield* contents(file)).toHaveLength(tableNames.length + 1)
    })
  )
})
