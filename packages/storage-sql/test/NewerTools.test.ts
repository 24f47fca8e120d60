import { describe, expect, it } from "@effect/vitest"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { databases } from "./databases.ts"

describe.each(databases)("the tools of an agent that a newer version has stored, in %s", (_, storage) => {
  it.effect("are read without those that this version does not have, and never as every tool (D-AGENT-9)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const agents = yield* AgentStore
      const account = yield* Samples.makeAccount()
      const agent = yield* Samples.makeAgent(account.id)
      for (const [stored, read] of [
        [["send_message", "book"], ["book"]],
        [["send_message"], []]
      ]) {
        yield* sql`UPDATE agent SET allowed_tools = ${JSON.stringify(stored)} WHERE id = ${agent.id}`
        expect(Option.getOrThrow(yield* agents.findAnywhere({ id: agent.id })).allowedTools).toEqual(read)
        expect(yield* agents.list({ accountIds: [account.id], teamIds: [] })).toMatchObject([{ allowedTools: read }])
      }
    }).pipe(Effect.provide(storage))
  )
})
