import { describe, expect, it } from "@effect/vitest"
import { AgentId } from "@frontdesk/core/agent/Agent"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { databases } from "./databases.ts"

describe.each(databases)("constraints of the tables, in %s", (_, storage) => {
  it.effect("adding a call of an agent that does not exist fails", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const missing = { id: AgentId.make(999), name: "", assistantId: "none" }
      const error = yield* Effect.flip(Samples.makeCall(account.id, missing))
      expect(error).toMatchObject({ reason: "unknown", operation: "CallStore.insert" })
    }).pipe(Effect.provide(storage))
  )

  it.effect("an update that would make the balance of an account negative fails", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const account = yield* Samples.makeAccount()
      const error = yield* Effect.flip(sql`UPDATE account SET holds = 1 WHERE id = ${account.id}`)
      expect(error.reason._tag).toBe("ConstraintError")
    }).pipe(Effect.provide(storage))
  )
})
