import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { JsonFields } from "../wire/Json.ts"
import * as Answer from "../tool/Answer.ts"
import { defaultLimit, within } from "../tool/TimeLimit.ts"
import type { Tool, ToolEffect } from "../tool/Tool.ts"
import type { Toolbox } from "../tool/Toolbox.ts"
import { runCall } from "../wire/RunCall.ts"
import { codes, failure, type JsonRpcRequest, type JsonRpcResponse, success } from "./JsonRpc.ts"
import * as McpVersion from "./McpVersion.ts"

/** What the server tells about itself. */
export interface McpServerInfo {
  readonly name: string
  readonly version: string
  /** Instructions for the language model, about all tools together. */
  readonly instructions?: string | undefined
}

/** Whose tools are served. Only `tools/list` and `tools/call` run `toolbox`. */
export interface McpContext<R, R1> {
  readonly server: McpServerInfo
  readonly toolbox: Effect.Effect<Toolbox<R>, never, R1>
}

const hints: { readonly [E in ToolEffect]: JsonFields } = {
  reads: { readOnlyHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }
}

const isJson = Schema.is(Schema.Json)

const described = ({ argumentsSchema, description, effect, name, title }: Tool): JsonFields => ({
  name,
  title,
  description,
  inputSchema: isJson(argumentsSchema) ? argumentsSchema : { type: "object" },
  annotations: { title, ...hints[effect] }
})

const capabilities = { tools: { listChanged: false } }

const instructionsOf = ({ instructions }: McpServerInfo): JsonFields =>
  instructions === undefined ? {} : { instructions }

const decodeInitialize = Schema.decodeUnknownOption(Schema.Struct({ protocolVersion: Schema.String }))

const initialize = (server: McpServerInfo, { id, params }: JsonRpcRequest): JsonRpcResponse =>
  Option.match(decodeInitialize(params), {
    onNone: () => failure(id, { code: codes.invalidParams, message: "params.protocolVersion is required" }),
    onSome: ({ protocolVersion }) =>
      success(id, {
        protocolVersion: McpVersion.negotiate(protocolVersion),
        capabilities,
        serverInfo: { name: server.name, version: server.version },
        ...instructionsOf(server)
      })
  })

const listTools = <R, R1>(
  { toolbox }: McpContext<R, R1>,
  { id, params }: JsonRpcRequest,
  extra: JsonFields
): Effect.Effect<JsonRpcResponse, never, R1> => {
  // All tools fit on one page, so this server never returns a cursor.
  if (params["cursor"] !== undefined) {
    return Effect.succeed(failure(id, { code: codes.invalidParams, message: "params.cursor is not known" }))
  }
  const failed = (message: string) => failure(id, { code: codes.internalError, message })
  return within(
    Effect.catchDefect(
      Effect.map(toolbox, ({ tools }) => success(id, { ...extra, tools: tools.map(described) })),
      (defect) =>
        Effect.as(Effect.logError("The tools of a caller could not be listed", defect), failed("Internal error"))
    ),
    defaultLimit,
    () => Effect.succeed(failed("The tools could not be listed in time. Try again"))
  )
}

const decodeCall = Schema.decodeUnknownOption(
  Schema.Struct({ name: Schema.String, arguments: Schema.optionalKey(Schema.Unknown) })
)

/** The result of a tool. Clients that give their model no structured content give it the second text. */
const callResult = (answer: Answer.Answer): JsonFields => {
  const structured = Answer.toJson(answer)
  return {
    content: [
      { type: "text", text: structured.say },
      { type: "text", text: Answer.toLine(answer) }
    ],
    structuredContent: structured,
    isError: answer.error !== undefined
  }
}

const callTool = <R, R1>(
  { toolbox }: McpContext<R, R1>,
  { id, params }: JsonRpcRequest,
  extra: JsonFields
): Effect.Effect<JsonRpcResponse, never, R | R1> => {
  const call = decodeCall(params)
  if (Option.isNone(call)) {
    return Effect.succeed(failure(id, { code: codes.invalidParams, message: "params.name is required" }))
  }
  const { arguments: args = {}, name } = call.value
  return Effect.map(
    runCall(toolbox, (box) => box.call(name, args)),
    (answer) =>
      answer.error === Answer.codes.unknownTool
        ? failure(id, { code: codes.invalidParams, message: `Unknown tool: ${name.slice(0, 100)}` })
        : success(id, { ...callResult(answer), ...extra })
  )
}

const notFound = ({ id, method }: JsonRpcRequest): JsonRpcResponse =>
  failure(id, { code: codes.methodNotFound, message: `Method not found: ${method}` })

/** Returns the answer to a request of a version with a handshake. */
export const answer = <R, R1>(
  context: McpContext<R, R1>,
  request: JsonRpcRequest
): Effect.Effect<JsonRpcResponse, never, R | R1> => {
  switch (request.method) {
    case "initialize":
      return Effect.succeed(initialize(context.server, request))
    case "ping":
      return Effect.succeed(success(request.id, {}))
    case "tools/list":
      return listTools(context, request, {})
    case "tools/call":
      return callTool(context, request, {})
    default:
      return Effect.succeed(notFound(request))
  }
}

/** A client must ask again each time, because the tools depend on the key and on the call. */
const uncached = { ttlMs: 0, cacheScope: "private" }

/** Returns the answer to a request of the version without a handshake. */
export const answerStateless = <R, R1>(
  context: McpContext<R, R1>,
  request: JsonRpcRequest
): Effect.Effect<JsonRpcResponse, never, R | R1> => {
  const meta = McpVersion.resultMeta(context.server)
  switch (request.method) {
    case "server/discover":
      return Effect.succeed(
        success(request.id, {
          ...meta,
          ...uncached,
          supportedVersions: McpVersion.all,
          capabilities,
          ...instructionsOf(context.server)
        })
      )
    case "tools/list":
      return listTools(context, request, { ...meta, ...uncached })
    case "tools/call":
      return callTool(context, request, meta)
    default:
      return Effect.succeed(notFound(request))
  }
}
