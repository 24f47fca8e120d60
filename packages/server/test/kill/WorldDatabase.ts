import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { PostgresStorage } from "@frontdesk/storage-postgres"
import { toStored } from "@frontdesk/storage-sql/dialect/PostgresDialect"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"

/** The kind of a database. */
export type DatabaseKind = "sqlite" | "postgres"

/** The database of a world, as the test reads it. */
export interface WorldDatabase {
  /** The value of `FRONTDESK_DATABASE_URL` for programs that use it. */
  readonly url: string
  /** Returns the URL for a server whose sessions in PostgreSQL have this application name. */
  readonly urlAs: (name: string) => string
  /**
   * Waits until the sessions of a killed server have ended, for at most 15 seconds. Until then PostgreSQL may commit a
   * statement that the server had begun, because a session finishes its statement before it notices that its client has
   * disconnected.
   */
  readonly hasLeft: (name: string) => Promise<void>
  /** Returns rows in the same form for both databases: integers and times as numbers, flags as 1 and 0, JSON as text. */
  readonly rows: (statement: string) => Promise<ReadonlyArray<unknown>>
  /** Returns a time in epoch milliseconds in the form for statements. */
  readonly time: (epochMillis: number) => string
  /** The maximum difference between the clock of a server on it and the clock of this process, in milliseconds. */
  readonly clockError: number
  /** Returns the errors that the database finds in itself. No server may use it at that time. */
  readonly damage: () => Promise<ReadonlyArray<string>>
  /** Removes the database, unless it is a file. */
  readonly close: () => Promise<void>
}

/** Returns the SQLite database in a folder. */
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
    // Only the killed process itself wrote to the file.
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

/** Finds sessions and transactions that servers have left, although they have ended. */
const leftBehind = `SELECT 'a session is ' || coalesce(state, 'there') || ' after ' || query AS what FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
  UNION ALL SELECT 'prepared: ' || gid FROM pg_prepared_xacts WHERE database = current_database()`

/** How long a session may exist after its server has ended, in milliseconds. */
const outliving = 5_000

/** How long to wait for a session that executes a statement, in milliseconds. No statement takes as long. */
const longestStatement = 15_000

/** Creates a database on a PostgreSQL server. */
export const postgres = async (server: string): Promise<WorldDatabase> => {
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Scope.provide(TestDatabase.on(server), scope))
  // A new connection for each statement, so that an outage of the server in between has no effect.
  const client = PostgresStorage.layerClient({ url: Redacted.make(url), maxConnections: 1 })
  const rows = (statement: string) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const found = yield* sql.unsafe<Readonly<Record<string, unknown>>>(statement)
        return found.map((row) => Record.map(row, toStored))
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
    // A server estimates the clock of the database with this accuracy.
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
