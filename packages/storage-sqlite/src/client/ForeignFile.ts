import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Effect from "effect/Effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { attempt } from "./LockRetry.ts"
import * as DatabaseFile from "./DatabaseFile.ts"

/** How many tables of another program an error names. */
const maxNamed = 3

/**
 * Fails with a `ConnectionError` when a file has tables, but not the list of migrations that every version of Frontdesk
 * creates first. Such a file belongs to another program, and must not get tables of Frontdesk (D-LITE-5).
 *
 * The check only reads. It must run before the file is opened for writing, which may already change its journal mode. A
 * file that does not exist or has no tables passes. A file that is not a database also passes, and fails with its own
 * error when it is opened.
 *
 * Waits at most `busyTimeout` milliseconds for a lock that excludes readers, and then fails with a `LockTimeoutError`.
 */
export const refuse = (filename: string, busyTimeout: number): Effect.Effect<void, SqlError> =>
  Effect.flatMap(DatabaseFile.isInMemory(filename) ? Effect.succeed([]) : tablesOf(filename, busyTimeout), (tables) => {
    if (tables.length === 0 || tables.includes(SqlMigrations.table)) return Effect.void
    const named = tables.slice(0, maxNamed).join(", ") + (tables.length > maxNamed ? ", ..." : "")
    const cause = new Error(
      `the file is a database of another program, with ${tables.length === 1 ? "the table" : "the tables"} ${named}; nothing was changed in it`
    )
    return Effect.fail(
      new SqlError({ reason: new ConnectionError({ message: "Cannot open the database", operation: "open", cause }) })
    )
  })

/**
 * Returns the names of the tables and views of a file, without those of SQLite itself. Empty when the file cannot be
 * read.
 */
const tablesOf = (filename: string, busyTimeout: number): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.suspend(() =>
    attempt(() => {
      if (Fs.statSync(filename, { throwIfNoEntry: false })?.isFile() !== true) return []
      return tablesAtRest(filename) ?? tablesIn(filename)
    }, busyTimeout)
  ).pipe(Effect.catch((error) => (error.reason._tag === "LockTimeoutError" ? Effect.fail(error) : Effect.succeed([]))))

/**
 * Returns the tables of a file that no process seems to be writing to, or undefined.
 *
 * To read a file in WAL mode, SQLite creates `-wal` and `-shm`, and a read-only connection cannot remove them again.
 * With `immutable=1` it creates nothing. The header of the file is not read directly: closing the file would release
 * all locks that connections of this process have on it.
 */
const tablesAtRest = (filename: string): ReadonlyArray<string> | undefined => {
  const file = DatabaseFile.withoutLinks(filename)
  if ([`${file}-wal`, `${file}-journal`].some((path) => Fs.existsSync(path))) return undefined
  const url = pathToFileURL(file)
  url.search = "immutable=1"
  try {
    return tablesIn(url)
  } catch {
    // Another process may have written to it meanwhile.
    return undefined
  }
}

const tablesIn = (file: string | URL): ReadonlyArray<string> => {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 0 })
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
}
