import { describe, expect, it } from "@effect/vitest"
import * as Cell from "@frontdesk/core/access/Cell"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import { alignIds } from "@frontdesk/storage-sql/migrations/InstallationCell"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"

const storage = (url: string, cell?: number) =>
  PostgresStorage.layer({ url: Redacted.make(url), ...(cell !== undefined && { cell: Cell.Cell.make(cell) }) })

const client = (url: string) => PostgresStorage.layerClient({ url: Redacted.make(url) })

const statement = (text: string) => Effect.flatMap(SqlClient, (sql) => sql.unsafe<{ readonly id: string }>(text))

/** Creates a row of several tables, and returns their ids. */
const createRows = Effect.gen(function* () {
  const account = yield* Samples.makeAccount()
  const contact = yield* Samples.makeContact(account.id)
  const event = yield* Samples.makeCalendarEvent(account.id)
  const webhook = yield* Samples.makeWebhook(account.id)
  yield* Deliveries.add(webhook, "call:1")
  const deliveries = yield* statement("SELECT CAST(id AS text) AS id FROM webhook_delivery")
  return [account.id, contact.id, event.id, webhook.id, ...deliveries.map(({ id }) => Number(id))]
})

const installedCell = Effect.flatMap(InstallationStore, ({ cell }) => cell)

describe("the cell of a PostgreSQL database", () => {
  it.live("is 0 without a number, and every id then starts at 1 (D-STO-14)", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      const ids = yield* Effect.provide(createRows, storage(url))
      expect(ids.map(Cell.ofId)).toEqual(ids.map(() => 0))
      expect(ids[0]).toBe(1)
      expect(yield* Effect.provide(installedCell, storage(url, 0))).toBe(0)
    }).pipe(Effect.scoped)
  )

  it.live("is the number that a new database is given, and all of its tables generate ids of that cell only", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      const ids = yield* Effect.provide(createRows, storage(url, 8191))
      expect(ids.map(Cell.ofId)).toEqual(ids.map(() => 8191))
      const { first, last } = Cell.ids(Cell.Cell.make(8191))
      const sequences = yield* statement(
        "SELECT CAST(start_value AS text) AS first, CAST(max_value AS text) AS last FROM pg_sequences"
      ).pipe(Effect.provide(client(url)))
      expect(sequences.length).toBeGreaterThan(10)
      expect(sequences).toEqual(sequences.map(() => ({ first: String(first), last: String(last) })))
    }).pipe(Effect.scoped)
  )

  it.live("stays when a server starts without a number, and when one starts with the same number", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      const before = yield* Effect.provide(createRows, storage(url, 3))
      expect(yield* Effect.provide(installedCell, storage(url))).toBe(3)
      const after = yield* Effect.provide(createRows, storage(url, 3))
      expect(after[0]).toBe((before[0] ?? 0) + 1)
    }).pipe(Effect.scoped)
  )

  it.live("cannot change once an id was generated, even if its row was deleted, and nothing is changed", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      yield* Effect.andThen(Samples.makeAccount(), statement("DELETE FROM account")).pipe(Effect.provide(storage(url)))
      const error = yield* Effect.flip(Effect.provide(installedCell, storage(url, 3)))
      expect(error).toMatchObject({
        operation: "SqlMigrations.claimCell",
        cause: {
          message: "it is cell 0, and only a new database can become cell 3; state 0, or use a new database"
        }
      })
      expect(yield* Effect.provide(installedCell, storage(url))).toBe(0)
      expect(Cell.ofId((yield* Effect.provide(Samples.makeAccount(), storage(url))).id)).toBe(0)
    }).pipe(Effect.scoped)
  )

  it.live("is one of two numbers when two servers with different numbers start together, and the other one fails", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      const start = (cell: number) => Effect.exit(Effect.provide(installedCell, storage(url, cell)))
      const started = yield* Effect.all([start(1), start(2)], { concurrency: 2 })
      const cell = yield* Effect.provide(installedCell, storage(url))
      expect(started.filter(Exit.isFailure)).toHaveLength(1)
      expect(started).toContainEqual(Exit.succeed(cell))
    }).pipe(Effect.scoped)
  )

  it.live("limits its ids: a table whose ids are used up accepts no row, instead of taking ids of the next cell", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      const { last } = Cell.ids(Cell.Cell.make(2))
      yield* Effect.gen(function* () {
        yield* statement(`SELECT setval(pg_get_serial_sequence('account', 'id'), ${last - 1})`)
        expect((yield* Samples.makeAccount()).id).toBe(last)
        expect(Exit.isFailure(yield* Effect.exit(Samples.makeAccount()))).toBe(true)
      }).pipe(Effect.provide(storage(url, 2)))
    }).pipe(Effect.scoped)
  )

  it.live("sets no limit below the ids that a table already has, and generates none of them again (D-STO-1)", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      yield* Effect.gen(function* () {
        yield* Samples.makeAccount()
        // An operator has given the ids of this table a range of its own.
        yield* statement("ALTER SEQUENCE account_id_seq NO MAXVALUE RESTART 5000000000000")
        yield* Samples.makeAccount()
        yield* alignIds
        expect((yield* Samples.makeAccount()).id).toBe(5_000_000_000_001)
      }).pipe(Effect.provide(storage(url)))
    }).pipe(Effect.scoped)
  )

  it.live("leaves the sequences of other programs in the same schema alone", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      yield* statement("CREATE TABLE host (id bigint GENERATED BY DEFAULT AS IDENTITY, name text)").pipe(
        Effect.andThen(statement("INSERT INTO host (name) VALUES ('a')")),
        Effect.provide(client(url))
      )
      expect(yield* Effect.provide(installedCell, storage(url, 4))).toBe(4)
      const [row] = yield* statement("INSERT INTO host (name) VALUES ('b') RETURNING CAST(id AS text) AS id").pipe(
        Effect.provide(client(url))
      )
      expect(row).toEqual({ id: "2" })
    }).pipe(Effect.scoped)
  )
})
