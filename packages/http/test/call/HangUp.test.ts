import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { at, makeAgent } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeTestApi, refusal, storages, textOf, type TestApi } from "../testApi.ts"

describe.each(storages)("POST /api/v1/calls/{call_id}/hang-up, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  const report = (ref: string, report: ProviderReport) =>
    api.run(Effect.flatMap(Calls, (calls) => calls.applyReport({ providerCallId: providerCallId(ref), ref, report })))

  const running = async () => {
    const caller = await api.caller({ balance: 10 })
    const agent = await api.run(makeAgent(caller.account.id))
    const { json } = await caller.post("/api/v1/calls", { phone_number: "+12025550111", agent_id: agent.id })
    const callId = textOf(json["call_id"])
    await report(callId, { _tag: "Answered", at: at("2026-03-02T09:00:00.000Z") })
    return { caller, callId, path: `/api/v1/calls/${callId}/hang-up` }
  }

  it("asks the provider to end the call, and returns the call, which still runs, with a message", async () => {
    const { caller, callId, path } = await running()
    const answer = await caller.post(path)
    const { tool_calls: _, ...shown } = (await caller.get(`/api/v1/calls/${callId}`)).json
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        ...shown,
        status: "in_progress",
        message: "The call is being ended"
      }
    ])
    expect(await api.run(Effect.flatMap(FakeCallProvider, (fake) => fake.hungUp))).toContain(callId)
  })

  it("returns a call that has ended unchanged, and does not ask the provider", async () => {
    const { caller, callId, path } = await running()
    const endedAt = at("2026-03-02T09:01:00.000Z")
    await report(callId, { _tag: "Ended", status: "completed", answeredAt: endedAt, endedAt, reason: "done" })
    const answer = await caller.post(path)
    expect([answer.status, answer.json]).toMatchObject([
      200,
      { status: "completed", message: "The call had already ended" }
    ])
    expect(await api.run(Effect.flatMap(FakeCallProvider, (fake) => fake.hungUp))).not.toContain(callId)
  })

  it("fails with 503 provider_unavailable when the provider does not confirm the end, and a repeat with the same key asks again", async () => {
    const { caller, path } = await running()
    const fake = await api.run(FakeCallProvider)
    await api.run(fake.hangUpWith(() => ({ _tag: "Unknown", cause: "a secret cause" })))
    const answer = await caller.post(path, undefined, { "idempotency-key": "first" })
    expect([answer.status, answer.json]).toEqual([503, refusal("provider_unavailable")])
    expect(answer.text).not.toContain("secret")
    await api.run(fake.hangUpWith(() => ({ _tag: "Ended" })))
    const again = await caller.post(path, undefined, { "idempotency-key": "first" })
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, null])
  })

  it("fails with 404 not_found for a call of another account, and for an unknown call", async () => {
    const { path } = await running()
    const caller = await api.caller()
    for (const unseen of [path, "/api/v1/calls/0/hang-up", "/api/v1/calls/call_x/hang-up"]) {
      const answer = await caller.post(unseen)
      expect([answer.status, answer.json]).toEqual([404, refusal("not_found")])
    }
  })
})
