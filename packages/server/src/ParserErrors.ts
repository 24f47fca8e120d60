import type { IncomingMessage, Server } from "node:http"
import { isIPv6 } from "node:net"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { FrontdeskHttp } from "@frontdesk/http"
import * as RequestId from "@frontdesk/http/request/RequestId"
import type { Exchanges } from "./OpenRequests.ts"
import { bodyOf, bytesOf, hangUp, headersOf, type Refusal } from "./RawResponse.ts"

const refused = (message: string): Refusal => ({ status: 400, error: "invalid_parameter", message })
const malformed = refused("The request is not valid HTTP/1.1")
const withoutHost = refused("The header Host is required")
const badHost = refused("The header Host must be a host, with or without a port")
const repeated = refused("The headers Host and Authorization can be sent once")
const otherVersion = refused("The version of HTTP must be 1.0 or 1.1")
const otherCoding = refused("The only transfer coding that is read is chunked")
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

/** Headers of which Node takes the first and drops the others, where a proxy before it may have gone by the last. */
const single: ReadonlySet<string> = new Set(["host", "authorization"])

/** A name or an IPv4 address, or what stands in brackets, and the port. */
const hostParts = /^(?:[\w.~!$&'()*+;=%-]*|\[([\da-f:.]+|v[\da-f]+\.[\w.~!$&'()*+;=:-]+)\])(?::(\d*))?$/i

const maxPort = 65_535

/**
 * Whether a value of `Host` (RFC 9110, 7.2) is empty, or a name, an IPv4 address or an address in brackets, with or without
 * a port. White space, commas, slashes or a user in it are read in different ways by different programs.
 */
const isHost = (value: string): boolean => {
  const [whole, address, port = ""] = hostParts.exec(value) ?? []
  if (whole === undefined || Number(port) > maxPort) return false
  return address === undefined || isIPv6(address) || address.toLowerCase().startsWith("v")
}

const isRepeated = ({ rawHeaders }: IncomingMessage): boolean => {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  return names.some((name, index) => single.has(name) && names.indexOf(name) !== index)
}

/** What is known of a request that is refused. */
type Refused = Pick<Partial<IncomingMessage>, "headers" | "method">

/** The beginning of the bytes in which the parser found a fault; empty when they are not known. */
const packetOf = (error: Error): string =>
  "rawPacket" in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString("latin1", 0, 16) : ""

/** Returns what is wrong with a request that the parser lets through. */
const faultOf = (request: IncomingMessage): Refusal | undefined => {
  const { headers, httpVersion } = request
  const coding = headers["transfer-encoding"]
  if (httpVersion !== "1.0" && httpVersion !== "1.1") return otherVersion
  // RFC 9112, 3.2: only 1.0 may leave it out.
  if (httpVersion === "1.1" && headers.host === undefined) return withoutHost
  if (headers.host !== undefined && !isHost(headers.host)) return badHost
  if (isRepeated(request)) return repeated
  return coding === undefined || coding.toLowerCase() === "chunked" ? undefined : otherCoding
}

/**
 * Answers in the form of the API what a server of Node would answer by itself, without a body and a request id, or not
 * at all (D-ERR-18 and `X-Request-Id`): what cannot be parsed, what does not arrive in time, `Expect`,
 * `CONNECT`, and a request without `Host`, which the server must be told to let through. Also refuses what the parser lets
 * through and what another server on the way may read in another way: repeated headers, other versions and codings.
 *
 * Returns the app to serve instead of the given one. Nothing is logged: what cannot be parsed may hold a key.
 */
export const handle = Effect.fnUntraced(function* (server: Server, { openOn }: Exchanges, app: FrontdeskHttp.App) {
  const requestId = yield* RequestId.make
  const refusals = new WeakMap<object, Refusal>()
  const broken = new WeakSet<Duplex>()

  const begin = (request: IncomingMessage): void => {
    const fault = faultOf(request)
    if (fault !== undefined) refusals.set(request, fault)
  }

  /** Refuses once the requests before, which are none of the fault, have been answered. */
  const refuse = (connection: Duplex, stream: Duplex, refusal: Refusal, refused: Refused = {}): void => {
    const open = openOn(connection)
    const before = open.find(({ req }) => req.complete)
    if (before !== undefined) {
      before.once("close", () => refuse(connection, stream, refusal, refused))
      return
    }
    // Whoever ended it is sending the last answer still.
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
    // Everything after a fault is a fault again; one answer, and one that waits, is enough.
    if (broken.has(socket)) return
    broken.add(socket)
    const [method] = /^[A-Z]+(?= )/.exec(packetOf(error)) ?? []
    refuse(
      socket,
      socket,
      found.get("code" in error ? error.code : undefined) ?? malformed,
      method === undefined ? {} : { method }
    )
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
