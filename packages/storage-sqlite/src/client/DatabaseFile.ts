import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { DatabaseSync } from "node:sqlite"

/** Returns whether a filename means a database in memory, which belongs to one connection. */
export const isInMemory = (filename: string): boolean => filename === ":memory:"

/**
 * Creates the file of a new database, readable and writable by its owner only, and the folders above it (D-LITE-2).
 *
 * SQLite would create the file with the default permissions of the process. Its companions `-wal` and `-shm` take their
 * permissions from the file. The new file gets its name only when it is a complete database. So an empty file was not
 * left by a process that died during the creation: it was truncated. `create` fails for an empty file, because filling
 * it would hide the loss (D-LITE-6). Any other file is left unchanged.
 */
export const create = (filename: string): Effect.Effect<void, SqlError> =>
  attemptOpen(() => {
    Fs.mkdirSync(Path.dirname(filename), { recursive: true, mode: 0o700 })
    const stats = Fs.statSync(filename, { throwIfNoEntry: false })
    if (stats === undefined) return createNew(withoutLinks(filename))
    if (stats.isFile() && stats.size === 0) {
      throw new Error(
        "the file is empty, so what it held is lost; put a backup in its place, or delete it for a new installation"
      )
    }
  })

/** The maximum number of symbolic links in a row, as in Linux. */
const maxLinks = 40

/**
 * Returns the path to which symbolic links lead, even if there is no file yet. SQLite places `-wal` and `-shm` next to
 * that file, not next to the link (D-LITE-8).
 */
export const withoutLinks = (filename: string, followed = 0): string => {
  const isLink = Fs.lstatSync(filename, { throwIfNoEntry: false })?.isSymbolicLink() === true
  if (!isLink || followed === maxLinks) return filename
  return withoutLinks(Path.resolve(Fs.realpathSync(Path.dirname(filename)), Fs.readlinkSync(filename)), followed + 1)
}

/** Creates a database under a temporary name and then links it to its own name, unless another process was faster. */
const createNew = (filename: string): void => {
  const temporary = `${filename}.new-${randomUUID()}`
  try {
    Fs.closeSync(Fs.openSync(temporary, "wx", 0o600))
    const database = new DatabaseSync(temporary)
    try {
      // Its only effect is that the header is written.
      database.exec("PRAGMA user_version = 0")
    } finally {
      database.close()
    }
    Fs.linkSync(temporary, filename)
  } catch (cause) {
    if (!hasProperty(cause, "code") || cause.code !== "EEXIST") throw cause
  } finally {
    Fs.rmSync(temporary, { force: true })
  }
}

/** Opens a connection that closes with the scope. It never waits inside SQLite, and it enforces foreign keys. */
export const open = (
  filename: string,
  options: { readonly readonly: boolean }
): Effect.Effect<DatabaseSync, SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    attemptOpen(() => {
      try {
        return new DatabaseSync(filename, { readOnly: options.readonly, timeout: 0, enableForeignKeyConstraints: true })
      } catch (cause) {
        throw unreadable(filename) ?? cause
      }
    }),
    (database) => Effect.sync(() => database.close())
  )

/** Returns the error for an existing file that the user may not read, which SQLite only calls impossible to open. */
const unreadable = (filename: string): unknown => {
  try {
    Fs.accessSync(filename, Fs.constants.R_OK)
    return undefined
  } catch (error) {
    return hasProperty(error, "code") && error.code === "EACCES" ? error : undefined
  }
}

const attemptOpen = <A>(run: () => A): Effect.Effect<A, SqlError> =>
  Effect.try({
    try: run,
    catch: (cause) =>
      new SqlError({ reason: new ConnectionError({ message: "Cannot open the database", operation: "open", cause }) })
  })

/**
 * Returns a check that throws when the file is no longer the one that existed when the check was made (D-LITE-7).
 *
 * SQLite keeps writing to a file that was deleted, replaced or emptied, and all of that is lost when the process ends.
 * The error has the result code of a file that cannot be opened, so that it counts as a failure of the disk.
 */
export const checkIdentity = (filename: string): (() => void) => {
  const isSame = sameAsNow(filename)
  return () => {
    if (isSame()) return
    throw Object.assign(
      new Error(
        "the database file, or its -wal or -shm, was deleted, replaced or emptied; end the program with SIGTERM, which saves what it can, and start it again"
      ),
      { errcode: 14 }
    )
  }
}

/**
 * Returns a function that returns whether the file of an open database, and its `-wal` and `-shm` if it has them, are
 * still the same files, and whether the file is not empty.
 *
 * The last commits are only in `-wal`, and the locks of all processes are in `-shm`. SQLite keeps both files while a
 * connection is open. After one is deleted, another process creates a new one. The two processes then no
 * longer see the commits and locks of each other.
 */
export const sameAsNow = (filename: string): (() => boolean) => {
  const file = withoutLinks(filename)
  const companions = [`${file}-wal`, `${file}-shm`].filter((companion) => identity(companion) !== "")
  const files = companions.map((path) => [path, identity(path)] as const)
  const opened = identity(filename)
  return () => {
    const stats = statsOf(filename)
    return stats?.size !== 0 && identityOf(stats) === opened && files.every(([path, was]) => identity(path) === was)
  }
}

const identity = (filename: string): string => identityOf(statsOf(filename))

/**
 * Returns the identity of a file, which differs from that of another file with the same name. Empty when there is no
 * file.
 */
const identityOf = (stats: Fs.Stats | undefined): string => (stats === undefined ? "" : `${stats.dev}:${stats.ino}`)

/** Returns undefined also for a path that cannot be followed, for example through a folder without permission. */
const statsOf = (filename: string): Fs.Stats | undefined => {
  try {
    return Fs.statSync(filename, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
