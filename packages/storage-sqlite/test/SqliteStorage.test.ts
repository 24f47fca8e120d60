import { describe, expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { Principal } from "@frontdesk/core/access/Principal"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { EventId } from "@frontdesk/core/calendar/CalendarEvent"
import { CalendarEventStore } from "@frontdesk/core/calendar/CalendarEventStore"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import * as Page from "@frontdesk/core/values/Page"
import { DeliveryId } from "@frontdesk/core/webhook/Delivery"
import { DeliveryQueue } from "@frontdesk/core/webhook/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/webhook/DeliveryStore"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import { FrontLength } from "@frontdesk/storage-sql/webhook/DeliveryClaim"
import * as Property from "@frontdesk/testing/Property"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import { deliveryQueueSuite } from "@frontdesk/testing/suite/deliveryQueueSuite"
import { modelSuite } from "@frontdesk/testing/suite/modelSuite"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import * as fc from "fast-check"
import { execFile } from "node:child_process"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as SqliteClient from "../src/SqliteClient.ts"
import * as SqliteStorage from "../src/SqliteStorage.ts"
import { folder } from "./SqlClientSuite.ts"

const newFile = Effect.map(folder, (path) => Path.join(path, "frontdesk.db"))

const inFile = Layer.unwrap(Effect.map(newFile, (filename) => SqliteStorage.layer({ filename, synchronous: "NORMAL" })))

const inMemory = SqliteStorage.layer({ filename: ":memory:" })

storageSuite("SQLite in a file", inFile)
storageSuite("SQLite in memory", inMemory)
modelSuite("SQLite in a file", inFile, MemoryStorage.layer)
modelSuite("SQLite in memory", inMemory, MemoryStorage.layer)

// With a front of two deliveries, a claim goes through the endpoints almost every time.
const clogged = Layer.provide(SqliteStorage.layer({ filename: ":memory:" }), Layer.succeed(FrontLength, 2))
deliveryQueueSuite("SQLite, clogged", clogged)
modelSuite("SQLite, clogged", clogged, MemoryStorage.layer)

describe("a file", () => {
  it.effect("keeps everything when it is closed and opened again", () =>
    Effect.gen(function* () {
      const storage = SqliteStorage.layer({ filename: yield* newFile })
      const { account, contact } = yield* Effect.gen(function* () {
        const account = yield* Samples.makeAccount()
        const numbers = [Samples.newNumber("+12025550123")]
        return { account, contact: yield* Samples.makeContact(account.id, { tags: ["vip"], phoneNumbers: numbers }) }
      }).pipe(Effect.provide(storage))
      yield* Effect.gen(function* () {
        const contacts = yield* ContactStore
        expect(yield* contacts.find(Samples.alone(account), contact.id)).toEqual(Option.some(contact))
        expect(yield* (yield* AccountStore).list).toEqual([account])
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
      const accounts = Effect.flatMap(AccountStore, (store) => store.list)
      expect(yield* Effect.provide(accounts, SqliteStorage.layer({ filename }))).toHaveLength(1)
    })
  )

  it.effect("two storages of one file see what the other has committed", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const [one, other] = [yield* open(filename), yield* open(filename)]
      const account = yield* Effect.provide(Samples.makeAccount(), one)
      expect(yield* Context.get(other, AccountStore).find(account.id)).toEqual(Option.some(account))
    })
  )

  it.effect("two concurrent PATCHes through two storages lose no key", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const storages = [yield* open(filename), yield* open(filename)]
      const [first = yield* Effect.die("no storage")] = storages
      const account = yield* Effect.provide(Samples.makeAccount(), first)
      const { id } = yield* Effect.provide(Samples.makeContact(account.id), first)
      const principal = Principal.of({ account, apiKeyId: null, permissions: new Set() })
      const keys = Array.from({ length: 20 }, (_, index) => `key_${index}`)

      yield* Effect.forEach(
        keys,
        (key, index) =>
          Effect.flatMap(Contacts, (contacts) => contacts.patch(id, { customContext: { [key]: index } })).pipe(
            Effect.provide(Contacts.layer),
            Effect.provide(storages[index % 2] ?? first)
          ),
        { concurrency: "unbounded" }
      ).pipe(Effect.provideService(Principal, principal))

      const found = yield* Context.get(first, ContactStore).find(Samples.alone(account), id)
      expect(Object.keys(Option.getOrThrow(found).customContext).toSorted()).toEqual(keys.toSorted())
    })
  )
})

describe("migrations", () => {
  it.effect("run a second time, they change nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      expect(yield* SqlMigrations.migrate).toEqual([[1, "initial"]])
      const before = yield* sql`SELECT * FROM sqlite_schema`
      expect(yield* SqlMigrations.migrate).toEqual([])
      expect(yield* sql`SELECT * FROM sqlite_schema`).toEqual(before)
    }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
  )

  it.effect("several clients may start at once: one makes the tables", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const runs = yield* Effect.forEach(
        Array.from({ length: 4 }),
        () => Effect.provide(SqlMigrations.migrate, SqliteClient.layer({ filename })),
        { concurrency: "unbounded" }
      )
      expect(runs.flat()).toEqual([[1, "initial"]])
    })
  )

  it.effect("several processes may start at once: one makes the tables", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const migrate = Effect.promise(() => run(process.execPath, [worker, filename]))
      const runs = yield* Effect.all([migrate, migrate, migrate], { concurrency: "unbounded" })
      expect(runs.map(({ stdout }) => stdout.trim()).toSorted()).toEqual(["0", "0", "1"])
    })
  )
})

describe("what the database refuses", () => {
  it.effect("a row that does not decode is a StorageError with reason corrupt, which shows no value", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const account = yield* Samples.makeAccount()
      yield* sql`UPDATE account SET role = 'the king' WHERE id = ${account.id}`
      const error = yield* Effect.flip((yield* AccountStore).find(account.id))
      expect(error).toMatchObject({ reason: "corrupt", operation: "AccountStore.find" })
      expect(String(error.cause)).toContain("role")
      expect(JSON.stringify(error)).not.toContain("the king")
    }).pipe(Effect.provide(inMemory))
  )

  it.effect("a row that does not decode stops no queue: the rows behind it are claimed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* OutboxStore
      const deliveries = yield* DeliveryStore
      const account = yield* Samples.makeAccount()
      const webhook = yield* Samples.makeWebhook(account.id)
      const sync = (id: number) => ({
        _tag: "SyncEvent" as const,
        provider: "google" as const,
        eventId: EventId.make(id)
      })
      const ids = ["019a0000-0000-7000-8000-000000000001", "019a0000-0000-7000-8000-000000000002"]
      yield* outbox.add([sync(1), sync(2)], Samples.now)
      yield* Effect.forEach(ids, (id) =>
        deliveries.add({
          accountId: account.id,
          name: "call.ended",
          subject: id,
          body: new Uint8Array(),
          createdAt: Samples.now,
          deliveries: [{ id: DeliveryId.make(id), webhookId: webhook.id }]
        })
      )
      yield* sql`UPDATE outbox_task SET work = '{' WHERE id = 1`
      yield* sql`UPDATE webhook_delivery SET kind = 'odd' WHERE id = 1`

      const request = { leaseId: "lease", owner: "me", limit: 10, perWebhook: 10, inFlight: new Map() }
      const claimed = yield* (yield* DeliveryQueue).claim({
        ...request,
        now: Samples.now,
        leaseUntil: Samples.later(1)
      })
      expect(claimed.map((delivery) => delivery.id)).toEqual(ids.slice(1))
      const tasks = yield* outbox.claim(Samples.now, Samples.later(1), 10)
      expect(tasks.map((task) => task.work)).toEqual([sync(2)])
    }).pipe(Effect.provide(Layer.merge(inMemory, Logger.layer([]))))
  )

  it.effect("a delivery that does not decode is set aside as failed, and its line goes on", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const webhook = yield* Samples.makeWebhook((yield* Samples.makeAccount()).id)
      const bad = yield* Deliveries.add(webhook, "call:1")
      const good = yield* Deliveries.add(webhook, "call:1")
      yield* sql`UPDATE webhook_delivery SET kind = 'odd' WHERE delivery_id = ${bad}`
      expect(yield* Deliveries.claim(0)).toEqual([])
      expect((yield* Deliveries.claim(0)).map(({ id }) => id)).toEqual([good])
      expect(yield* Deliveries.claim(9)).toMatchObject([{ id: good }])
      const list = (yield* DeliveryStore).list(webhook.accountId, webhook.id, Option.some("failed"), Page.request({}))
      expect((yield* list).items).toMatchObject([{ id: bad, nextAttemptAt: null }])
    }).pipe(Effect.provide(Layer.merge(inMemory, Logger.layer([]))))
  )

  it.effect("a reference to a row that does not exist is refused", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const nobody = { id: AgentId.make(999), name: "", assistantId: "none" }
      const error = yield* Effect.flip(Samples.makeCall(account.id, nobody))
      expect(error).toMatchObject({ reason: "unknown", operation: "CallStore.insert" })
    }).pipe(Effect.provide(inMemory))
  )

  it.effect("a file that another process holds for too long is unavailable, and worth another try", () =>
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

  it.effect("an account's deposits, charges and holds never add up to less than nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const account = yield* Samples.makeAccount()
      const error = yield* Effect.flip(sql`UPDATE account SET holds = 1 WHERE id = ${account.id}`)
      expect(error.reason._tag).toBe("ConstraintError")
    }).pipe(Effect.provide(inMemory))
  )
})

describe("the index of the lines of deliveries", () => {
  it.effect("holds what is open and untried, and nothing that is over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* DeliveryQueue
      const store = yield* DeliveryStore
      const webhook = yield* Samples.makeWebhook((yield* Samples.makeAccount()).id)
      const inLines = sql<{ delivery_id: string }>`SELECT delivery_id
        FROM webhook_delivery INDEXED BY webhook_delivery_line WHERE attempts = 0 AND in_line ORDER BY id`.pipe(
        Effect.map((rows) => rows.map((row) => row.delivery_id))
      )
      const add = Deliveries.add(webhook, "call:1")
      const ids = [yield* add, yield* add, yield* add]
      const [first, second] = ids
      const claimed = yield* Deliveries.claim(0)
      expect(yield* inLines).toEqual(ids)
      yield* queue.record(
        claimed.map((one) => Deliveries.result(one, null)),
        Samples.later(0)
      )
      expect(yield* inLines).toEqual(ids.slice(1))
      yield* sql`UPDATE webhook_delivery SET kind = 'odd' WHERE delivery_id = ${second}`
      yield* Deliveries.claim(0)
      expect(yield* inLines).toEqual(ids.slice(2))
      yield* store.cancelPending(webhook.id)
      expect(yield* inLines).toEqual([])
      for (const id of [first, ...ids.slice(2)]) {
        yield* store.redeliver(webhook.accountId, webhook.id, DeliveryId.make(String(id)), Samples.later(0))
      }
      expect(yield* inLines).toEqual(ids.slice(2))
    }).pipe(Effect.provide(Layer.merge(inMemory, Logger.layer([]))))
  )
})

describe("an event with a long past", () => {
  it.effect("is busy for as long as it lasts, be it ten years", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEventStore
      const account = yield* Samples.makeAccount()
      const long = { startTime: Samples.at("2016-03-01T00:00:00Z"), endTime: Samples.at("2026-03-02T10:00:00Z") }
      yield* Samples.makeEvent(account.id, long)
      const busy = (from: string, until: string) =>
        events.busy(account.id, Samples.at(from), Samples.at(until), Option.none())
      expect(yield* busy("2026-03-02T09:59:59.999Z", "2026-03-03T00:00:00Z")).toHaveLength(1)
      expect(yield* busy("2026-03-02T10:00:00Z", "2026-03-03T00:00:00Z")).toHaveLength(0)
    }).pipe(Effect.provide(inMemory))
  )
})

describe("the counts that triggers keep", () => {
  it.effect("law: they are the counts of the rows, whatever is made, moved, changed and deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const accounts = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
      const teams = [yield* Samples.makeTeam(), yield* Samples.makeTeam()]
      const command = fc.record({
        action: fc.constantFrom("make", "change", "delete"),
        row: fc.nat(20),
        account: fc.constantFrom(...accounts),
        team: fc.constantFrom(null, ...teams),
        status: fc.constantFrom("new", "won"),
        stage: fc.constantFrom("lead", "customer")
      })
      yield* Property.forAll(
        fc.array(command, { maxLength: 20 }),
        Effect.fnUntraced(function* (commands) {
          const contacts = yield* ContactStore
          yield* sql`DELETE FROM contact`
          for (const { account, action, row, stage, status, team } of commands) {
            const ids = yield* sql<{ id: number }>`SELECT id FROM contact ORDER BY id`
            const id = ids.at(row % Math.max(1, ids.length))?.id
            if (action === "make" || id === undefined) {
              yield* contacts.insert(Samples.newContact(account.id, { team, status, stage }))
            } else if (action === "change") {
              yield* sql`UPDATE contact SET team_id = ${team?.id}, status = ${status}, stage = ${stage} WHERE id = ${id}`
            } else {
              yield* sql`DELETE FROM contact WHERE id = ${id}`
            }
          }
          const kept = yield* sql`SELECT account_id, team_id, status, type, total FROM row_count
            WHERE kind = 'contact' AND total <> 0 ORDER BY account_id, team_id, status, type`
          const counted = yield* sql`SELECT account_id, coalesce(team_id, 0) AS team_id, status, stage AS type,
              count(*) AS total
            FROM contact GROUP BY account_id, team_id, status, stage ORDER BY account_id, 2, status, stage`
          expect(kept).toEqual(counted)
        })
      )
    }).pipe(Effect.provide(inMemory))
  )
})

describe("a scope with more teams than a list has branches", () => {
  it.effect("is listed whole and in order", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEventStore
      const [mine, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
      const teams = yield* Effect.forEach(Array.from({ length: 150 }), () => Samples.makeTeam())
      const made = yield* Effect.forEach(teams, (team, index) =>
        Samples.makeEvent(index % 2 === 0 ? mine.id : other.id, {
          team,
          startTime: Samples.later((index * 7) % 150),
          endTime: Samples.later(500)
        })
      )
      const scope = { accountId: mine.id, teamIds: teams.map((team) => team.id) }
      const page = yield* events.list(scope, { status: "scheduled" }, Page.request({ limit: 100 }))
      expect(page.count).toBe(150)
      expect(page.items).toEqual(
        made.toSorted((a, b) => a.startTime.epochMilliseconds - b.startTime.epochMilliseconds).slice(0, 100)
      )
    }).pipe(Effect.provide(inMemory))
  )
})

const open = (filename: string) => Layer.build(SqliteStorage.layer({ filename }))

const run = promisify(execFile)

const worker = fileURLToPath(new URL("migrateWorker.ts", import.meta.url))
