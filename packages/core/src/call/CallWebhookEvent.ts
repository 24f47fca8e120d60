/*
 * The webhook events about calls: their names, their payload, and how one is made for the publisher.
 */

import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AgentId } from "../agent/Agent.ts"
import { ContactId } from "../contact/Contact.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"
import * as JsonEncoder from "../values/JsonEncoder.ts"
import { Timestamp } from "../values/Timestamp.ts"
import * as Utf8 from "../values/Utf8.ts"
import { snakeCase } from "../values/Wire.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { WebhookEvent } from "../webhook-event/WebhookEvent.ts"
import { WebhookEventName } from "../webhook-event/WebhookEventName.ts"
import { type Call, CallId, durationSeconds } from "./Call.ts"
import { CallDirection } from "./CallDirection.ts"
import { shown, type ShownToolCall } from "./CallDetail.ts"
import { CallStatus, isTerminal } from "./CallStatus.ts"
import type { ToolCall } from "./ToolCall.ts"

/** The names of the webhook events about the course of a call. */
export type CallEventName = Exclude<Extract<WebhookEventName, `call.${string}`>, "call.tool">

/**
 * Returns the names of the webhook events that a change of a call raises, in order (D-EVT-1).
 *
 * - `call.started` when the call begins (C-6.1-1).
 * - `call.ended` when an answered call ends (C-6.1-2), `call.failed` when a call ends without an answer (C-6.1-3).
 * - `call.transcript` (C-6.1-4), `call.recording` (C-6.1-5) and `call.summary` (C-6.1-6) when each becomes available.
 *
 * They follow from the difference of the two states. So an end that is reported before the answer, and states when the
 * call was answered, raises `call.started` as well.
 */
export const namesOf = (before: Call, after: Call): ReadonlyArray<CallEventName> => {
  const names: Array<CallEventName> = []
  if (!isTerminal(before.status) && before.startedAt === null && after.startedAt !== null) names.push("call.started")
  if (!isTerminal(before.status) && isTerminal(after.status)) {
    names.push(after.startedAt === null ? "call.failed" : "call.ended")
  }
  if (before.transcript === null && after.transcript !== null) names.push("call.transcript")
  if (before.recordingUrl === null && after.recordingUrl !== null) names.push("call.recording")
  if (before.summary === null && after.summary !== null) names.push("call.summary")
  return names
}

const PayloadCall = snakeCase(
  Schema.Struct({
    id: CallId,
    serviceCallId: Schema.String,
    agentId: AgentId,
    agentName: Schema.String,
    status: CallStatus,
    type: CallDirection,
    phoneNumber: PhoneNumber,
    startedAt: Schema.NullOr(Timestamp),
    endedAt: Schema.NullOr(Timestamp),
    /** Null until the call has ended; 0 when it was never answered. */
    durationSeconds: Schema.NullOr(Schema.Int),
    recordingUrl: Schema.NullOr(Schema.String),
    /** Absent until the provider has reported it. */
    summary: Schema.optionalKey(Schema.String),
    contact: Schema.NullOr(
      Schema.Struct({ id: ContactId, name: Schema.String, email: Schema.NullOr(Schema.String) }).annotate({
        identifier: "WebhookCallContact"
      })
    )
  })
).annotate({ identifier: "WebhookCall" })

/** The payload of the webhook events about calls (C-6.2-1). */
export const CallPayload = snakeCase(
  Schema.Struct({ eventType: WebhookEventName, call: PayloadCall, timestamp: Timestamp })
)

/** The payload of the webhook event `call.tool`: the call, and the tool call as the call's detail shows it (D-AGT-5). */
export const ToolPayload = snakeCase(
  Schema.Struct({
    eventType: WebhookEventName,
    call: PayloadCall,
    toolCall: snakeCase(
      Schema.Struct({
        name: Schema.String,
        arguments: Schema.Json,
        answer: Schema.Json,
        durationMs: Schema.Int,
        at: Timestamp
      })
    ).annotate({ identifier: "WebhookToolCall" }),
    timestamp: Timestamp
  })
)

/** Returns a call as the payloads show it. */
const payloadCall = (call: Call): typeof PayloadCall.Type => ({
  id: call.id,
  serviceCallId: call.callId,
  agentId: call.agent.id,
  agentName: call.agent.name,
  status: call.status,
  type: call.type,
  phoneNumber: call.phoneNumber,
  startedAt: call.startedAt,
  endedAt: call.endedAt,
  durationSeconds: durationSeconds(call),
  recordingUrl: call.recordingUrl,
  ...(call.summary === null ? {} : { summary: call.summary }),
  contact: call.contact === null ? null : { id: call.contact.id, name: call.contact.name, email: call.contact.email }
})

/** Returns the body of a webhook event about a call: JSON in UTF-8 that shows the given state of the call. */
export const payload = (eventType: CallEventName, call: Call, timestamp: DateTime.Utc): Uint8Array =>
  Utf8.encode(JSON.stringify(encode({ eventType, call: payloadCall(call), timestamp })))

/** Returns a webhook event about a call. Its payload shows the given state of the call. */
export const make = (name: CallEventName, call: Call): WebhookEvent => ({
  accountId: call.accountId,
  name,
  subject: subjectOf(call.id),
  body: (createdAt) => Effect.sync(() => payload(name, call, createdAt))
})

/** Returns the body of the webhook event about a tool call: JSON in UTF-8. */
export const toolPayload = (call: Call, toolCall: ShownToolCall, timestamp: DateTime.Utc): Uint8Array =>
  Utf8.encode(JSON.stringify(encodeTool({ eventType: "call.tool", call: payloadCall(call), toolCall, timestamp })))

/**
 * Returns the webhook event about a tool call.
 *
 * @param call reads the call. It runs only when a webhook is subscribed
 */
export const ofToolCall = (
  callId: CallId,
  call: Effect.Effect<Call, StorageError>,
  toolCall: Omit<ToolCall, "id">
): WebhookEvent => ({
  accountId: toolCall.accountId,
  name: "call.tool",
  subject: subjectOf(callId),
  body: (createdAt) => Effect.map(call, (call) => toolPayload(call, shown(toolCall), createdAt))
})

/** Returns the subject of the webhook events about a call. */
export const subjectOf = (id: CallId): string => `call:${id}`

const encode = JsonEncoder.compile(CallPayload)

const encodeTool = JsonEncoder.compile(ToolPayload)
