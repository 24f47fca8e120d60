import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { FrontdeskHttp } from "@frontdesk/http"
import * as RequestId from "@frontdesk/http/request/RequestId"

/** An answer to what is no request that the API could be asked. */
interface Refusal {
  readonly status: number
  readonly error: string
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

const malformed: Refusal = { status: 400, error: "invalid_parameter", message: "The request is not valid HTTP/1.1" }
const withoutHost: Refusal = { status: 400, error: "invalid_parameter", message: "The header Host is required" }
const late: Refusal = { status: 408, error: "request_timeout", message: "The request did not arrive in time" }
const unmet: Refusal = { status: 417, error: "invalid_parameter", message: "Only Expect: 100-continue can be met" }
const noTunnel: Refusal = {
  status: 405,
  error: "method_not_allowed",
  message: "This server opens no tunnels",
  headers: { allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" }
}

/** What is answered to what the parser found, by its code. */
const found: ReadonlyMap<unknown, Refusal> = new Map([
  ["HPE_HEADER_OVERFLOW", { status: 431, error: "payload_too_large", message: "The URL and headers are too large" }],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", { status: 413, error: "payload_too_large", message: "A chunk is too large" }],
  ["ERR_HTTP_REQUEST_TIMEOUT", late]
])

/** How long what still arrives is taken and dropped, in milliseconds: to close before would lose the answer. */
const linger = 1_000

const headersOf = ({ headers }: Refusal, requestId: string) => ({
  ...headers,
  "x-request-id": requestId,
  "cache-control": "no-store",
  connection: "close"
})

const bodyOf = ({ error, message }: Refusal): string => JSON.stringify({ error, message })

/** A refusal as the bytes of HTTP/1.1, where there is no `ServerResponse` to write it with. */
const bytesOf = (refusal: Refusal, requestId: string): string => {
  const body = bodyOf(refusal)
  const headers = {
    ...headersOf(refusal, requestId),
    date: new Date().toUTCString(),
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body)
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}\r\n${lines.join("")}\r\n${body}`
}

const hangUp = (stream: Duplex, lastWords = ""): void => {
  stream.end(lastWords)
  stream.resume()
  setTimeout(() => stream.destroy(), linger).unref()
}

/** Whether a request has arrived wholly and been answered wholly. */
const isOver = ({ req, writableFinished }: ServerResponse): boolean => req.complete && writableFinished

/**
 * Answers in the form of the API what a server of Node would answer by itself, without a body and a request id, or not
 * at all (Decisions 2, "Error body" and `X-Request-Id`): what cannot be parsed, what does not arrive in time, `Expect`,
 * `CONNECT`, and a request without `Host`, which the server must be told to let through.
 *
 * Answers the app to serve instead of the given one. Nothing is logged: what cannot be parsed may hold a key.
 */
export const handle = Effect.fnUntraced(function* (server: Server, app: FrontdeskHttp.App) {
  const requestId = yield* RequestId.make
  const refusals = new WeakMap<object, Refusal>()
  const broken = new WeakSet<Duplex>()
  const exchanges = new WeakMap<Duplex, Set<ServerResponse>>()
  /** The exchanges of a connection that are not over, in order. */
  const openOn = (connection: Duplex): ReadonlyArray<ServerResponse> =>
    [...(exchanges.get(connection) ?? [])].filter((response) => !isOver(response))

  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    exchanges.set(request.socket, new Set([...openOn(request.socket), response]))
    // RFC 9112, 3.2: only the versions before may leave it out.
    if (request.httpVersion === "1.1" && request.headers.host === undefined) refusals.set(request, withoutHost)
  }

  /** Refuses once the requests before, which are none of the fault, have been answered. */
  const refuse = (connection: Duplex, stream: Duplex, refusal: Refusal, request?: IncomingMessage): void => {
    const open = openOn(connection)
    const before = open.find(({ req }) => req.complete)
    if (before !== undefined) {
      before.once("close", () => refuse(connection, stream, refusal, request))
      return
    }
    // Whoever ended it is sending the last answer still.
    if (stream.writableEnded) return
    const [present] = open
    if (!stream.writable) stream.destroy()
    else if (present?.headersSent !== true) {
      const sent = (request ?? present?.req)?.headers["x-request-id"]
      hangUp(stream, bytesOf(refusal, requestId(typeof sent === "string" ? sent : undefined)))
    } else if (present.writableFinished) hangUp(stream)
    else stream.destroy()
  }

  server.on("request", begin)
  server.on("checkContinue", begin)
  server.on("checkExpectation", (request, response) => {
    refusals.set(request, unmet)
    server.emit("request", request, response)
  })
  server.on("connect", (request, stream) => {
    stream.on("error", () => stream.destroy())
    refuse(request.socket, stream, noTunnel, request)
  })
  server.on("clientError", (error, socket) => {
    // Everything after a fault is a fault again; one answer, and one that waits, is enough.
    if (broken.has(socket)) return
    broken.add(socket)
    refuse(socket, socket, found.get("code" in error ? error.code : undefined) ?? malformed)
  })

  const guarded: FrontdeskHttp.App = Effect.flatMap(HttpServerRequest, ({ headers, source }) => {
    const refusal = refusals.get(source)
    if (refusal === undefined) return app
    const options = {
      status: refusal.status,
      headers: headersOf(refusal, requestId(headers["x-request-id"])),
      contentType: "application/json"
    }
    return Effect.succeed(HttpServerResponse.text(bodyOf(refusal), options))
  })
  return guarded
})
