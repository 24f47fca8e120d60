import type * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Struct from "effect/Struct"
import type { AccountId } from "../access/Account.ts"
import type { Agent } from "./Agent.ts"
import * as AgentTool from "./AgentTool.ts"
import type { CreateAgent, PatchAgent, PutAgent } from "./AgentInput.ts"
import type { NewAgent } from "./AgentStore.ts"

/** Returns a new agent of the account. Absent fields get their defaults. */
export const create = (input: CreateAgent, accountId: AccountId, createdAt: DateTime.Utc): NewAgent => ({
  accountId,
  ...replacement(input),
  createdAt
})

/**
 * Returns the agent after a PUT. Absent fields get their defaults, whatever the agent had before (D-AGENT-1). Without a
 * difference it returns the given object itself.
 */
export const put = (current: Agent, input: PutAgent): Agent => merged(current, replacement(input))

/** Returns the agent after a PATCH. Absent fields keep their values. Without a difference it returns the given object itself. */
export const patch = (current: Agent, input: PatchAgent): Agent =>
  merged(current, input.allowedTools === undefined ? input : { ...input, allowedTools: toolsOf(input.allowedTools) })

/**
 * Returns the agent after it was archived. Another agent may then have its phone number. It keeps its assistant id, so that
 * its calls still name their assistant (D-AGENT-3). An archived agent stays as it is.
 */
export const archive = (current: Agent, now: DateTime.Utc): Agent =>
  current.archivedAt === null ? { ...current, phoneNumber: null, archivedAt: now } : current

const toolsOf = (tools: AgentTool.AllowedTools | null): AgentTool.AllowedTools | null =>
  tools === null ? null : AgentTool.ordered(tools)

const replacement = (input: PutAgent) => ({
  assistantId: input.assistantId,
  name: input.name,
  role: input.role,
  phoneNumber: input.phoneNumber ?? null,
  model: input.model ?? "",
  voiceId: input.voiceId ?? "",
  teamId: input.teamId ?? null,
  allowedTools: toolsOf(input.allowedTools ?? null)
})

const merged = (current: Agent, fields: PatchAgent): Agent =>
  Struct.keys(fields).every((name) => Equal.equals(fields[name], current[name])) ? current : { ...current, ...fields }
