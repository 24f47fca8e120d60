import { describe, expect, it } from "@effect/vitest"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { modelSuite } from "@frontdesk/testing/suite/modelSuite"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import { withoutWaitingSuite } from "@frontdesk/testing/suite/withoutWaitingSuite"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { inDatabase, ran, scans } from "./inDatabase.ts"

storageSuite("PostgreSQL", inDatabase)
withoutWaitingSuite("PostgreSQL", inDatabase)
modelSuite("PostgreSQL", inDatabase, MemoryStorage.layer)

describe("the tables", () => {
  it.live("compare every text by its code points, whatever the language of the database is (D-PG-12)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      expect(
        yield* sql`SELECT table_name, column_name FROM information_schema.columns
          WHERE table_schema = current_schema() AND data_type = 'text'
            AND table_name <> 'frontdesk_migration' AND collation_name IS DISTINCT FROM 'C'`
      ).toEqual([])
      // A text that is not in a column is ordered as in English in this database.
      expect(yield* sql`SELECT 'a' < 'B' AS in_english, 'a' < ('B' COLLATE "C") AS in_c`).toEqual([
        { in_english: true, in_c: false }
      ])
    }).pipe(Effect.provide(inDatabase))
  )

  it.live("have an index for every statement that the suites above have run", () =>
    Effect.gen(function* () {
      expect(ran.size).toBeGreaterThan(100)
      expect(yield* scans).toEqual([])
    }).pipe(Effect.provide(inDatabase))
  )
})
