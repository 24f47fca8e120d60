import { existsSync, statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** The result code of SQLite for a file that another connection has locked. */
const busy = 5

/**
 * Whether somebody else has a SQLite file open, who would go on with what was in it. To be asked before this process
 * opens it itself: closing a file drops the locks that a process holds on it.
 */
export const isFileInUse = (path: string): boolean => {
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path, { timeout: 0, open: false })
  try {
    database.open()
    // Whoever has read a file in WAL mode keeps a shared lock on it until it is closed.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK")
    return false
  } catch (cause) {
    // What else is wrong with it is said when it is opened.
    return hasProperty(cause, "errcode") && cause.errcode === busy
  } finally {
    if (database.isOpen) database.close()
  }
}

/** Whether two paths lead to one file. */
export const isSameFile = (one: string, other: string): boolean => {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino
}

/**
 * How many sessions of servers there are in a PostgreSQL database: by the name they give themselves, and, where a URL
 * gives them another, by what they listen to.
 */
export const serverSessions = (sql: SqlClient): Effect.Effect<number, SqlError> =>
  Effect.map(
    sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND (application_name = 'frontdesk' OR query LIKE 'LISTEN%frontdesk\_signals%')`,
    (rows) => rows.length
  )
