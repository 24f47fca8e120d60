import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { PostgresStorage } from "@frontdesk/storage-postgres"
import * as ClientDialect from "@frontdesk/storage-sql/dialect/ClientDialect"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"

/** What keeps the data of a world. */
export type DatabaseKind = "sqlite" | "postgres"

/** A database as whoever judges its servers reads it. */
export interface WorldDatabase {
  /** What `FRONTDESK_DATABASE_URL` is for programs on it. */
  readonly url: string
  /** The same for a server whose sessions are to be told from those of others. */
  readonly urlAs: (name: string) => string
  /**
   * Waits until the sessions of a server that was killed are over, for 15 seconds at most. Until then a statement that it
   * had begun may be committed: a session of PostgreSQL ends its statement before it notices that its client is gone.
   */
  readonly hasLeft: (name: string) => Promise<void>
  /** Rows in one form: integers and instants are numbers, flags 1 and 0, documents text. */
  readonly rows: (statement: string) => Promise<ReadonlyArray<unknown>>
  /** An instant in epoch milliseconds as statements have it. */
  readonly time: (epochMillis: number) => string
  /** By how much the clock of a server on it may differ from that of this process, in milliseconds. */
  readonly clockError: number
  /** What the database itself finds wrong, once no server uses it any more. */
  readonly damage: () => Promise<ReadonlyArray<string>>
  /** Removes it, unless it is a file. */
  readonly close: () => Promise<void>
}

/** The file of a folder. */
export const sqlite = (folder: string): WorldDatabase => {
  const file = join(folder, "data/frontdesk.db")
  const rows = (statement: string) => {
    const database = new DatabaseSync(file, { timeout: 5_000 })
    try {
      return database
        .prepare(statement)
        .all()
        .map((row) => ({ ...row }))
    } finally {
      database.close()
    }
  }
  return {
    url: `sqlite:${file}`,
    urlAs: () => `sqlite:${file}`,
    // What writes to the file is the process itself.
    hasLeft: () => Promise.resolve(),
    rows: (statement) => Promise.resolve(rows(statement)),
    time: String,
    clockError: 0,
    damage: () =>
      Promise.resolve([
        ...rows("PRAGMA integrity_check")
          .map((found) => String(found["integrity_check"]))
          .filter((said) => said !== "ok"),
        ...rows("PRAGMA foreign_key_check").map((found) => `foreign key: ${JSON.stringify(found)}`)
      ]),
    close: () => Promise.resolve()
  }
}

/** What servers have left: one that is gone leaves no session, and no transaction. */
const leftBehind = `SELECT 'a session is ' || coalesce(state, 'there') || ' after ' || query AS what FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
  UNION ALL SELECT 'prepared: ' || gid FROM pg_prepared_xacts WHERE database = current_database()`

/** For how long a session may outlive the server that had it. */
const outliving = 5_000

/** For how long one is waited for that still works on a statement: longer than any statement may take. */
const longestStatement = 15_000

/** A new database on a server of PostgreSQL. */
export const postgres = async (server: string): Promise<WorldDatabase> => {
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Scope.provide(TestDatabase.on(server), scope))
  // A connection for each question, so that a server that was lost meanwhile is no matter.
  const client = PostgresStorage.layerClient({ url: Redacted.make(url), maxConnections: 1 })
  const rows = (statement: string) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return ClientDialect.of(sql).rows(yield* sql.unsafe<object>(statement))
      }).pipe(Effect.provide(client))
    )
  return {
    url,
    urlAs: (name) => {
      const named = new URL(url)
      named.searchParams.set("application_name", name)
      return named.href
    },
    hasLeft: async (name) => {
      const until = performance.now() + longestStatement
      const left = () => rows(`SELECT pid FROM pg_stat_activity WHERE application_name = '${name}'`)
      while ((await left()).length > 0 && performance.now() < until) await sleep(50)
    },
    rows,
    time: (epochMillis) => `to_timestamp(${epochMillis} / 1000.0)`,
    // A server goes by the time of the database, which it knows as well as it has been told.
    clockError: 50,
    damage: async () => {
      const until = performance.now() + outliving
      let left = await rows(leftBehind)
      while (left.length > 0 && performance.now() < until) {
        await sleep(50)
        left = await rows(leftBehind)
      }
      return left.map((row) => JSON.stringify(row))
    },
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
