import type { AccountId } from "../access/Account.ts"
import * as Schema from "effect/Schema"
import type { ApiKeyId } from "../access/ApiKey.ts"
import { AgentId } from "../agent/Agent.ts"
import { SlotHolder } from "../availability/SlotHold.ts"
import { CallId } from "../call/Call.ts"

/** Where an agent uses tools: a call, or without one the API key or the account of an MCP client. */
export const Conversation = Schema.Struct({
  /** Names the conversation. Slot holds and repeats belong to it. */
  holder: SlotHolder,
  callId: Schema.NullOr(CallId),
  /** The agent that talks, or null without a call. */
  agentId: Schema.NullOr(AgentId)
})

/** Where an agent uses tools. */
export type Conversation = typeof Conversation.Type

/** Returns the conversation of a call. */
export const ofCall = (callId: CallId, agentId: AgentId): Conversation => ({
  holder: SlotHolder.make(`call:${callId}`),
  callId,
  agentId
})

/** Returns the conversation of an API key that is used without a call. */
export const ofApiKey = (apiKeyId: ApiKeyId): Conversation => ({
  holder: SlotHolder.make(`key:${apiKeyId}`),
  callId: null,
  agentId: null
})

/** Returns the conversation of an account whose program has found the caller itself, without an API key. */
export const ofAccount = (accountId: AccountId): Conversation => ({
  holder: SlotHolder.make(`account:${accountId}`),
  callId: null,
  agentId: null
})
