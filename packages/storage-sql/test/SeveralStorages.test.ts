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
import type { SqlClient } from "effect/sql/SqlClient"
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

  it.live("concurrent PATCHes through two storages keep the custom context key of each PATCH", () =>
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

const open = (storage: Layer.Layer<Storage | SqlClient>) => Layer.build(Layer.fresh(storage))
