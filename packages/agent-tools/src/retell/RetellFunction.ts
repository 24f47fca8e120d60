import * as Effect from "effect/Effect"
import type * as JsonSchema from "effect/JsonSchema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Answer from "../tool/Answer.ts"
import type { Tool } from "../tool/Tool.ts"
import type { Toolbox } from "../tool/Toolbox.ts"
import { lenient, ShortText } from "../wire/Json.ts"
import { runCall } from "../wire/RunCall.ts"

/** Which call a request of Retell is about. Only a signed request proves it. */
export interface RetellCallIdentity {
  /** The id of the call at Retell. */
  readonly providerCallId: string
  readonly agentId: string | null
  readonly fromNumber: string | null
  readonly toNumber: string | null
  readonly direction: "inbound" | "outbound" | null
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A decoded request of a custom function. */
export interface RetellFunctionCall {
  readonly name: string
  readonly args: unknown
  readonly call: RetellCallIdentity
}

/** A custom function, as the `general_tools` of an agent's model take it (docs.retellai.com). */
export interface RetellCustomTool {
  readonly type: "custom"
  readonly name: string
  readonly description: string
  readonly url: string
  readonly parameters: JsonSchema.JsonSchema
  readonly speak_during_execution: boolean
  readonly speak_after_execution: boolean
}

/**
 * Returns the definition of a tool for an agent at Retell. The agent speaks after the tool alone, because a tool answers
 * within 2 seconds.
 *
 * @param url the address to which Retell sends the request
 */
export const definition = ({ argumentsSchema, description, name }: Tool, url: string): RetellCustomTool => ({
  type: "custom",
  name,
  description,
  url,
  parameters: argumentsSchema,
  speak_during_execution: false,
  speak_after_execution: true
})

const decodeBody = Schema.decodeUnknownResult(
  Schema.Struct({
    name: ShortText,
    args: Schema.optionalKey(Schema.Unknown),
    call: Schema.Struct({
      call_id: ShortText,
      agent_id: lenient(ShortText),
      from_number: lenient(ShortText),
      to_number: lenient(ShortText),
      direction: lenient(Schema.Literals(["inbound", "outbound"])),
      metadata: lenient(Schema.Record(Schema.String, Schema.Unknown))
    })
  })
)

/**
 * Decodes the body with which Retell calls a custom function: `{ name, args, call }`. Fails with a reason for any other body.
 * The function must be set up to send the call, and not its arguments alone.
 */
export const decode = (body: unknown): Result.Result<RetellFunctionCall, string> =>
  Result.match(decodeBody(body), {
    onFailure: () => Result.fail("the body needs name, args and call with call_id; turn off args only at Retell"),
    onSuccess: ({ args, call, name }) =>
      Result.succeed({
        name,
        args: args ?? {},
        call: {
          providerCallId: call.call_id,
          agentId: call.agent_id ?? null,
          fromNumber: call.from_number ?? null,
          toNumber: call.to_number ?? null,
          direction: call.direction ?? null,
          metadata: call.metadata ?? {}
        }
      })
  })

/**
 * Carries out a custom function, and returns the body of the answer: one line of JSON, `say` first. The HTTP status is always
 * 200, because Retell repeats a request after any other one.
 *
 * The time of `toolboxOf` counts towards the limit of the tool.
 */
export const run = <R = never, R1 = never>(
  { args, call, name }: RetellFunctionCall,
  toolboxOf: (call: RetellCallIdentity) => Effect.Effect<Toolbox<R>, never, R1>
): Effect.Effect<string, never, R | R1> =>
  Effect.map(
    runCall(
      Effect.suspend(() => toolboxOf(call)),
      (toolbox) => toolbox.call(name, args)
    ),
    Answer.toLine
  )
