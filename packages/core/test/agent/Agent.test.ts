import { describe, expect, it } from "@effect/vitest"
import { type Agent, AgentId, canMakeCalls, minutesUsed, ref } from "@frontdesk/core/agent/Agent"
import { AccountId } from "@frontdesk/core/access/Account"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as DateTime from "effect/DateTime"

const ada: Agent = {
  id: AgentId.make(7),
  accountId: AccountId.make(1),
  assistantId: "asst_ada",
  name: "Ada",
  role: "outbound agent",
  phoneNumber: PhoneNumber.make("+12025550100"),
  model: "gpt-x",
  voiceId: "v1",
  teamId: null,
  allowedTools: null,
  secondsUsed: 90,
  totalCalls: 3,
  createdAt: DateTime.makeUnsafe(0),
  archivedAt: null
}

describe("Agent", () => {
  it("an agent can make calls exactly when it has a phone number (C-2.1-4)", () => {
    expect(canMakeCalls(ada)).toBe(true)
    expect(canMakeCalls({ phoneNumber: null })).toBe(false)
  })

  it("minutes_used is the seconds of talk divided by 60, not rounded (C-2.1-3)", () => {
    expect([0, 60, 90, 100].map((secondsUsed) => minutesUsed({ secondsUsed }))).toEqual([0, 1, 1.5, 100 / 60])
  })

  it("other resources show id, name and assistant id of an agent (C-2.2-3, C-2.5-6)", () => {
    expect(ref(ada)).toEqual({ id: 7, name: "Ada", assistantId: "asst_ada" })
  })
})
