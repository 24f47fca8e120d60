import * as SqlCopy from "@frontdesk/storage-sql/copy/SqlCopy"
import { tableNames } from "@frontdesk/storage-sql/copy/CopiedTables"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { afterAll, beforeAll } from "vitest"
import * as NodeCrypto from "frontdesk/NodeCrypto"
import type { DatabaseUrl } from "frontdesk/settings/DatabaseUrl"
import { join } from "node:path"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import * as Databases from "./Databases.ts"
import { fill, type Filled } from "./sampleInstallation.ts"

/** A dialect of SQL. */
export type Dialect = "SQLite" | "PostgreSQL"

/** Copies one database to another, as the command does. `onProgress` also receives the client of the target. */
export const copy = Effect.fnUntraced(
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

/** Runs statements on a database and returns the rows of each. */
export const statements = Effect.fnUntraced(function* (url: DatabaseUrl, ...texts: ReadonlyArray<string>) {
  const sql = yield* Databases.client(url)
  return yield* Effect.forEach(texts, (text) => sql.unsafe<Readonly<Record<string, unknown>>>(text))
}, Effect.scoped)

/** Returns every row of every table, beginning with the row that identifies the installation. */
export const contents = (url: DatabaseUrl) =>
  statements(url, ...["installation", ...tableNames].map((name) => `SELECT * FROM ${name} ORDER BY 1, 2`))

/** A database with the sample installation, and the ids of its records. */
export interface Sample {
  readonly url: DatabaseUrl
  readonly ids: Filled
}

/**
 * Fills a database of each dialect before the tests of the file. Returns `sample`, which makes a duplicate of the filled
 * database of a dialect, and `inScope`, which runs an effect whose resources last until the end of the file. To duplicate
 * a database costs less than to fill another one.
 */
export const useSamples = (...dialects: ReadonlyArray<Dialect>) => {
  const folder = temporaryFolder()
  const scope = Scope.makeUnsafe()
  const samples = new Map<Dialect, Sample>()
  const inScope = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
    Effect.runPromise(Scope.provide(effect.pipe(Effect.provide(TestClock.layer())), scope))
  const database = {
    SQLite: Effect.succeed<DatabaseUrl>({ _tag: "File", path: join(folder, "sample.db") }),
    PostgreSQL: Databases.make("PostgreSQL")
  }
  const fillDatabase = Effect.fnUntraced(function* (dialect: Dialect) {
    const url = yield* database[dialect]
    samples.set(dialect, { url, ids: yield* Effect.provide(fill, Databases.stores(url)) })
  })
  beforeAll(() => inScope(Effect.forEach(dialects, fillDatabase, { discard: true })))
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  const sample = Effect.fnUntraced(function* (dialect: Dialect) {
    const found = samples.get(dialect)
    if (found === undefined) return yield* Effect.die(`There is no sample on ${dialect}`)
    return { url: yield* Databases.duplicateOf(found.url), ids: found.ids }
  })
  return { inScope, sample }
}
