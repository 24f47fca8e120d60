import type { AccountId } from "../access/Account.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ApiKeyId } from "../access/ApiKey.ts"
import { AgentId } from "../agent/Agent.ts"
import { SlotHolder } from "../availability/SlotHold.ts"
import { CallId } from "./Call.ts"
import { Crypto } from "../crypto/Crypto.ts"
import * as Utf8 from "../values/Utf8.ts"

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

/** The name that a client without a call gives to one of its conversations: 1 to 100 printable characters of ASCII. */
export const ConversationName = Schema.String.check(Schema.isPattern(/^[\x20-\x7e]{1,100}$/)).pipe(
  Schema.brand("ConversationName")
)

/** The name that a client without a call gives to one of its conversations. */
export type ConversationName = typeof ConversationName.Type

/**
 * Returns the conversation of that name within the one of an API key or an account. Its slot holds and its repeats are apart
 * from those of every other name, and from those without a name.
 */
export const named = (conversation: Conversation, name: ConversationName): Effect.Effect<Conversation, never, Crypto> =>
  Effect.gen(function* () {
    // A holder has no spaces and at most 100 characters, so it has the digest of the name.
    const digest = yield* (yield* Crypto).sha256Hex(Utf8.encode(name))
    return { ...conversation, holder: SlotHolder.make(`${conversation.holder}:${digest}`) }
  })
