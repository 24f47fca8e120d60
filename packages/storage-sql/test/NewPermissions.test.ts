import { describe, expect, it } from "@effect/vitest"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { databases } from "./databases.ts"

describe.each(databases)("permissions that a newer version has stored, in %s", (_, storage) => {
  it.effect("are ignored, and the key keeps those that this version knows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* ApiKeyStore
      const account = yield* Samples.makeAccount()
      const given = Samples.newApiKey(account.id)
      const { id } = yield* store.insert(given)
      const stored = JSON.stringify(["can_read_calls", "can_fly", "can_write_calls"])
      yield* sql`UPDATE api_key SET permissions = ${stored} WHERE id = ${id}`
      const permissions = ["can_read_calls", "can_write_calls"]
      expect(Option.getOrThrow(yield* store.find(account.id, id)).permissions).toEqual(permissions)
      expect(Option.getOrThrow(yield* store.findByDigest(given.digest)).apiKey.permissions).toEqual(permissions)
    }).pipe(Effect.provide(storage))
  )
})
