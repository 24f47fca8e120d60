import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { DatabaseSync } from "node:sqlite"

/** Whether a name means a database that lives in memory and belongs to one connection. */
export const isInMemory = (filename: string): boolean => filename === ":memory:"

/**
 * Creates the file of a new database, readable and writable by its owner alone, and the folders above it.
 *
 * SQLite would create the file with the permissions that the process leaves to everybody. Its companions, `-wal` and
 * `-shm`, take theirs from the file. The file gets its name when it is a database, so one that is empty was not left by a
 * process that died here: it was truncated, and fails. To fill it would hide the loss. Any other file is left alone.
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

/** How many symbolic links may follow each other, as in Linux. */
const maxLinks = 40

/**
 * Returns the path of the file that symbolic links lead to, also of one that is not there yet. SQLite keeps `-wal` and `-shm`
 * beside that file and not beside a link to it.
 */
export const withoutLinks = (filename: string, followed = 0): string => {
  const isLink = Fs.lstatSync(filename, { throwIfNoEntry: false })?.isSymbolicLink() === true
  if (!isLink || followed === maxLinks) return filename
  return withoutLinks(Path.resolve(Fs.realpathSync(Path.dirname(filename)), Fs.readlinkSync(filename)), followed + 1)
}

/** Makes a database under another name and gives it its own, unless somebody else was first. */
const createNew = (filename: string): void => {
  const made = `${filename}.new-${randomUUID()}`
  try {
    Fs.closeSync(Fs.openSync(made, "wx", 0o600))
    const database = new DatabaseSync(made)
    try {
      // Changes nothing but that the header is written.
      database.exec("PRAGMA user_version = 0")
    } finally {
      database.close()
    }
    Fs.linkSync(made, filename)
  } catch (cause) {
    if (!hasProperty(cause, "code") || cause.code !== "EEXIST") throw cause
  } finally {
    Fs.rmSync(made, { force: true })
  }
}

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

/**
 * Returns a check that throws once the file is not the one that was there when the check was made.
 *
 * SQLite goes on writing to a file that was deleted, replaced or emptied, and all of it is lost when the process ends. The
 * error has the result code of a file that cannot be opened, so that it counts as one of the disk.
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
 * Returns a function that tells whether the file of an open database, and its `-wal` and `-shm` if it has them, are still
 * those that are there now, and whether the file holds anything.
 *
 * What was committed last is in `-wal` alone, and the locks of all processes are in `-shm`. SQLite keeps both while
 * a connection is open. Once one of them is deleted, another process makes a new one, and the two no longer see each other.
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

/** Returns what tells a file from another one under the same name; empty when there is none. */
const identityOf = (stats: Fs.Stats | undefined): string => (stats === undefined ? "" : `${stats.dev}:${stats.ino}`)

/** Returns undefined also for a name that cannot be followed, through a folder that must not be entered for instance. */
const statsOf = (filename: string): Fs.Stats | undefined => {
  try {
    return Fs.statSync(filename, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
