import { aboutCall, type FakeCall } from "./Resources.ts"

/** A tool call of the model. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** The shapes in which Vapi has sent tool calls. */
export const shapes = ["text", "object", "flat", "nested"] as const

/**
 * A shape of tool calls.
 *
 * - `text`: `function` with `arguments` as a text of JSON, in `toolCallList`. The types of the official SDK describe it.
 * - `object`: the same with `arguments` as an object.
 * - `flat`: `name` and `parameters` beside the id, in `toolCallList`. docs.vapi.ai/server-url/events shows it.
 * - `nested`: `toolWithToolCallList` alone, with the call in `toolCall`.
 */
export type Shape = (typeof shapes)[number]

const textCall = (call: ToolCall) => ({
  id: call.id,
  type: "function" as const,
  function: { name: call.name, arguments: JSON.stringify(call.arguments) }
})

const objectCall = (call: ToolCall) => ({
  id: call.id,
  type: "function" as const,
  function: { name: call.name, arguments: call.arguments }
})

const nested = <A>(call: ToolCall, toolCall: A) => ({
  type: "function" as const,
  function: { name: call.name },
  toolCall
})

/** The lists of tool calls in a message, by shape. */
export const toolCallLists = {
  text: (calls: ReadonlyArray<ToolCall>) => ({
    toolCallList: calls.map(textCall),
    toolWithToolCallList: calls.map((call) => nested(call, textCall(call)))
  }),
  object: (calls: ReadonlyArray<ToolCall>) => ({
    toolCallList: calls.map(objectCall),
    toolWithToolCallList: calls.map((call) => nested(call, objectCall(call)))
  }),
  flat: (calls: ReadonlyArray<ToolCall>) => ({
    toolCallList: calls.map((call) => ({ id: call.id, name: call.name, parameters: call.arguments })),
    toolWithToolCallList: calls.map((call) => ({
      name: call.name,
      toolCall: { id: call.id, parameters: call.arguments }
    }))
  }),
  nested: (calls: ReadonlyArray<ToolCall>) => ({
    toolWithToolCallList: calls.map((call) => nested(call, objectCall(call)))
  })
}

/** Returns the message that asks which assistant answers an inbound call. */
export const assistantRequest = (call: FakeCall, now: number) => ({
  type: "assistant-request" as const,
  timestamp: now,
  ...aboutCall(call)
})

/** Returns the message with tool calls of the model. `lists` is a result of {@link toolCallLists}. */
export const toolCalls = <Lists extends object>(call: FakeCall, now: number, lists: Lists) => ({
  type: "tool-calls" as const,
  timestamp: now,
  ...lists,
  ...aboutCall(call)
})
