import { describe, expect, it } from "@effect/vitest"
import * as Cell from "@frontdesk/core/access/Cell"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import * as OldSchema from "./OldSchema.ts"

describe.each(emptyDatabases)("the migration to cells of a database with accounts, on %s", (name, emptyDatabase) => {
  it.live("makes it cell 0, whose ids continue, and which cannot become another cell (D-STO-14)", () =>
    Effect.gen(function* () {
      const { client, storage } = yield* emptyDatabase
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* Effect.andThen(OldSchema.migrateFirst, OldSchema.insertAccounts)
        if (name === "PostgreSQL") yield* sql`SELECT setval('account_id_seq', 3)`
      }).pipe(Effect.provide(client))
      yield* Effect.gen(function* () {
        expect(yield* (yield* InstallationStore).cell).toBe(Cell.single)
        expect((yield* Samples.makeAccount()).id).toBe(4)
        yield* SqlMigrations.claimCell(Cell.single)
        const { cause } = yield* Effect.flip(SqlMigrations.claimCell(Cell.Cell.make(3)))
        expect(cause).toMatchObject({
          message:
            name === "PostgreSQL"
              ? "it is cell 0, and only a new database can become cell 3; state 0, or use a new database"
              : "SQLite is always cell 0; cell 3 needs a PostgreSQL database"
        })
        expect((yield* Samples.makeAccount()).id).toBe(5)
      }).pipe(Effect.provide(storage))
    }).pipe(Effect.scoped)
  )
})
