import type { ToolCall } from "@frontdesk/core/call/ToolCall"
import { CallId } from "@frontdesk/core/call/Call"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { makeAgent, makeTeam, newToolCall } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeTestApi, refusal, rowsOf, storages, type TestApi, textOf } from "../testApi.ts"

describe.each(storages)("the tool calls of a call, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  /** Starts a call of an account that shares a team with another one, and returns functions for its tool calls. */
  const makeCall = async () => {
    const team = await api.run(makeTeam())
    const [caller, mate, stranger] = [
      await api.caller({ balance: 10, teamIds: [team.id] }),
      await api.caller({ teamIds: [team.id] }),
      await api.caller()
    ]
    const agent = await api.run(makeAgent(caller.account.id, { teamId: team.id }))
    const started = (await caller.post("/api/v1/calls", { phone_number: "+12025550111", agent_id: agent.id })).json
    const insert = (fields: Partial<ToolCall>) => {
      const toolCall = newToolCall(caller.account.id, { callId: CallId.make(Number(started["id"])), ...fields })
      return api.run(Effect.flatMap(ToolCallStore, (store) => store.insert(toolCall, "digest")))
    }
    return { caller, insert, mate, path: `/api/v1/calls/${textOf(started["call_id"])}`, started, stranger }
  }

  it("GET returns them, the earliest first, with their JSON as the model and the tool wrote it (D-AGT-4)", async () => {
    const { caller, insert, path, started } = await makeCall()
    expect((await caller.get(path)).json["tool_calls"]).toEqual([])
    const at = DateTime.makeUnsafe("2026-03-02T10:00:00.123Z")
    const given = { slot_id: "s", someName: [1, { a_b: null }] }
    await insert({
      tool: "book",
      arguments: given,
      answer: { say: "Booked.", event: { id: 7 } },
      durationMillis: 35,
      at
    })
    // The tool call before it is stored after it.
    await insert({ tool: "cancel", arguments: "no object", answer: null, at: DateTime.subtract(at, { seconds: 1 }) })
    const byCallId = (await caller.get(path)).json
    expect(byCallId["tool_calls"]).toEqual([
      { name: "cancel", arguments: "no object", answer: null, duration_ms: 20, at: "2026-03-02T09:59:59.123Z" },
      {
        name: "book",
        arguments: given,
        answer: { say: "Booked.", event: { id: 7 } },
        duration_ms: 35,
        at: "2026-03-02T10:00:00.123Z"
      }
    ])
    expect((await caller.get(`/api/v1/calls/${textOf(started["id"])}`)).json).toEqual(byCallId)
  })

  it("a start, a hang-up and a list do not have them", async () => {
    const { caller, insert, path, started } = await makeCall()
    await insert({})
    expect(started).not.toHaveProperty("tool_calls")
    const [row] = rowsOf(await caller.get("/api/v1/calls"), "calls")
    expect(row).toMatchObject({ id: started["id"] })
    expect(row).not.toHaveProperty("tool_calls")
    expect((await caller.post(`${path}/hang-up`, {})).json).not.toHaveProperty("tool_calls")
  })

  it("a team mate who sees the call receives them, and another account gets 404", async () => {
    const { caller, insert, mate, path, stranger } = await makeCall()
    await insert({ tool: "book" })
    const shown = (await caller.get(path)).json["tool_calls"]
    expect(shown).toMatchObject([{ name: "book" }])
    expect((await mate.get(path)).json["tool_calls"]).toEqual(shown)
    const answer = await stranger.get(path)
    expect([answer.status, answer.json]).toEqual([404, refusal("not_found")])
  })
})
