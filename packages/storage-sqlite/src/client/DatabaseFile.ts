import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { DatabaseSync } from "node:sqlite"

/** Whether a name means a database that lives in memory and belongs to one connection. */
export const isInMemory = (filename: string): boolean => filename === ":memory:"

/**
 * Creates the file of a new database, readable and writable by its owner alone, and the folders above it.
 *
 * SQLite would create the file with the permissions that the process leaves to everybody. Its companions, `-wal` and
 * `-shm`, take theirs from the file. A file that exists is left alone.
 */
export const create = (filename: string): Effect.Effect<void, SqlError> =>
  attemptOpen(() => {
    Fs.mkdirSync(Path.dirname(filename), { recursive: true, mode: 0o700 })
    try {
      // Exclusive: closing a file that is in use here would drop the locks SQLite holds on it.
      Fs.closeSync(Fs.openSync(filename, "wx", 0o600))
    } catch (cause) {
      if (!hasProperty(cause, "code") || cause.code !== "EEXIST") {
        throw cause
      }
    }
  })

/** Opens a connection that is closed with the scope. It never waits inside SQLite, and it enforces foreign keys. */
export const open = (
  filename: string,
  options: { readonly readonly: boolean }
): Effect.Effect<DatabaseSync, SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    attemptOpen(
      () => new DatabaseSync(filename, { readOnly: options.readonly, timeout: 0, enableForeignKeyConstraints: true })
    ),
    (database) => Effect.sync(() => database.close())
  )

const attemptOpen = <A>(run: () => A): Effect.Effect<A, SqlError> =>
  Effect.try({
    try: run,
    catch: (cause) =>
      new SqlError({ reason: new ConnectionError({ message: "Cannot open the database", operation: "open", cause }) })
  })
