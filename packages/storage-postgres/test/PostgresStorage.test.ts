import { describe, expect, it } from "@effect/vitest"
import { FrontLength } from "@frontdesk/storage-sql/claim/Claim"
import * as SqlStorage from "@frontdesk/storage-sql/SqlStorage"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Explain from "@frontdesk/test-postgres/Explain"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { deliveryFairnessSuite } from "@frontdesk/testing/suite/deliveryFairnessSuite"
import { outboxStoreSuite } from "@frontdesk/testing/suite/outboxStoreSuite"
import { outboxFairnessSuite } from "@frontdesk/testing/suite/outboxFairnessSuite"
import { deliveryQueueSuite } from "@frontdesk/testing/suite/deliveryQueueSuite"
import { modelSuite } from "@frontdesk/testing/suite/modelSuite"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import { withoutWaitingSuite } from "@frontdesk/testing/suite/withoutWaitingSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

/** Every statement that ran, with the number of its parameters. */
const ran = new Map<string, number>()

const watched = Layer.succeed(Statement.CurrentTransformer, (statement) => {
  const [text, params] = statement.compile()
  if (/^(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text)) ran.set(text, params.length)
  return Effect.succeed(statement)
})

/** The lent databases that a test of this file has migrated. */
const migrated = new Set<string>()

/** The storage in a database. Only the first test migrates it, because the check takes longer than most tests. */
const storageIn = (url: string) => {
  const config = { url: Redacted.make(`${url}?options=-c%20TimeZone%3DAsia/Tokyo`) }
  return migrated.has(url)
    ? Layer.provideMerge(SqlStorage.layer, PostgresStorage.layerClient(config))
    : Layer.tap(PostgresStorage.layer(config), () => Effect.sync(() => migrated.add(url)))
}

const inDatabase = Layer.unwrap(
  // Results must not depend on the language of the database or the time zone of a session.
  Effect.map(TestDatabase.withTablesInEnglish, storageIn)
).pipe(Layer.merge(watched))

storageSuite("PostgreSQL", inDatabase)
withoutWaitingSuite("PostgreSQL", inDatabase)
modelSuite("PostgreSQL", inDatabase, MemoryStorage.layer)

// With a front of two deliveries, nearly every claim goes through the webhooks one by one.
const shortFront = Layer.provide(inDatabase, Layer.succeed(FrontLength, 2))
deliveryQueueSuite("PostgreSQL with a short front", shortFront)
deliveryFairnessSuite("PostgreSQL with a short front", shortFront)
outboxStoreSuite("PostgreSQL with a short front", shortFront)
outboxFairnessSuite("PostgreSQL with a short front", shortFront)
modelSuite("PostgreSQL with a short front", shortFront, MemoryStorage.layer)

/** Returns whether a table stays small, or all its rows are requested. */
const isSmall = (table: string): boolean => table === "installation_secret" || table === "installation"

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
      const sql = yield* SqlClient.SqlClient
      const scans: Array<unknown> = []
      for (const [text, count] of new Map(ran)) {
        // Otherwise PostgreSQL reads small tables from end to end.
        const plan = Effect.andThen(
          sql`SET LOCAL enable_seqscan = off`,
          Explain.generic(text, Array<null>(count).fill(null))
        )
        const scanned = Explain.scanned(yield* sql.withTransaction(plan)).filter((table) => !isSmall(table))
        if (scanned.length > 0) scans.push({ text, scanned })
      }
      expect(scans).toEqual([])
    }).pipe(Effect.provide(inDatabase))
  )
})
