import { describe, expect, it } from "@effect/vitest"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { SlotHolder } from "@frontdesk/core/availability/SlotHold"
import { SlotHoldStore } from "@frontdesk/core/availability/SlotHoldStore"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { CallId } from "@frontdesk/core/call/Call"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { databases } from "./databases.ts"

const digest = "0".repeat(64)

describe.each(databases)("constraints of the tables, in %s", (_, storage) => {
  it.effect("adding a call of an agent that does not exist fails", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const missing = { id: AgentId.make(999), name: "", assistantId: "none" }
      const error = yield* Effect.flip(Samples.makeCall(account.id, missing))
      expect(error).toMatchObject({ reason: "unknown", operation: "CallStore.insert" })
    }).pipe(Effect.provide(storage))
  )

  it.effect("adding a tool call of a call that does not exist fails", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const toolCall = Samples.newToolCall(account.id, { callId: CallId.make(999) })
      const error = yield* Effect.flip(Effect.flatMap(ToolCallStore, (store) => store.insert(toolCall, digest)))
      expect(error).toMatchObject({ reason: "unknown", operation: "ToolCallStore.insert" })
    }).pipe(Effect.provide(storage))
  )

  it.effect("a deleted account leaves no slot hold and no tool call, and those of another account stay", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
      const call = yield* Samples.makeCall(account.id, yield* Samples.makeAgent(account.id))
      const [holds, tools] = [yield* SlotHoldStore, yield* ToolCallStore]
      const times = { startTime: Samples.now, endTime: Samples.later(30), expiresAt: Samples.later(5) }
      for (const { id } of [account, other]) {
        yield* holds.place({ accountId: id, holder: SlotHolder.make("call:1"), ...times })
        yield* tools.insert(Samples.newToolCall(id), digest)
      }
      yield* tools.insert(Samples.newToolCall(account.id, { callId: call.id }), digest)
      yield* sql`DELETE FROM account WHERE id = ${account.id}`
      for (const table of ["slot_hold", "tool_call"]) {
        const rows = yield* sql.unsafe(`SELECT CAST(account_id AS integer) AS account FROM ${table}`)
        expect([table, rows]).toEqual([table, [{ account: other.id }]])
      }
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
