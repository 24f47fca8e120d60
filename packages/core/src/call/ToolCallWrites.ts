import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import { ownRows } from "../access/Scope.ts"
import type { Conversation } from "./Conversation.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as JsonSize from "../values/JsonSize.ts"
import { Instant } from "../values/Timestamp.ts"
import { WebhookEventPublisher } from "../webhook-event/WebhookEventPublisher.ts"
import { maxShownToolCalls } from "./CallDetail.ts"
import { CallStore } from "./CallStore.ts"
import * as CallWebhookEvent from "./CallWebhookEvent.ts"
import { maxStoredBytes, type ToolCall } from "./ToolCall.ts"
import { ToolCallStore } from "./ToolCallStore.ts"

/** A tool call that changed no calendar event, with its answer. */
export const AnsweredToolCall = Schema.Struct({
  tool: Schema.String,
  /** The arguments as the model wrote them. */
  arguments: Schema.Json,
  answer: Schema.Json,
  durationMillis: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  at: Instant
})

/** A tool call that changed no calendar event, with its answer. */
export type AnsweredToolCall = typeof AnsweredToolCall.Type

/** The digest of a tool call that no repeat looks for. It is not the digest of any arguments. */
const noDigest = "-"

/** Returns the functions that store tool calls. */
export const make = Effect.gen(function* () {
  const calls = yield* CallStore
  const publisher = yield* WebhookEventPublisher
  const store = yield* ToolCallStore
  const transaction = yield* Transaction

  /**
   * Stores a tool call. One that was made in a call is announced as the webhook event `call.tool` (D-AGT-5). Call it in a
   * transaction, and `WebhookEventPublisher.notify` afterwards.
   */
  const insert = Effect.fnUntraced(function* (toolCall: Omit<ToolCall, "id">, digest: string) {
    yield* store.insert(toolCall, digest)
    const { accountId, callId } = toolCall
    if (callId === null) return
    const call = Effect.map(calls.find(ownRows(accountId), { id: callId }), Option.getOrThrow)
    yield* publisher.publish(CallWebhookEvent.ofToolCall(callId, call, toolCall))
  })

  /**
   * Stores a tool call that changed no calendar event. Arguments and answers that are too large are replaced by a note. A
   * conversation without a call stores none, and a call that has {@link maxShownToolCalls} stores no further ones.
   */
  const record = Effect.fnUntraced(function* (
    accountId: AccountId,
    { callId, holder }: Conversation,
    toolCall: AnsweredToolCall
  ) {
    if (callId === null) return
    const row = {
      ...toolCall,
      accountId,
      callId,
      conversation: holder,
      tool: toolCall.tool.slice(0, 100).toWellFormed().replaceAll("\0", ""),
      arguments: storable(toolCall.arguments),
      answer: storable(toolCall.answer),
      eventId: null
    }
    yield* transaction.run(
      Effect.gen(function* () {
        if ((yield* store.countOfCall(accountId, callId)) < maxShownToolCalls) yield* insert(row, noDigest)
      })
    )
    yield* publisher.notify
  })

  return { insert, record }
})

/** Returns the value, or a note in its place when it cannot be stored: too large, too deep, or with half a character. */
const storable = (value: Schema.Json): Schema.Json => {
  if (!JsonSize.isShallow(value) || JsonSize.bytesOf(value) > maxStoredBytes) {
    return { omitted: `More than ${maxStoredBytes} bytes or ${JsonSize.maxDepth} levels` }
  }
  // PostgreSQL stores neither U+0000 nor half of a surrogate pair.
  return /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(JSON.stringify(value))
    ? { omitted: "Characters that are not text" }
    : value
}
