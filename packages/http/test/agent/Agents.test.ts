import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeTestApi, refusal, storages, type TestApi } from "../testApi.ts"

describe.each(storages)("GET /api/v1/agents, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  it("returns the agents of the caller with all their fields (C-2.1-1, C-2.1-2, C-2.1-3, C-4.1-1)", async () => {
    const caller = await api.caller()
    const agent = await api.run(makeAgent(caller.account.id, { assistantId: "asst_ada" }))
    await api.run(Effect.flatMap(AgentStore, (agents) => agents.addUsage(agent.id, 90)))
    expect((await caller.get("/api/v1/agents")).json).toEqual({
      agents: [
        {
          id: agent.id,
          account_id: agent.accountId,
          assistant_id: "asst_ada",
          name: "Ada",
          role: "outbound agent",
          phone_number: "+12025550100",
          minutes_used: 1.5,
          total_calls: 1,
          model: "gpt-x",
          voice_id: "v1",
          can_make_calls: true,
          team_id: null,
          allowed_tools: null,
          archived_at: null
        }
      ]
    })
  })

  it("GET of one agent returns it, and 404 agent_not_found when the caller cannot see it (D-HTTP-27, D-TEAM-2)", async () => {
    const [caller, other] = [await api.caller(), await api.caller()]
    const agent = await api.run(makeAgent(caller.account.id, { name: "Bo" }))
    const shown = await caller.get(`/api/v1/agents/${agent.id}`)
    expect([shown.status, [shown.json]]).toEqual([200, (await caller.get("/api/v1/agents")).json["agents"]])
    for (const answer of [await other.get(`/api/v1/agents/${agent.id}`), await caller.get("/api/v1/agents/999999")]) {
      expect([answer.status, answer.json]).toEqual([404, refusal("agent_not_found")])
    }
    expect((await caller.get("/api/v1/agents/ada")).json).toEqual(refusal("invalid_parameter", "agent_id"))
    const blind = await api.caller({ account: caller.account, permissions: ["can_read_calls"] })
    expect((await blind.get(`/api/v1/agents/${agent.id}`)).json).toEqual(refusal("permission_denied"))
  })

  it("can_make_calls is false for an agent without a phone number (C-2.1-4)", async () => {
    const caller = await api.caller()
    await api.run(makeAgent(caller.account.id, { phoneNumber: null }))
    expect((await caller.get("/api/v1/agents")).json).toMatchObject({
      agents: [{ phone_number: null, can_make_calls: false, minutes_used: 0 }]
    })
  })

  it("returns the agents of the caller's teams, and to a partner and its client only those of both (C-4.1-3)", async () => {
    const team = await api.run(makeTeam())
    const [owner, member, partner] = [
      await api.caller({ teamIds: [team.id] }),
      await api.caller({ teamIds: [team.id] }),
      await api.caller({ role: "partner", teamIds: [team.id] })
    ]
    const client = await api.caller({ role: "client", partnerId: partner.account.id, teamIds: [team.id] })
    await api.run(makeAgent(owner.account.id, { name: "Team", teamId: team.id }))
    await api.run(makeAgent(partner.account.id, { name: "Partner" }))
    await api.run(makeAgent(client.account.id, { name: "Client" }))
    const names = async (caller: typeof owner) =>
      JSON.stringify((await caller.get("/api/v1/agents")).json).match(/(?<="name":")\w+/g)
    expect(await names(member)).toEqual(["Team"])
    expect(await names(partner)).toEqual(["Partner", "Client"])
    expect(await names(client)).toEqual(["Partner", "Client"])
  })

  it("needs can_read_agents (C-5-3)", async () => {
    const answer = await (await api.caller({ permissions: ["can_read_calls"] })).get("/api/v1/agents")
    expect(answer.status).toBe(403)
    expect(answer.json).toEqual(refusal("permission_denied"))
  })
})
