import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { type Agent, AgentId, AgentRole } from "@frontdesk/core/agent/Agent"
import type { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"
import { phoneNumber } from "./contact.ts"

const id = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max })

/** Generates an agent, with or without a phone number, a team and usage. Options replace the generated values. */
export const agent = (
  options: {
    readonly accountId?: fc.Arbitrary<AccountId>
    readonly teamId?: fc.Arbitrary<TeamId | null>
    readonly phoneNumber?: fc.Arbitrary<PhoneNumber | null>
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
      secondsUsed: fc.nat(),
      totalCalls: fc.nat(),
      createdAt: fc.nat().map((seconds) => DateTime.makeUnsafe(seconds * 1000))
    })
    .map((row) => ({ ...row, assistantId: `asst_${row.id}` }))
