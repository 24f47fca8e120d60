import { describe, expect, it } from "@effect/vitest"
import { FrontLength } from "@frontdesk/storage-sql/webhook/DeliveryClaim"
import * as Explain from "@frontdesk/test-postgres/Explain"
import * as LargeTables from "@frontdesk/test-postgres/LargeTables"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import * as PostgresStorage from "../src/PostgresStorage.ts"

/** Every statement that ran, with the number of its parameters. */
const ran = new Map<string, number>()

const inDatabase = Layer.unwrap(
  Effect.map(TestDatabase.makeInEnglish, (url) => PostgresStorage.layer({ url: Redacted.make(url) }))
)

const watched = Layer.merge(
  // A short front, so that claims go through the endpoints too.
  Layer.provide(inDatabase, Layer.succeed(FrontLength, 2)),
  Layer.succeed(Statement.CurrentTransformer, (statement) => {
    const [text, params] = statement.compile()
    if (/^(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text)) ran.set(text, params.length)
    return Effect.succeed(statement)
  })
)

// Runs every statement of every store, so that the plans below are those of all of them; and in a language whose order
// of texts is not that of their code points.
storageSuite("PostgreSQL in English, watched", watched)

const large = Layer.unwrap(
  Effect.map(TestDatabase.make, (url) =>
    PostgresStorage.layer({ url: Redacted.make(url), maxConnections: 2, statementTimeout: Duration.infinity })
  )
)

/** What is always small, or all that is asked for. */
const isSmall = (table: string): boolean => table === "installation_secret" || table === "installation"

describe("the columns", () => {
  it.live("every text is compared by its code points, whatever the language of the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      expect(
        yield* sql`SELECT table_name, column_name FROM information_schema.columns
          WHERE table_schema = current_schema() AND data_type = 'text'
            AND table_name <> 'frontdesk_migration' AND collation_name IS DISTINCT FROM 'C'`
      ).toEqual([])
      // In this database, a text that is not of a column is in the order of English.
      expect(yield* sql`SELECT 'a' < 'B' AS in_english, 'a' < ('B' COLLATE "C") AS in_c`).toEqual([
        { in_english: true, in_c: false }
      ])
    }).pipe(Effect.provide(inDatabase))
  )
})

describe("the plans of all statements", () => {
  it.live(
    "whatever the parameters are, no statement reads a large table from end to end",
    () =>
      Effect.gen(function* () {
        const team = yield* Samples.makeTeam()
        const account = yield* Samples.makeAccount({ teamIds: [team.id] })
        const agent = yield* Samples.makeAgent(account.id)
        yield* LargeTables.grow({ accountId: account.id, teamId: team.id, agentId: agent.id }, 50_000)
        expect(ran.size).toBeGreaterThan(100)
        const scans: Array<unknown> = []
        for (const [text, count] of ran) {
          const steps = yield* Explain.generic(text, Array<null>(count).fill(null))
          const scanned = Explain.scanned(steps).filter((table) => !isSmall(table))
          if (scanned.length > 0) scans.push({ text, scanned })
        }
        expect(scans).toEqual([])
      }).pipe(Effect.provide(large)),
    120_000
  )
})
