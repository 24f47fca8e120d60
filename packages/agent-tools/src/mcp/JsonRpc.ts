import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { JsonFields } from "../wire/Json.ts"

/** The id of a request. The answer repeats it. */
export const JsonRpcId = Schema.Union([Schema.String.check(Schema.isMaxLength(200)), Schema.Finite])

/** The id of a request. */
export type JsonRpcId = typeof JsonRpcId.Type

/** The parameters of a request, by name. */
export type Params = Readonly<Record<string, unknown>>

/** A request that needs an answer. */
export interface JsonRpcRequest {
  readonly _tag: "Request"
  readonly id: JsonRpcId
  readonly method: string
  readonly params: Params
}

/** A message of JSON-RPC 2.0. */
export type JsonRpcMessage =
  | JsonRpcRequest
  | { readonly _tag: "Notification"; readonly method: string; readonly params: Params }
  /** An answer of the client. This server sends no requests, so it needs none. */
  | { readonly _tag: "Response" }
  | { readonly _tag: "Invalid"; readonly id: JsonRpcId | null }

/** An error of JSON-RPC. */
export interface JsonRpcError {
  readonly code: number
  readonly message: string
  readonly data?: Schema.Json
}

/** The answer to a request. */
export type JsonRpcResponse = { readonly jsonrpc: "2.0"; readonly id: JsonRpcId | null } & (
  | { readonly result: JsonFields }
  | { readonly error: JsonRpcError }
)

/** The codes of errors: those of JSON-RPC, and two of MCP 2026-07-28. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedProtocolVersion: -32022
} as const

const ParamsSchema = Schema.Record(Schema.String, Schema.Unknown)

const decode = Schema.decodeUnknownOption(
  Schema.Struct({
    jsonrpc: Schema.Literal("2.0"),
    id: Schema.optionalKey(JsonRpcId),
    method: Schema.String.check(Schema.isBetweenLength(1, 200)),
    params: Schema.optionalKey(ParamsSchema)
  })
)

const isResponse = Schema.is(
  Schema.Union([
    Schema.Struct({ jsonrpc: Schema.Literal("2.0"), id: JsonRpcId, result: Schema.Unknown }),
    Schema.Struct({ jsonrpc: Schema.Literal("2.0"), error: Schema.Unknown })
  ])
)

const decodeId = Schema.decodeUnknownOption(Schema.Struct({ id: JsonRpcId }))

/** Returns a parsed JSON value as a message. A value that is not a message is `Invalid`, with its id when it has one. */
export const read = (value: unknown): JsonRpcMessage => {
  const decoded = decode(value)
  if (Option.isNone(decoded)) {
    if (isResponse(value)) return { _tag: "Response" }
    return { _tag: "Invalid", id: Option.match(decodeId(value), { onNone: () => null, onSome: ({ id }) => id }) }
  }
  const { id, method, params = {} } = decoded.value
  return id === undefined ? { _tag: "Notification", method, params } : { _tag: "Request", id, method, params }
}

/** Returns an answer with a result. */
export const success = (id: JsonRpcId, result: JsonFields): JsonRpcResponse => ({ jsonrpc: "2.0", id, result })

/** Returns an answer with an error. */
export const failure = (id: JsonRpcId | null, error: JsonRpcError): JsonRpcResponse => ({ jsonrpc: "2.0", id, error })
