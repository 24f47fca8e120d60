import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Effect from "effect/Effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as DatabaseFile from "./DatabaseFile.ts"

/** How many tables of another program an error names. */
const maxNamed = 3

/**
 * Fails with a `ConnectionError` when a file holds tables and none of them is the list of migrations that every version
 * of Frontdesk makes first: it belongs to another program, and tables of Frontdesk must not be added to it. Only reads, so
 * it must run before the file is opened for writing, which may already change its journal mode. A file that is not there,
 * or that has no tables, passes; so does one that is not a database, which fails with its own error when it is opened.
 */
export const refuse = (filename: string): Effect.Effect<void, SqlError> =>
  Effect.suspend(() => {
    const tables = DatabaseFile.isInMemory(filename) ? [] : tablesOf(filename)
    if (tables.length === 0 || tables.includes(SqlMigrations.table)) return Effect.void
    const named = tables.slice(0, maxNamed).join(", ") + (tables.length > maxNamed ? ", ..." : "")
    const cause = new Error(
      `the file is a database of another program, with ${tables.length === 1 ? "the table" : "the tables"} ${named}; nothing was changed in it`
    )
    return Effect.fail(
      new SqlError({ reason: new ConnectionError({ message: "Cannot open the database", operation: "open", cause }) })
    )
  })

/** Returns the names of the tables and views of a file, without those of SQLite itself; none if it cannot be read. */
const tablesOf = (filename: string): ReadonlyArray<string> => {
  if (Fs.statSync(filename, { throwIfNoEntry: false })?.isFile() !== true) return []
  try {
    const database = new DatabaseSync(filename, { readOnly: true, timeout: 1_000 })
    try {
      return database
        .prepare(
          "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*' ORDER BY name"
        )
        .all()
        .map(({ name }) => String(name))
    } finally {
      database.close()
    }
  } catch {
    return []
  }
}
