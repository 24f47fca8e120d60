import { expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import * as Outage from "@frontdesk/core/storage/Outage"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import { folder } from "./SqlClientSuite.ts"

it.effect(
  "a disk that is full makes writes unavailable, is said once, and so is its end; reads go on (D-LITE-4, D-SRV-5)",
  () => {
    const lines: Array<string> = []
    const storage = Layer.unwrap(
      Effect.map(folder, (path) => SqliteStorage.layer({ filename: Path.join(path, "frontdesk.db") }))
    )
    const logger = Logger.make<unknown, void>(({ message }) => {
      lines.push(String(message))
    })
    const text = "n".repeat(5_000)
    return Effect.gen(function* () {
      const sql = yield* SqlClient
      const accounts = yield* AccountStore
      // The limit of SQLite itself, with the code that a full disk has.
      yield* sql`PRAGMA max_page_count = 1`
      for (let count = 0; count < 3; count++) {
        const error = yield* Effect.flip(Samples.makeAccount({ name: text }))
        expect(error).toMatchObject({ reason: "unavailable", isRetryable: true })
        expect(yield* accounts.list(null, 10)).toEqual([])
        yield* Outage.log("Warn", "It was not written", error)
        yield* TestClock.adjust("3 seconds")
      }
      expect(lines).toEqual([
        expect.stringMatching(/^The SQLite database \S+frontdesk\.db is unavailable: database or disk is full\. /)
      ])
      // None of this needs the disk.
      for (let count = 0; count < 10; count++) {
        yield* sql`DELETE FROM account WHERE id = 1`
        yield* sql.withTransaction(accounts.list(null, 10))
        yield* Effect.ignore(sql.withTransaction(Effect.fail("nothing is written")))
        yield* TestClock.adjust("7 seconds")
      }
      expect(lines).toHaveLength(1)
      yield* sql`PRAGMA max_page_count = 100000`
      yield* Samples.makeAccount({ name: text })
      yield* TestClock.adjust("5 seconds")
      expect(lines.slice(1)).toEqual([
        expect.stringMatching(/frontdesk\.db is available again, after 6\.0 seconds in which 3 calls failed$/)
      ])
    }).pipe(
      Effect.provide(storage),
      Effect.provideService(References.MinimumLogLevel, "Info"),
      Effect.provideService(Logger.CurrentLoggers, new Set([logger]))
    )
  }
)

const changes: ReadonlyArray<readonly [what: string, change: (filename: string) => void]> = [
  ["the file was deleted", (filename) => Fs.rmSync(filename)],
  [
    "the file was replaced",
    (filename) => {
      Fs.copyFileSync(filename, `${filename}.copy`)
      Fs.renameSync(`${filename}.copy`, filename)
    }
  ],
  ["the file was emptied", (filename) => Fs.truncateSync(filename)],
  [
    "its name leads nowhere",
    (filename) => {
      Fs.rmSync(filename)
      Fs.symlinkSync(filename, filename)
    }
  ],
  ["its -wal was deleted", (filename) => Fs.rmSync(`${filename}-wal`)],
  ["its -shm was deleted", (filename) => Fs.rmSync(`${filename}-shm`)],
  [
    "its companions were deleted and another program opened the file",
    (filename) => {
      Fs.rmSync(`${filename}-wal`)
      Fs.rmSync(`${filename}-shm`)
      Fs.writeFileSync(`${filename}-wal`, "")
      Fs.writeFileSync(`${filename}-shm`, "")
    }
  ]
]

it.effect.each(changes)("a write fails as unavailable once %s", ([, change]) =>
  Effect.gen(function* () {
    const filename = Path.join(yield* folder, "frontdesk.db")
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient
      const accounts = yield* AccountStore
      yield* Samples.makeAccount()
      change(filename)
      const error = yield* Effect.flip(Samples.makeAccount())
      expect(error).toMatchObject({ reason: "unavailable", isRetryable: true })
      const unsaved = yield* Effect.flip(sql.withTransaction(sql`DELETE FROM account`))
      expect(unsaved.message).toContain("deleted, replaced or emptied")
      expect(yield* accounts.list(null, 10)).toHaveLength(1)
    }).pipe(Effect.provide(SqliteStorage.layer({ filename })))
  })
)

it.effect.each(["-wal", "-shm"])(
  "a write through a symbolic link fails as unavailable once the %s of its file was deleted",
  (name) =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = Path.join(path, "disk", "frontdesk.db")
      const link = Path.join(path, "frontdesk.db")
      Fs.mkdirSync(Path.dirname(file))
      Fs.symlinkSync(Path.join("disk", "frontdesk.db"), link)
      yield* Effect.gen(function* () {
        yield* Samples.makeAccount()
        Fs.rmSync(file + name)
        const error = yield* Effect.flip(Samples.makeAccount())
        expect(error).toMatchObject({ reason: "unavailable", isRetryable: true })
      }).pipe(Effect.provide(SqliteStorage.layer({ filename: link })))
    })
)

it.effect(
  "what was committed before the -wal was deleted is in the file once the program has closed it (D-LITE-7)",
  () =>
    Effect.gen(function* () {
      const filename = Path.join(yield* folder, "frontdesk.db")
      const storage = () => SqliteStorage.layer({ filename })
      const made = Effect.andThen(
        Samples.makeAccount(),
        Effect.sync(() => Fs.rmSync(`${filename}-wal`))
      )
      yield* Effect.provide(made, storage())
      const accounts = Effect.flatMap(AccountStore, (store) => store.list(null, 10))
      expect(yield* Effect.provide(accounts, storage())).toHaveLength(1)
    })
)
