import * as SqlStorage from "@frontdesk/storage-sql/SqlStorage"
import * as Explain from "@frontdesk/test-postgres/Explain"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Statement from "effect/sql/Statement"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

/** Every statement that ran in {@link inDatabase}, with the number of its parameters. */
export const ran = new Map<string, number>()

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

/** The storage in a database without rows, for the suites of this package. */
export const inDatabase = Layer.unwrap(
  // Results must not depend on the language of the database or the time zone of a session.
  Effect.map(TestDatabase.withTablesInEnglish, storageIn)
).pipe(Layer.merge(watched))

/** Returns whether a table stays small, or all its rows are requested. */
const isSmall = (table: string): boolean => table === "installation_secret" || table === "installation"

/** Returns the statements of {@link ran} that read a whole table which may be large. */
export const scans = Effect.gen(function* () {
  const found = yield* Explain.scannedAnyway(new Map(ran))
  return [...found]
    .map(([text, tables]) => ({ text, scanned: tables.filter((table) => !isSmall(table)) }))
    .filter(({ scanned }) => scanned.length > 0)
})
