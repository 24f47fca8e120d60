import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { type Agent, AgentId } from "@frontdesk/core/agent/Agent"
import * as AgentMerge from "@frontdesk/core/agent/AgentMerge"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as arbitrary from "@frontdesk/testing/arbitrary/agent"
import * as DateTime from "effect/DateTime"
import * as Struct from "effect/Struct"
import * as fc from "fast-check"
import { describe, expect, it } from "@effect/vitest"

const now = DateTime.makeUnsafe("2026-03-08T13:00:00.000Z")
const required = { assistantId: "asst_bo", name: "Bo", role: "inbound agent" } as const
const phoneNumber = PhoneNumber.make("+12025550199")

const ada: Agent = {
  id: AgentId.make(7),
  accountId: AccountId.make(1),
  assistantId: "asst_ada",
  name: "Ada",
  role: "outbound agent",
  phoneNumber: PhoneNumber.make("+12025550100"),
  model: "gpt-x",
  voiceId: "v1",
  teamId: TeamId.make(3),
  allowedTools: ["find_slots", "book"],
  secondsUsed: 90,
  totalCalls: 3,
  createdAt: DateTime.makeUnsafe(0),
  archivedAt: null
}

describe("AgentMerge", () => {
  it("a create sets absent and null fields to their defaults (D-AGENT-1)", () => {
    const defaults = { phoneNumber: null, model: "", voiceId: "", teamId: null, allowedTools: null }
    const made = { accountId: AccountId.make(2), ...required, ...defaults, createdAt: now }
    const empty = { ...defaults, model: null, voiceId: null }
    for (const input of [required, { ...required, ...empty }]) {
      expect(AgentMerge.create(input, AccountId.make(2), now)).toEqual(made)
    }
    const allowedTools = ["opt_out"] as const
    const given = { ...required, phoneNumber, model: "m", voiceId: "v", teamId: TeamId.make(9), allowedTools }
    expect(AgentMerge.create(given, AccountId.make(2), now)).toEqual({ ...made, ...given })
  })

  it("a PUT sets absent and null fields to their defaults, and keeps id, account, usage and creation (D-AGENT-1)", () => {
    const { accountId, archivedAt, createdAt, id, secondsUsed, totalCalls } = ada
    const kept = { id, accountId, secondsUsed, totalCalls, createdAt, archivedAt }
    const defaults = { phoneNumber: null, model: "", voiceId: "", teamId: null, allowedTools: null }
    expect(AgentMerge.put(ada, required)).toEqual({ ...kept, ...required, ...defaults })
    expect(AgentMerge.put(ada, { ...required, ...defaults, model: null })).toEqual(AgentMerge.put(ada, required))
  })

  it("a PATCH changes the given fields, and null clears the phone number and the team and allows every tool", () => {
    expect(AgentMerge.patch(ada, { name: "Bo", phoneNumber })).toEqual({ ...ada, name: "Bo", phoneNumber })
    const cleared = { phoneNumber: null, teamId: null, allowedTools: null }
    expect(AgentMerge.patch(ada, cleared)).toEqual({ ...ada, ...cleared })
  })

  it("tools are in the order in which they are listed, so that another order is not a change (D-AGENT-9)", () => {
    expect(AgentMerge.patch(ada, { allowedTools: ["opt_out", "book"] }).allowedTools).toEqual(["book", "opt_out"])
    expect(AgentMerge.put(ada, { ...required, allowedTools: ["opt_out", "book"] }).allowedTools).toEqual([
      "book",
      "opt_out"
    ])
    expect(AgentMerge.patch(ada, { allowedTools: ["book", "find_slots"] })).toBe(ada)
  })

  it("an archived agent loses its phone number and keeps everything else, also when it is archived again (D-AGENT-3)", () => {
    const archived = { ...ada, phoneNumber: null, archivedAt: now }
    expect(AgentMerge.archive(ada, now)).toEqual(archived)
    expect(AgentMerge.archive(archived, DateTime.add(now, { days: 1 }))).toBe(archived)
  })
})

describe("laws of AgentMerge", () => {
  const given = fc.tuple(arbitrary.agent(), arbitrary.agentPut(), arbitrary.agentPatch())
  const unchanged = ["id", "accountId", "secondsUsed", "totalCalls", "createdAt", "archivedAt"] as const

  it("a PATCH without fields, and one with the values that the agent has, return the agent itself", () => {
    fc.assert(
      fc.property(arbitrary.agent(), (agent) => {
        expect(AgentMerge.patch(agent, {})).toBe(agent)
        expect(AgentMerge.patch(agent, Struct.omit(agent, unchanged))).toBe(agent)
      })
    )
  })

  it("a PATCH sets exactly the fields of its body", () => {
    fc.assert(
      fc.property(given, ([agent, , patch]) => {
        expect(AgentMerge.patch(agent, patch)).toEqual({ ...agent, ...patch })
      })
    )
  })

  it("a PUT depends only on its body and on what no body changes", () => {
    fc.assert(
      fc.property(given, arbitrary.agent(), ([agent, body], other) => {
        const alike = { ...other, ...Struct.pick(agent, unchanged) }
        expect(AgentMerge.put(agent, body)).toEqual(AgentMerge.put(alike, body))
      })
    )
  })

  it("a repeated PUT and a repeated PATCH return the agent itself", () => {
    fc.assert(
      fc.property(given, ([agent, body, patch]) => {
        const replaced = AgentMerge.put(agent, body)
        expect(AgentMerge.put(replaced, body)).toBe(replaced)
        const patched = AgentMerge.patch(agent, patch)
        expect(AgentMerge.patch(patched, patch)).toBe(patched)
      })
    )
  })

  it("a PUT of an agent's own fields returns the agent itself", () => {
    fc.assert(
      fc.property(arbitrary.agent(), (agent) => {
        expect(AgentMerge.put(agent, Struct.omit(agent, unchanged))).toBe(agent)
      })
    )
  })

  it("a PUT makes of an agent what a create makes of a new one", () => {
    fc.assert(
      fc.property(given, ([agent, body]) => {
        const { accountId, createdAt } = agent
        const made = AgentMerge.create(body, accountId, createdAt)
        expect(AgentMerge.put(agent, body)).toEqual({ ...Struct.pick(agent, unchanged), ...made })
      })
    )
  })
})
