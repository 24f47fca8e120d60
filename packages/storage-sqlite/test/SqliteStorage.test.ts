import { describe, expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { DeliveryId } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { FrontLength } from "@frontdesk/storage-sql/claim/Claim"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import { deliveryClaimSuite } from "@frontdesk/testing/suite/deliveryClaimSuite"
import { deliveryFairnessSuite } from "@frontdesk/testing/suite/deliveryFairnessSuite"
import { outboxStoreSuite } from "@frontdesk/testing/suite/outboxStoreSuite"
import { outboxFairnessSuite } from "@frontdesk/testing/suite/outboxFairnessSuite"
import { deliveryQueueSuite } from "@frontdesk/testing/suite/deliveryQueueSuite"
import { modelSuite } from "@frontdesk/testing/suite/modelSuite"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { execFile } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import { folder } from "./SqlClientSuite.ts"

const newFile = Effect.map(folder, (path) => Path.join(path, "frontdesk.db"))

const inFile = Layer.unwrap(Effect.map(newFile, (filename) => SqliteStorage.layer({ filename, synchronous: "NORMAL" })))

const inMemory = SqliteStorage.layer({ filename: ":memory:" })

storageSuite("SQLite in a file", inFile)
storageSuite("SQLite in memory", inMemory)
modelSuite("SQLite in a file", inFile, MemoryStorage.layer)
modelSuite("SQLite in memory", inMemory, MemoryStorage.layer)

// With a front of two deliveries, nearly every claim goes through the webhooks one by one.
const shortFront = Layer.provide(SqliteStorage.layer({ filename: ":memory:" }), Layer.succeed(FrontLength, 2))
deliveryQueueSuite("SQLite with a short front", shortFront)
deliveryFairnessSuite("SQLite with a short front", shortFront)
deliveryClaimSuite("SQLite with a short front", shortFront)
outboxStoreSuite("SQLite with a short front", shortFront)
outboxFairnessSuite("SQLite with a short front", shortFront)
modelSuite("SQLite with a short front", shortFront, MemoryStorage.layer)

describe("a file", () => {
  for (const [name, statement] of Object.entries({
    "with one table": "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)",
    "with a table that has the name of one of Frontdesk": "CREATE TABLE account (id INTEGER PRIMARY KEY)",
    "with the tables of a browser":
      "CREATE TABLE moz_places (id INTEGER); CREATE TABLE moz_bookmarks (id INTEGER); PRAGMA user_version = 75",
    "in WAL mode": "PRAGMA journal_mode = WAL; CREATE TABLE notes (id INTEGER)"
  })) {
    it.effect(`of another program, ${name}, is rejected and stays unchanged (D-LITE-5)`, () =>
      Effect.gen(function* () {
        const filename = yield* newFile
        const other = new DatabaseSync(filename)
        other.exec(statement)
        other.close()
        const before = Fs.readFileSync(filename)
        for (const layer of [SqliteStorage.layer({ filename }), SqliteStorage.layerClient({ filename })]) {
          const error = yield* Effect.flip(Effect.scoped(Layer.build(Layer.fresh(layer))))
          const { cause } = error._tag === "SqlError" ? error.reason : error
          expect(String(cause)).toMatch(/a database of another program, with the tables? \w+/)
        }
        expect(Fs.readFileSync(filename)).toEqual(before)
        expect(Fs.readdirSync(Path.dirname(filename))).toEqual([Path.basename(filename)])
      })
    )
  }

  it.live(
    "that another program has locked fails after busyTimeout, is rejected after the lock is released, and stays unchanged (D-LITE-5)",
    () =>
      Effect.gen(function* () {
        const filename = yield* newFile
        const other = new DatabaseSync(filename)
        other.exec("CREATE TABLE notes (id INTEGER); BEGIN EXCLUSIVE; INSERT INTO notes VALUES (1)")
        const rejected = (busyTimeout: Duration.Input) =>
          Effect.flip(Effect.scoped(Layer.build(Layer.fresh(SqliteStorage.layer({ filename, busyTimeout })))))
        expect(yield* rejected("50 millis")).toMatchObject({ reason: { _tag: "LockTimeoutError" } })
        // Starts at once, so the check meets the lock before it is released.
        const waiting = yield* Effect.forkChild(rejected("20 seconds"), { startImmediately: true })
        expect(waiting.pollUnsafe()).toBeUndefined()
        other.exec("COMMIT")
        const error = yield* Fiber.join(waiting)
        expect(String(error._tag === "SqlError" ? error.reason.cause : error)).toContain("of another program")
        expect(other.prepare("SELECT name FROM sqlite_master").all()).toEqual([{ name: "notes" }])
        other.close()
      })
  )

  it.effect("behind a symbolic link without a target is created for its owner only (D-LITE-8)", () =>
    Effect.gen(function* () {
      const link = yield* newFile
      const filename = `${link}.target`
      Fs.symlinkSync(Path.basename(filename), link)
      yield* Effect.scoped(Layer.build(SqliteStorage.layer({ filename: link })))
      expect(Fs.lstatSync(link).isSymbolicLink()).toBe(true)
      expect(Fs.statSync(filename).mode & 0o777).toBe(0o600)
      expect(Fs.readdirSync(Path.dirname(link))).toEqual([link, filename].map((path) => Path.basename(path)))
    })
  )

  it.effect("without tables becomes a new installation", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const other = new DatabaseSync(filename)
      other.exec("PRAGMA user_version = 1")
      other.close()
      yield* Effect.scoped(Layer.build(SqliteStorage.layer({ filename })))
    })
  )

  it.effect("has all records after it is closed and opened again", () =>
    Effect.gen(function* () {
      const storage = SqliteStorage.layer({ filename: yield* newFile })
      const { account, contact } = yield* Effect.gen(function* () {
        const account = yield* Samples.makeAccount()
        const numbers = [Samples.newNumber("+12025550123")]
        return { account, contact: yield* Samples.makeContact(account.id, { tags: ["vip"], phoneNumbers: numbers }) }
      }).pipe(Effect.provide(storage))
      yield* Effect.gen(function* () {
        const contacts = yield* ContactStore
        expect(yield* contacts.find(Samples.scopeOf(account), contact.id)).toEqual(Option.some(contact))
        expect(yield* (yield* AccountStore).list(null, 10)).toEqual([account])
      }).pipe(Effect.provide(storage))
    })
  )

  it.effect("is opened with the settings of a Config", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const storage = SqliteStorage.layerConfig({
        filename: Config.String("FILE"),
        synchronous: Config.succeed("NORMAL" as const)
      })
      yield* Samples.makeAccount().pipe(
        Effect.provide(storage),
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({ FILE: filename }))
      )
      const accounts = Effect.flatMap(AccountStore, (store) => store.list(null, 10))
      expect(yield* Effect.provide(accounts, SqliteStorage.layer({ filename }))).toHaveLength(1)
    })
  )
})

describe("migrations", () => {
  it.effect("one of two processes that start at once creates the tables", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const migrate = Effect.promise(() => run(process.execPath, [worker, filename]))
      const runs = yield* Effect.all([migrate, migrate], { concurrency: "unbounded" })
      expect(runs.map(({ stdout }) => stdout.trim()).toSorted()).toEqual(["0", "1"])
    })
  )
})

describe("a locked file", () => {
  it.effect("makes a write fail as unavailable and retryable when the lock lasts longer than busyTimeout", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const holder = yield* open(filename)
      const waiting = yield* Layer.build(SqliteStorage.layer({ filename, busyTimeout: "5 millis" }))
      const error = yield* Context.get(holder, SqlClient.SqlClient).withTransaction(
        Effect.flip(Effect.provide(Samples.makeAccount(), waiting))
      )
      expect(error).toMatchObject({ reason: "unavailable", isRetryable: true })
    })
  )
})

describe("the index of deliveries by subject", () => {
  it.effect("has the pending and leased deliveries without an attempt, and no others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* DeliveryQueue
      const store = yield* DeliveryStore
      const webhook = yield* Samples.makeWebhook((yield* Samples.makeAccount()).id)
      const indexed = sql<{ delivery_id: string }>`SELECT delivery_id
        FROM webhook_delivery INDEXED BY webhook_delivery_line WHERE attempts = 0 AND in_line ORDER BY id`.pipe(
        Effect.map((rows) => rows.map((row) => row.delivery_id))
      )
      const add = Deliveries.add(webhook, "call:1")
      const ids = [yield* add, yield* add, yield* add]
      const [first, second, third] = ids
      const claimed = yield* Deliveries.claim(0)
      expect(yield* indexed).toEqual(ids)
      yield* queue.record(
        claimed.map((one) => Deliveries.result(one, null)),
        Samples.later(0)
      )
      expect(yield* indexed).toEqual([second, third])
      yield* sql`UPDATE webhook_delivery SET kind = 'odd' WHERE delivery_id = ${second}`
      // The claim reads the second delivery, which does not decode and therefore fails.
      yield* Deliveries.claim(0)
      expect(yield* indexed).toEqual([third])
      yield* store.cancelOpen(webhook.id)
      expect(yield* indexed).toEqual([])
      for (const id of [first, third]) {
        yield* store.redeliver(webhook.accountId, webhook.id, DeliveryId.make(String(id)), Samples.later(0))
      }
      expect(yield* indexed).toEqual([third])
    }).pipe(Effect.provide(Layer.merge(inMemory, Logger.layer([]))))
  )
})

const open = (filename: string) => Layer.build(SqliteStorage.layer({ filename }))

const run = promisify(execFile)

const worker = fileURLToPath(new URL("migrateWorker.ts", import.meta.url))
