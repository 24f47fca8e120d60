import { existsSync, statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** `SQLITE_BUSY`: another connection has locked the file. */
const busy = 5

/**
 * Returns whether another process has a SQLite file open. Such a process would continue with the old data after a copy.
 *
 * Call it before this process opens the file: closing a file drops all locks that the process has on it.
 */
export const isFileInUse = (path: string): boolean => {
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path, { timeout: 0, open: false })
  try {
    database.open()
    // A process that has read a file in WAL mode has a shared lock on it until it closes the file.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK")
    return false
  } catch (cause) {
    // The command reports any other problem when it opens the file.
    return hasProperty(cause, "errcode") && cause.errcode === busy
  } finally {
    if (database.isOpen) database.close()
  }
}

/** Returns whether two paths lead to the same file. */
export const isSameFile = (one: string, other: string): boolean => {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino
}

/**
 * Returns how many sessions of Frontdesk servers a PostgreSQL database has. A session belongs to a server if it has the
 * default application name, or if it listens to the signals of Frontdesk; a URL may choose another application name.
 *
 * PostgreSQL ends a session a little later than its server ends. So this waits up to 2 seconds until there is none.
 */
export const serverSessions = (sql: SqlClient): Effect.Effect<number, SqlError> =>
  Effect.repeat(countSessions(sql), {
    until: (sessions) => sessions === 0,
    schedule: Schedule.spaced("100 millis"),
    times: 20
  })

const countSessions = (sql: SqlClient): Effect.Effect<number, SqlError> =>
  Effect.map(
    sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND (application_name = 'frontdesk' OR query LIKE 'LISTEN%frontdesk\_signals%')`,
    (rows) => rows.length
  )
