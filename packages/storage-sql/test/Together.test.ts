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
import { places } from "./databases.ts"

describe.each(places)("several storages, in %s", (_, place) => {
  it.live("two storages of one database see what the other has committed", () =>
    Effect.gen(function* () {
      const { storage } = yield* place
      const [one, other] = [yield* open(storage), yield* open(storage)]
      const account = yield* Effect.provide(Samples.makeAccount(), one)
      expect(yield* Context.get(other, AccountStore).find(account.id)).toEqual(Option.some(account))
    })
  )

  it.live("two concurrent PATCHes through two storages lose no key", () =>
    Effect.gen(function* () {
      const { storage } = yield* place
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

describe.each(places)("migrations, in %s", (_, place) => {
  it.live("run a second time, they change nothing", () =>
    Effect.gen(function* () {
      const { client } = yield* place
      yield* Effect.gen(function* () {
        expect((yield* SqlMigrations.migrate)[0]).toEqual([1, "initial"])
        const before = yield* schema
        expect(yield* SqlMigrations.migrate).toEqual([])
        expect(yield* schema).toEqual(before)
      }).pipe(Effect.provide(client))
    })
  )

  it.live("several clients may start at once: one makes the tables", () =>
    Effect.gen(function* () {
      const { client } = yield* place
      const runs = yield* Effect.forEach(
        Array.from({ length: 4 }),
        // Fresh, because one layer would be one client.
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
