import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Toolbox } from "../tool/Toolbox.ts"
import { parseJson } from "../wire/Json.ts"
import {
  codes,
  failure,
  type JsonRpcError,
  type JsonRpcId,
  type JsonRpcMessage,
  type JsonRpcResponse,
  read
} from "./JsonRpc.ts"
import { answer, answerStateless, type McpContext, type McpServerInfo } from "./McpMethods.ts"
import * as McpVersion from "./McpVersion.ts"

/** An HTTP request. */
export interface McpRequest {
  readonly method: string
  /** The headers, with names in lower case. */
  readonly headers: McpVersion.Headers
  readonly body: string
}

/** An HTTP response. */
export interface McpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Empty when the response has no content. */
  readonly body: string
}

/** Options of {@link handle}. */
export interface McpOptions extends McpServerInfo {
  /** The origins of web pages that may use the server. Default: none. Programs send no `Origin`, and may always use it. */
  readonly allowedOrigins?: ReadonlyArray<string> | undefined
  /** The maximum size of a body in bytes. Default: 256 KiB. */
  readonly maxBytes?: number | undefined
}

/** The default of {@link McpOptions.maxBytes}. */
export const defaultMaxBytes = 262_144

/** The maximum number of messages in a batch. */
export const maxBatch = 20

const json = (status: number, body: JsonRpcResponse | ReadonlyArray<JsonRpcResponse>): McpResponse => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body: JSON.stringify(body)
})

const empty = (status: number, headers: Readonly<Record<string, string>> = {}): McpResponse => ({
  status,
  headers,
  body: ""
})

const rejected = (status: number, error: JsonRpcError, id: JsonRpcId | null = null): McpResponse =>
  json(status, failure(id, error))

const invalid = (message: string): JsonRpcError => ({ code: codes.invalidRequest, message })

/** Returns the response 400 to a request that is wrong apart from its messages. */
export const invalidRequest = (message: string): McpResponse => rejected(400, invalid(message))

/** A request whose body is parsed. */
export interface McpExchange {
  /** The messages of the body, not yet decoded. Empty when the request is rejected as a whole. */
  readonly messages: ReadonlyArray<unknown>
  /**
   * Returns the response.
   *
   * @param toolbox the tools of the caller. Only requests for tools run it
   */
  readonly answer: <R = never, R1 = never>(
    toolbox: Effect.Effect<Toolbox<R>, never, R1>
  ) => Effect.Effect<McpResponse, never, R | R1>
}

/** Returns the exchange of a request that is rejected as a whole. */
export const rejecting = (response: McpResponse): McpExchange => ({
  messages: [],
  answer: () => Effect.succeed(response)
})

/** Parses a request. A program that must know the messages before it answers uses this in place of {@link handle}. */
export const receive =
  (options: McpOptions) =>
  (request: McpRequest): McpExchange => {
    const problem = problemOf(options, request)
    if (problem !== undefined) return rejecting(problem)
    const parsed = parseJson(request.body)
    if (Option.isNone(parsed)) {
      return rejecting(rejected(400, { code: codes.parseError, message: "The body is not JSON" }))
    }
    const { headers } = request
    const { value } = parsed
    if (!Array.isArray(value)) {
      return { messages: [value], answer: (toolbox) => answerMessage({ server: options, toolbox }, headers, value) }
    }
    const batchProblem = problemOfBatch(headers, value)
    return batchProblem === undefined
      ? { messages: value, answer: (toolbox) => answerBatch({ server: options, toolbox }, value.map(read)) }
      : rejecting(batchProblem)
  }

/**
 * Serves the tools of a caller to clients of the Model Context Protocol over Streamable HTTP, in every version of the
 * protocol. The caller must be authenticated before.
 *
 * The server has no sessions in any version, which the specification allows: it returns no `Mcp-Session-Id`, and stores
 * nothing between requests. So each request can go to another process, and a client that opens a session for each call
 * uses no memory. It opens no stream, so GET and DELETE are answered 405.
 *
 * @param toolbox the tools of the caller. Only requests for tools run it
 */
export const handle =
  (options: McpOptions) =>
  <R = never, R1 = never>(
    request: McpRequest,
    toolbox: Effect.Effect<Toolbox<R>, never, R1>
  ): Effect.Effect<McpResponse, never, R | R1> =>
    receive(options)(request).answer(toolbox)

/** Returns the response to a request that is rejected before its body is parsed, or undefined. */
const problemOf = (options: McpOptions, { body, headers, method }: McpRequest): McpResponse | undefined => {
  if (method !== "POST") return empty(405, { allow: "POST" })
  const { "content-type": type, origin } = headers
  // A page of another site could otherwise reach a server in the network of its visitor.
  if (origin !== undefined && !(options.allowedOrigins ?? []).includes(origin)) {
    return rejected(403, invalid("This origin is not allowed"))
  }
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
    return rejected(415, invalid("The content type must be application/json"))
  }
  const maxBytes = options.maxBytes ?? defaultMaxBytes
  return body.length > maxBytes || Utf8.encode(body).length > maxBytes
    ? rejected(413, invalid(`The body has more than ${maxBytes} bytes`))
    : undefined
}

const versionProblem = (headers: McpVersion.Headers): McpResponse | undefined => {
  const version = headers["mcp-protocol-version"]
  return version === undefined || McpVersion.all.includes(version)
    ? undefined
    : rejected(400, McpVersion.unsupported(version))
}

const answerMessage = <R = never, R1 = never>(
  context: McpContext<R, R1>,
  headers: McpVersion.Headers,
  value: unknown
): Effect.Effect<McpResponse, never, R | R1> => {
  const message = read(value)
  if (message._tag === "Invalid") {
    return Effect.succeed(rejected(400, invalid("The body is not a message of JSON-RPC 2.0"), message.id))
  }
  if (message._tag !== "Request") return Effect.succeed(versionProblem(headers) ?? empty(202))
  const { id, method, params } = message
  if (McpVersion.isStateless(headers, method, params)) {
    const problem = McpVersion.problemOf(headers, method, params)
    if (problem !== undefined) return Effect.succeed(rejected(400, problem, id))
    return Effect.map(answerStateless(context, message), (response) =>
      json("error" in response && response.error.code === codes.methodNotFound ? 404 : 200, response)
    )
  }
  // A client that offers a version has not agreed on one yet.
  const problem = method === "initialize" ? undefined : versionProblem(headers)
  return problem === undefined
    ? Effect.map(answer(context, message), (response) => json(200, response))
    : Effect.succeed(problem)
}

/** Returns the response to a batch that is rejected as a whole, or undefined. */
const problemOfBatch = (headers: McpVersion.Headers, values: ReadonlyArray<unknown>): McpResponse | undefined => {
  const reject = (message: string) => rejected(400, invalid(message))
  const problem = versionProblem(headers)
  if (problem !== undefined) return problem
  if (!McpVersion.hasBatches(headers)) return reject("This protocol version has no batches")
  if (values.length === 0 || values.length > maxBatch) return reject(`A batch has 1 to ${maxBatch} messages`)
  return values.map(read).some((message) => message._tag === "Request" && message.method === "initialize")
    ? reject("initialize cannot be part of a batch")
    : undefined
}

const answerBatch = <R = never, R1 = never>(
  context: McpContext<R, R1>,
  messages: ReadonlyArray<JsonRpcMessage>
): Effect.Effect<McpResponse, never, R | R1> =>
  Effect.gen(function* () {
    const toolbox = yield* Effect.cached(context.toolbox)
    const answers = yield* Effect.forEach(
      messages,
      (message): Effect.Effect<ReadonlyArray<JsonRpcResponse>, never, R | R1> => {
        if (message._tag === "Invalid") {
          return Effect.succeed([failure(message.id, invalid("This is not a message of JSON-RPC 2.0"))])
        }
        return message._tag === "Request"
          ? Effect.map(answer({ ...context, toolbox }, message), (response) => [response])
          : Effect.succeed([])
      },
      { concurrency: "unbounded" }
    )
    return answers.flat().length === 0 ? empty(202) : json(200, answers.flat())
  })
