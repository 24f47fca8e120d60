import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Conversation from "./Conversation.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Transaction } from "../storage/Transaction.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import type { WebhookEventPublisher } from "../webhook-event/WebhookEventPublisher.ts"
import { Call } from "./Call.ts"
import type { CallStore } from "./CallStore.ts"
import type { ToolCallStore } from "./ToolCallStore.ts"
import * as ToolCallWrites from "./ToolCallWrites.ts"

const inputs: Input.Inputs<ToolCalls["Service"]> = {
  record: [{ call: Call }, { toolCall: ToolCallWrites.AnsweredToolCall }]
}

/**
 * Stores the tool calls of a call (D-AGT-4). `Bookings` itself stores those that book, move or cancel, in the transaction of
 * the change.
 */
export class ToolCalls extends Context.Service<
  ToolCalls,
  {
    /**
     * Stores a tool call, and announces it as the webhook event `call.tool`. Arguments and answers of more than 16 KiB are
     * replaced by a note. A call with 200 tool calls stores no further ones, except those that `Bookings` stores.
     */
    readonly record: (
      call: Call,
      toolCall: ToolCallWrites.AnsweredToolCall
    ) => Effect.Effect<void, ValidationError | StorageError>
  }
>()("@frontdesk/core/call/ToolCalls") {
  /** Needs the stores of one storage. */
  static readonly layer: Layer.Layer<
    ToolCalls,
    never,
    CallStore | ToolCallStore | Transaction | WebhookEventPublisher
  > = Layer.effect(
    ToolCalls,
    Effect.gen(function* () {
      const { record } = yield* ToolCallWrites.make
      return Input.service(ToolCalls, inputs, {
        record: Tracing.operation("ToolCalls.record")(function* (call, toolCall) {
          yield* record(call.accountId, Conversation.ofCall(call.id, call.agent.id), toolCall)
        })
      })
    })
  )
}
