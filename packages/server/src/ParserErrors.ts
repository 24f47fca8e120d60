import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { isIPv6 } from "node:net"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import * as RequestId from "@frontdesk/http/request/RequestId"
import type { Exchanges } from "./OpenRequests.ts"
import { bodyOf, bytesOf, endAfterAnswer, hangUp, headersOf, type Refusal } from "./RawResponse.ts"

const refused = (message: string): Refusal => ({ status: 400, error: "invalid_parameter", message })
const malformed = refused("The request is not valid HTTP/1.1")
const withoutHost = refused("The header Host is required")
const badHost = refused("The header Host must be a host, with or without a port")
const repeated = refused("The headers Host and Authorization must each be sent only once")
const otherVersion = refused("The version of HTTP must be 1.0 or 1.1")
const otherCoding = refused("The only transfer coding that the server accepts is chunked")
const late: Refusal = { status: 408, error: "request_timeout", message: "The request did not arrive in time" }
const unmet: Refusal = {
  status: 417,
  error: "invalid_parameter",
  message: "The only expectation that the server meets is Expect: 100-continue"
}
const noTunnel: Refusal = {
  status: 405,
  error: "method_not_allowed",
  message: "This server opens no tunnels",
  headers: { allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" }
}

/** The answers to errors of Node's parser, by the code of the error. Any other code is answered as malformed. */
const refusalsByCode: ReadonlyMap<unknown, Refusal> = new Map([
  ["HPE_HEADER_OVERFLOW", { status: 431, error: "payload_too_large", message: "The URL and headers are too large" }],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", { status: 413, error: "payload_too_large", message: "A chunk is too large" }],
  ["ERR_HTTP_REQUEST_TIMEOUT", late]
])

/** Headers of which Node uses the first value and drops the others. A proxy in front of it may have used the last one. */
const single: ReadonlySet<string> = new Set(["host", "authorization"])

/** The lengths of their names. Most names of headers have another length. */
const singleLengths: ReadonlySet<number> = new Set([...single].map((name) => name.length))

/** Matches a name, an IPv4 address or an address in brackets, each with an optional port. */
const hostParts = /^(?:[\w.~!$&'()*+;=%-]*|\[([\da-f:.]+|v[\da-f]+\.[\w.~!$&'()*+;=:-]+)\])(?::(\d*))?$/i

const maxPort = 65_535

/**
 * Returns whether a value of `Host` (RFC 9110, 7.2) is empty or a name, an IPv4 address or an address in brackets, with or
 * without a port. Programs disagree about the meaning of white space, commas, slashes or a user in it.
 */
const isHost = (value: string): boolean => {
  const [whole, address, port = ""] = hostParts.exec(value) ?? []
  if (whole === undefined || Number(port) > maxPort) return false
  return address === undefined || isIPv6(address) || address.toLowerCase().startsWith("v")
}

const isRepeated = ({ rawHeaders }: IncomingMessage): boolean => {
  const seen: Array<string> = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name === undefined || !singleLengths.has(name.length)) continue
    const lower = name.toLowerCase()
    if (!single.has(lower)) continue
    if (seen.includes(lower)) return true
    seen.push(lower)
  }
  return false
}

/** The known parts of a request that is refused. */
type Refused = Pick<Partial<IncomingMessage>, "headers" | "method">

/** Returns the first 16 of the bytes in which the parser found an error; empty when Node does not report them. */
const packetOf = (error: Error): string =>
  "rawPacket" in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString("latin1", 0, 16) : ""

/** Returns the refusal of a request that Node's parser accepts and Frontdesk does not; undefined for a good request. */
const faultOf = (request: IncomingMessage): Refusal | undefined => {
  const { headers, httpVersion } = request
  const coding = headers["transfer-encoding"]
  if (httpVersion !== "1.0" && httpVersion !== "1.1") return otherVersion
  // RFC 9112, 3.2: only HTTP/1.0 may omit it.
  if (httpVersion === "1.1" && headers.host === undefined) return withoutHost
  if (headers.host !== undefined && !isHost(headers.host)) return badHost
  if (isRepeated(request)) return repeated
  return coding === undefined || coding.toLowerCase() === "chunked" ? undefined : otherCoding
}

/**
 * Lets the server answer requests that never reach the API with the API's error body and `X-Request-Id` (D-ERR-18,
 * D-HTTP-11). Node by itself would accept some of them, and answer the others without a body or not at all.
 *
 * - Bytes that are not a request, requests that do not arrive in time, `Expect` and `CONNECT`.
 * - A request without `Host`. The server must be created with `requireHostHeader: false`, or Node answers it first.
 * - Requests that a proxy could read differently than Node does: repeated headers, other versions, other codings.
 *
 * Returns the function that answers requests which Node accepts. Nothing is logged, because an unparsable request may
 * contain a key.
 */
export const handle = Effect.fnUntraced(function* (server: Server, { openOn }: Exchanges) {
  const requestId = yield* RequestId.make
  const refusals = new WeakMap<object, Refusal>()
  const broken = new WeakSet<Duplex>()

  const begin = (request: IncomingMessage): void => {
    const fault = faultOf(request)
    if (fault !== undefined) refusals.set(request, fault)
  }

  /** Refuses a request after the earlier requests of its connection, which are valid, have been answered. */
  const refuse = (connection: Duplex, stream: Duplex, refusal: Refusal, refused: Refused = {}): void => {
    const open = openOn(connection)
    const before = open.find(({ req }) => req.complete)
    if (before !== undefined) {
      before.once("close", () => refuse(connection, stream, refusal, refused))
      return
    }
    // The last answer of this connection is already being sent.
    if (stream.writableEnded) return
    const [present] = open
    if (!stream.writable) stream.destroy()
    else if (present?.headersSent !== true) {
      const { headers, method } = refused.headers === undefined ? (present?.req ?? refused) : refused
      const sent = headers?.["x-request-id"]
      hangUp(stream, bytesOf(refusal, requestId(typeof sent === "string" ? sent : undefined), method))
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
    // After one error the parser reports an error for everything that follows. Only the first one is answered.
    if (broken.has(socket)) return
    broken.add(socket)
    const [method] = /^[A-Z]+(?= )/.exec(packetOf(error)) ?? []
    refuse(
      socket,
      socket,
      refusalsByCode.get("code" in error ? error.code : undefined) ?? malformed,
      method === undefined ? {} : { method }
    )
  })

  /** Sends the answer to a request that Node's parser accepts and Frontdesk does not. Returns whether it was one. */
  const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const refusal = refusals.get(request)
    if (refusal === undefined) return false
    const sent = request.headers["x-request-id"]
    const body = bodyOf(refusal)
    response.writeHead(refusal.status, {
      ...headersOf(refusal, requestId(typeof sent === "string" ? sent : undefined)),
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body)
    })
    endAfterAnswer(request.socket)
    response.end(request.method === "HEAD" ? undefined : body)
    request.resume()
    return true
  }
  return { answer }
})
