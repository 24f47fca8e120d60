import * as Effect from "effect/Effect"
import type * as JsonSchema from "effect/JsonSchema"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Answer from "../tool/Answer.ts"
import type { Tool } from "../tool/Tool.ts"
import type { Toolbox } from "../tool/Toolbox.ts"
import { runCall } from "../wire/RunCall.ts"
import { lenient, parseJson, ShortText } from "../wire/Json.ts"
import { CallFields, identityOf, type VapiCallIdentity } from "./VapiCallIdentity.ts"

/** The maximum number of tool calls of one message that are carried out. */
export const maxCalls = 20

/** The maximum number of entries of each list of a message that are read. No model calls so many tools at once. */
const maxEntries = 100

/** One call of a tool by the model. */
export interface VapiToolCall {
  readonly id: string
  readonly name: string
  /** The arguments, parsed when they came as a text. A text that is not JSON stays a text, which no tool accepts. */
  readonly args: unknown
}

/** A decoded `tool-calls` message. */
export interface VapiToolCalls {
  readonly call: VapiCallIdentity
  readonly toolCalls: ReadonlyArray<VapiToolCall>
}

/** One result, as Vapi reads it. `result` and `error` are one line of JSON. */
export type VapiToolResult = { readonly toolCallId: string; readonly name: string } & (
  | { readonly result: string }
  | { readonly error: string }
)

/** The body of the answer to a `tool-calls` message. */
export interface VapiToolResults {
  readonly results: ReadonlyArray<VapiToolResult>
}

const FunctionFields = Schema.Struct({
  name: lenient(ShortText),
  arguments: Schema.optionalKey(Schema.Unknown),
  parameters: Schema.optionalKey(Schema.Unknown)
})

const ToolCall = Schema.Struct({ ...FunctionFields.fields, id: ShortText, function: lenient(FunctionFields) })

const Listed = Schema.Struct({ name: lenient(ShortText), function: lenient(FunctionFields), toolCall: Schema.Unknown })

/** A tool as `POST /tool` and the tools of an assistant's model take it (docs.vapi.ai). */
export interface VapiFunctionTool {
  readonly type: "function"
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema.JsonSchema }
}

/** Returns the definition of a tool for an assistant at Vapi. Add the `server` that it is sent to, unless it is the call's. */
export const definition = ({ argumentsSchema, description, name }: Tool): VapiFunctionTool => ({
  type: "function",
  function: { name, description, parameters: argumentsSchema }
})

const decodeMessage = Schema.decodeUnknownResult(
  Schema.Struct({
    message: Schema.Struct({
      ...CallFields,
      type: Schema.Literal("tool-calls"),
      toolCallList: lenient(Schema.Array(Schema.Unknown)),
      toolWithToolCallList: lenient(Schema.Array(Schema.Unknown))
    })
  })
)

const decodeToolCall = Schema.decodeUnknownOption(ToolCall)

const decodeListed = Schema.decodeUnknownOption(Listed)

/** Returns the arguments of a call. Vapi documents a JSON text, and sends an object in some shapes. */
const argumentsOf = (call: typeof ToolCall.Type): unknown => {
  const given = call.function?.arguments ?? call.function?.parameters ?? call.arguments ?? call.parameters
  if (typeof given !== "string") return given ?? {}
  return given.trim() === "" ? {} : Option.getOrElse(parseJson(given), () => given)
}

const toolCallOf = (given: unknown, nameBeside: string | null): ReadonlyArray<VapiToolCall> =>
  Option.match(decodeToolCall(given), {
    onNone: () => [],
    onSome: (call) => [
      { id: call.id, name: call.function?.name ?? call.name ?? nameBeside ?? "", args: argumentsOf(call) }
    ]
  })

/**
 * Decodes a message whose type is `tool-calls` (docs.vapi.ai/server-url/events). It accepts the four shapes in which Vapi
 * has sent calls: `function` with `arguments` as a text or as an object, a flat `name` with `arguments` or `parameters`, and
 * the entries of `toolWithToolCallList`. Vapi repeats a call in both lists, and it is returned once.
 *
 * Fails with a reason when the message is of another type. An entry without an id is left out, because it cannot be answered.
 * So is every entry of a list after its first 100.
 */
export const decode = (message: unknown): Result.Result<VapiToolCalls, string> =>
  Result.match(decodeMessage(message), {
    onFailure: () => Result.fail("the body is not a tool-calls message"),
    onSuccess: ({ message }) => {
      const calls = [
        ...(message.toolCallList ?? []).slice(0, maxEntries).flatMap((each) => toolCallOf(each, null)),
        ...(message.toolWithToolCallList ?? []).slice(0, maxEntries).flatMap((each) =>
          Option.match(decodeListed(each), {
            onNone: () => [],
            onSome: (listed) => toolCallOf(listed.toolCall, listed.function?.name ?? listed.name ?? null)
          })
        )
      ]
      const byId = new Map<string, VapiToolCall>()
      for (const call of calls) if (!byId.has(call.id)) byId.set(call.id, call)
      return Result.succeed({ call: identityOf(message), toolCalls: [...byId.values()] })
    }
  })

/**
 * Returns the result of a call, as Vapi reads it. A refusal is a `result`, because the model must read its `say` and its
 * slots. A tool that broke down is an `error`, at which Vapi can speak a message of the tool.
 */
export const encode = ({ id, name }: VapiToolCall, answer: Answer.Answer): VapiToolResult => {
  const line = Answer.toLine(answer)
  return Answer.isBreakdown(answer) ? { toolCallId: id, name, error: line } : { toolCallId: id, name, result: line }
}

/**
 * Carries out the calls of a message side by side, and returns the body of the answer. The HTTP status is always 200, also
 * when a tool failed: Vapi ignores the body of any other answer.
 *
 * `toolboxOf` runs once for each message. Its time counts towards the limit of each tool.
 */
export const run = <R = never, R1 = never>(
  { call, toolCalls }: VapiToolCalls,
  toolboxOf: (call: VapiCallIdentity) => Effect.Effect<Toolbox<R>, never, R1>
): Effect.Effect<VapiToolResults, never, R | R1> =>
  Effect.gen(function* () {
    const toolbox = yield* Effect.cached(Effect.suspend(() => toolboxOf(call)))
    const results = yield* Effect.forEach(
      toolCalls,
      (each, index) =>
        Effect.map(
          runCall(toolbox, (box) =>
            index < maxCalls
              ? box.call(each.name, each.args)
              : Effect.succeed({ say: box.texts.tooManyCalls, error: Answer.codes.tooManyCalls })
          ),
          (answer) => encode(each, answer)
        ),
      { concurrency: "unbounded" }
    )
    return { results }
  })
