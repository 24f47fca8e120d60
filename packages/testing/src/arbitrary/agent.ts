import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { type Agent, AgentId, AgentRole } from "@frontdesk/core/agent/Agent"
import { AgentTool, type AllowedTools } from "@frontdesk/core/agent/AgentTool"
import type { PatchAgent, PutAgent } from "@frontdesk/core/agent/AgentInput"
import type { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"
import { phoneNumber } from "./contact.ts"

const id = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max })

/** Generates the tools that an agent may use. */
const allowedTools = (): fc.Arbitrary<AllowedTools | null> => fc.option(fc.subarray([...AgentTool.literals]))

/** Generates an agent that is not archived, with or without a phone number, a team and usage. Options replace the generated values. */
export const agent = (
  options: {
    readonly accountId?: fc.Arbitrary<AccountId>
    readonly teamId?: fc.Arbitrary<TeamId | null>
    readonly phoneNumber?: fc.Arbitrary<PhoneNumber | null>
    readonly archivedAt?: fc.Arbitrary<DateTime.Utc | null>
  } = {}
): fc.Arbitrary<Agent> =>
  fc
    .record({
      id: id(1_000_000).map((value) => AgentId.make(value)),
      accountId: options.accountId ?? id(1000).map((value) => AccountId.make(value)),
      name: fc.string({ maxLength: 40 }),
      role: fc.constantFrom(...AgentRole.literals),
      phoneNumber: options.phoneNumber ?? fc.option(phoneNumber()),
      model: fc.constantFrom("gpt-x", "claude-y"),
      voiceId: fc.constantFrom("v1", "v2"),
      teamId: options.teamId ?? fc.option(id(1000).map((value) => TeamId.make(value))),
      allowedTools: allowedTools(),
      secondsUsed: fc.nat(),
      totalCalls: fc.nat(),
      createdAt: fc.nat().map((seconds) => DateTime.makeUnsafe(seconds * 1000)),
      archivedAt: options.archivedAt ?? fc.constant(null)
    })
    .map((row) => ({ ...row, assistantId: `asst_${row.id}` }))

const fields = {
  assistantId: id(1_000_000).map((value) => `asst_${value}`),
  name: fc.string({ minLength: 1, maxLength: 40 }).filter((name) => name.trim() !== ""),
  role: fc.constantFrom(...AgentRole.literals),
  model: fc.constantFrom("", "gpt-x", "claude-y"),
  voiceId: fc.constantFrom("", "v1", "v2")
}

const clearable = {
  phoneNumber: fc.option(phoneNumber()),
  teamId: fc.option(id(1000).map((value) => TeamId.make(value))),
  allowedTools: allowedTools()
}

/** Generates the body of a PUT of an agent. Each optional field may be absent or null. */
export const agentPut = (): fc.Arbitrary<PutAgent> =>
  fc.record(
    { ...fields, ...clearable, model: fc.option(fields.model), voiceId: fc.option(fields.voiceId) },
    { requiredKeys: ["assistantId", "name", "role"] }
  )

/** Generates the body of a PATCH of an agent. Each field may be absent, and the phone number and the team may be null. */
export const agentPatch = (): fc.Arbitrary<PatchAgent> => fc.record({ ...fields, ...clearable }, { requiredKeys: [] })
