import { expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import * as Outage from "@frontdesk/core/storage/Outage"
import { collect, type LogLine } from "@frontdesk/testing/LogCapture"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import { folder } from "./SqlClientSuite.ts"

it.effect(
  "a full disk makes writes unavailable and not reads, and is logged once when it begins and once when it ends (D-LITE-4, D-SRV-5)",
  () => {
    const storage = Layer.unwrap(
      Effect.map(folder, (path) => SqliteStorage.layer({ filename: Path.join(path, "frontdesk.db") }))
    )
    // Too long for the free pages that the migrations leave in the file.
    const text = "n".repeat(100_000)
    const outage = Effect.fnUntraced(function* (lines: ReadonlyArray<LogLine>) {
      const sql = yield* SqlClient
      const accounts = yield* AccountStore
      // The size limit of SQLite fails with the same code as a full disk.
      yield* sql`PRAGMA max_page_count = 1`
      for (let count = 0; count < 3; count++) {
        const error = yield* Effect.flip(Samples.makeAccount({ name: text }))
        expect(error).toMatchObject({ reason: "unavailable", isRetryable: true })
        expect(yield* accounts.list(null, 10)).toEqual([])
        // A failure of a reported outage is only logged at debug level.
        yield* Outage.log("Warn", "The account was not written", error)
        yield* TestClock.adjust("3 seconds")
      }
      expect(lines.map(({ event }) => event)).toEqual(["storage.unavailable"])
      expect(lines[0]?.text).toMatch(/frontdesk\.db\b.*database or disk is full/)
      // Statements that change nothing need no disk space, so their success does not end the outage, even in 70
      // seconds.
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
      expect(lines.map(({ event }) => event)).toEqual(["storage.unavailable", "storage.available"])
      expect(lines[1]?.text).toMatch(/6\.0 seconds.*3 calls/)
    })
    return collect((lines) => Effect.provide(outage(lines), storage), "Info")
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
    "the file was replaced by a symbolic link that leads nowhere",
    (filename) => {
      Fs.rmSync(filename)
      Fs.symlinkSync(filename, filename)
    }
  ],
  ["the -wal of the file was deleted", (filename) => Fs.rmSync(`${filename}-wal`)],
  ["the -shm of the file was deleted", (filename) => Fs.rmSync(`${filename}-shm`)],
  [
    "the -wal and -shm of the file were deleted and another program opened the file",
    (filename) => {
      Fs.rmSync(`${filename}-wal`)
      Fs.rmSync(`${filename}-shm`)
      Fs.writeFileSync(`${filename}-wal`, "")
      Fs.writeFileSync(`${filename}-shm`, "")
    }
  ]
]

it.effect.each(changes)("a write fails as unavailable, and a read does not, after %s (D-LITE-7)", ([, change]) =>
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
  "a write through a symbolic link fails as unavailable after the %s of the linked file was deleted (D-LITE-7)",
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

it.effect("commits from before the -wal was deleted are in the file after the program has closed it (D-LITE-7)", () =>
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
