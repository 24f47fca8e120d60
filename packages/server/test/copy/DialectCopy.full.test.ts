import { describe, expect, it } from "@effect/vitest"
import * as Cell from "@frontdesk/core/access/Cell"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import { tableNames } from "@frontdesk/storage-sql/copy/CopiedTables"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { contents, copy, statements, useSamples } from "./copying.ts"
import { copySuite } from "./copySuite.ts"
import * as Databases from "./Databases.ts"

// SqlCopy.full.test.ts has the copies between databases of the same dialect.
const samples = useSamples("SQLite", "PostgreSQL")
const { sample } = samples

copySuite("SQLite", "PostgreSQL", samples)
copySuite("PostgreSQL", "SQLite", samples)

describe("a copy", () => {
  it.effect("includes every table with data that the migrations create", () =>
    Effect.gen(function* () {
      const url = yield* Databases.make("SQLite")
      yield* Effect.provide(Effect.void, Databases.stores(url))
      const [found] = yield* statements(
        url,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      )
      const created = new Set((found ?? []).map(({ name }) => name))
      expect(created).toEqual(new Set([...tableNames, "installation", "server_node", SqlMigrations.table]))
    })
  )

  it.effect("leaves constraints, triggers and indexes of the target unchanged", () =>
    Effect.gen(function* () {
      const source = yield* sample("SQLite")
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

  it.effect("does not overwrite another installation, not even the one that the source is a copy of (D-COPY-3)", () =>
    Effect.gen(function* () {
      const source = yield* sample("SQLite")
      const other = yield* sample("PostgreSQL")
      const before = yield* contents(other.url)
      expect(yield* Effect.flip(copy(source.url, other.url))).toMatchObject({ reason: "other_installation" })
      expect(yield* contents(other.url)).toEqual(before)

      const target = yield* Databases.make("PostgreSQL")
      yield* copy(source.url, target)
      expect(yield* Effect.flip(copy(target, source.url))).toMatchObject({ reason: "other_installation" })
      expect(yield* Effect.flip(copy(other.url, target))).toMatchObject({ reason: "other_installation" })
    })
  )

  it.effect("of an installation in a cell continues with the ids of that cell in PostgreSQL (D-STO-14)", () =>
    Effect.gen(function* () {
      const source = yield* Databases.make("PostgreSQL")
      const cell = Cell.Cell.make(7)
      const first = yield* Effect.provide(
        Effect.andThen(SqlMigrations.claimCell(cell), Samples.makeAccount()),
        Databases.stores(source)
      )
      const file = yield* Databases.make("SQLite")
      const target = yield* Databases.make("PostgreSQL")
      yield* copy(source, file)
      const inFile = yield* Effect.provide(Samples.makeContact(first.id), Databases.stores(file))
      yield* copy(file, target)
      yield* Effect.gen(function* () {
        expect(yield* (yield* InstallationStore).cell).toBe(cell)
        const second = yield* Samples.makeAccount()
        expect([first.id, second.id]).toEqual([Cell.ids(cell).first, Cell.ids(cell).first + 1])
        // The source has no contact, and the copy in SQLite has the first one.
        expect([inFile.id, (yield* Samples.makeContact(second.id)).id]).toEqual([first.id, second.id])
        // Neither has a calendar event.
        expect((yield* Samples.makeCalendarEvent(second.id)).id).toBe(Cell.ids(cell).first)
      }).pipe(Effect.provide(Databases.stores(target)))
    })
  )

  it.effect.each(["SQLite", "PostgreSQL"] as const)("is refused from a %s database to itself", (dialect) =>
    Effect.gen(function* () {
      const { url } = yield* sample(dialect)
      expect(yield* Effect.flip(copy(url, url))).toMatchObject({ reason: "same_database" })
    })
  )

  it.effect("is refused unless both databases have the current schema", () =>
    Effect.gen(function* () {
      const source = yield* sample("SQLite")
      const empty = yield* Databases.make("PostgreSQL")
      expect(yield* Effect.flip(copy(empty, source.url))).toMatchObject({ reason: "source_schema" })
      const old = yield* sample("PostgreSQL")
      yield* statements(old.url, `DELETE FROM ${SqlMigrations.table} WHERE migration_id > 1`)
      expect(yield* Effect.flip(copy(source.url, old.url))).toMatchObject({ reason: "target_schema" })
      expect(yield* Effect.flip(copy(old.url, empty))).toMatchObject({ reason: "source_schema" })
    })
  )

  it.effect.each([
    ["nul", "UPDATE contact SET company = 'a' || char(0) || 'b'", { table: "contact", column: "company" }],
    ["json", "UPDATE contact SET custom_context = '{'", { table: "contact", column: "custom_context" }],
    // One millisecond before the first time that PostgreSQL can store.
    ["time", "UPDATE contact SET last_call_date = -210866803200001", { table: "contact", column: "last_call_date" }]
  ] as const)(
    "names the row and column of a value that PostgreSQL does not accept (%s), and copies nothing; SQLite accepts the value",
    ([problem, change, place]) =>
      Effect.gen(function* () {
        const source = yield* sample("SQLite")
        yield* statements(source.url, change)
        const target = yield* Databases.make("PostgreSQL")
        const error = yield* Effect.flip(copy(source.url, target))
        expect(error).toMatchObject({ ...place, problem, key: { id: String(source.ids.contactId) } })
        // Without the first table, whose row only identifies the installation, the target must be empty.
        expect((yield* contents(target)).slice(1).flat()).toEqual([])
        const file = yield* Databases.make("SQLite")
        yield* copy(source.url, file)
        expect(yield* contents(file)).toHaveLength(tableNames.length + 1)
      })
  )
})
