import { describe, expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { Principal } from "@frontdesk/core/access/Principal"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import type { Storage } from "@frontdesk/testing/suite/Storage"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import { emptyDatabases } from "./databases.ts"

describe.each(emptyDatabases)("several storages of one database, in %s", (_, emptyDatabase) => {
  it.live("a storage sees what another storage has committed", () =>
    Effect.gen(function* () {
      const { storage } = yield* emptyDatabase
      const [one, other] = [yield* open(storage), yield* open(storage)]
      const account = yield* Effect.provide(Samples.makeAccount(), one)
      expect(yield* Context.get(other, AccountStore).find(account.id)).toEqual(Option.some(account))
    })
  )

  it.live("concurrent PATCHes through two storages keep the keys of all of them", () =>
    Effect.gen(function* () {
      const { storage } = yield* emptyDatabase
      const storages = [yield* open(storage), yield* open(storage)]
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

      const found = yield* Context.get(first, ContactStore).find(Samples.scopeOf(account), id)
      expect(Object.keys(Option.getOrThrow(found).customContext).toSorted()).toEqual(keys.toSorted())
    })
  )
})

describe.each(emptyDatabases)("migrations, in %s", (_, emptyDatabase) => {
  it.live("migrations change nothing when they run a second time", () =>
    Effect.gen(function* () {
      const { client } = yield* emptyDatabase
      yield* Effect.gen(function* () {
        expect((yield* SqlMigrations.migrate)[0]).toEqual([1, "initial"])
        const before = yield* schema
        expect(yield* SqlMigrations.migrate).toEqual([])
        expect(yield* schema).toEqual(before)
      }).pipe(Effect.provide(client))
    })
  )

  it.live("one of several clients that start at once creates the tables", () =>
    Effect.gen(function* () {
      const { client } = yield* emptyDatabase
      const runs = yield* Effect.forEach(
        Array.from({ length: 4 }),
        // Fresh, because a shared layer would be a single client.
        () => Effect.provide(SqlMigrations.migrate, Layer.fresh(client)),
        { concurrency: "unbounded" }
      )
      expect(runs.map(([first]) => first).filter((first) => first !== undefined)).toEqual([[1, "initial"]])
    })
  )
})

const schema = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    pg: () => sql`SELECT oid, relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY oid`,
    orElse: () => sql`SELECT * FROM sqlite_schema`
  })
)

const open = (storage: Layer.Layer<Storage | SqlClient.SqlClient>) => Layer.build(Layer.fresh(storage))
