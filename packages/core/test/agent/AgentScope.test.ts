import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { agentScope } from "@frontdesk/core/agent/AgentScope"

const [own, partner, first, second] = [AccountId.make(1), AccountId.make(2), AccountId.make(3), AccountId.make(4)]
const teamIds = [TeamId.make(7)]

describe("AgentScope", () => {
  it("a standard account sees its own agents and those of its teams (C-4.1-2)", () => {
    const scope = agentScope({ id: own, role: "standard", partnerId: null, teamIds }, [])
    expect(scope).toEqual({ accountIds: [own], teamIds })
  })

  it("a partner sees its own agents and those of its clients, and none through teams (C-4.1-3, D-TEAM-3)", () => {
    const scope = agentScope({ id: partner, role: "partner", partnerId: null, teamIds }, [first, second])
    expect(scope).toEqual({ accountIds: [partner, first, second], teamIds: [] })
  })

  it("a client sees its own agents and those of its partner, and none of other clients (C-4.1-3, D-TEAM-3)", () => {
    const scope = agentScope({ id: first, role: "client", partnerId: partner, teamIds }, [second])
    expect(scope).toEqual({ accountIds: [first, partner], teamIds: [] })
  })

  it("a client without a partner sees only its own agents", () => {
    const scope = agentScope({ id: first, role: "client", partnerId: null, teamIds }, [])
    expect(scope).toEqual({ accountIds: [first], teamIds: [] })
  })

  it("a standard account sees no agents of a partner or of clients, even when their ids are given", () => {
    expect(agentScope({ id: own, role: "standard", partnerId: partner, teamIds: [] }, [first]).accountIds).toEqual([
      own
    ])
  })
})
