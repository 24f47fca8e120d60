import type { NodeHandler, NodeRequest, NodeResponse } from "../types/mount.ts"
import { failure, isBelow, requestOf, type Respond } from "./Incoming.ts"

/** Returns the handler of a mount for `node:http`, Express and Nest. */
export const nodeHandler =
  (respond: Respond, basePath: string): NodeHandler =>
  (incoming, outgoing, next) => {
    const target = targetOf(incoming)
    if (next !== undefined && !isBelow(basePath, target.path)) return next()
    const aborting = new AbortController()
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) aborting.abort()
    })
    const body = arriving(incoming)
    const request = webRequest(incoming, target, body?.stream, aborting.signal)
    void (
      request === undefined
        ? Promise.resolve(failure(400, "invalid_request", "The request has an invalid URL, header or method"))
        : respond({ request, source: incoming, remoteAddress: addressOf(incoming) })
    )
      .then((response) => send(outgoing, response))
      .then(() => body?.discard())
      .catch(() => outgoing.destroy())
  }

/** What a request asks for. */
interface Target {
  /** The host and port, when the target names them. They then replace the header `Host` (RFC 9112, 3.2.2). */
  readonly authority: string | undefined
  /** The path and query. */
  readonly path: string
}

/** Matches the absolute form of a target, which clients send to a proxy. */
const absoluteForm = /^https?:\/\/([^/?#]*)/i

/** Returns the target of a request. Express removes the path of the mount from `url`. */
const targetOf = (incoming: NodeRequest): Target => {
  const original = "originalUrl" in incoming ? incoming.originalUrl : undefined
  const url = typeof original === "string" ? original : (incoming.url ?? "/")
  const [start = "", authority] = absoluteForm.exec(url) ?? []
  const path = url.slice(start.length)
  return { authority, path: authority === undefined || path.startsWith("/") ? path : `/${path}` }
}

/** Returns the address of the client. Express and Fastify know it behind a proxy that the program trusts. */
const addressOf = (incoming: NodeRequest): string | undefined =>
  "ip" in incoming && typeof incoming.ip === "string" ? incoming.ip : incoming.socket.remoteAddress

/** Returns the request in the form of the Fetch standard, or undefined when that has no such request. */
const webRequest = (
  incoming: NodeRequest,
  target: Target,
  body: ReadableStream<Uint8Array> | undefined,
  signal: AbortSignal
): Request | undefined => {
  const { headers, method = "GET", socket } = incoming
  // The host of a request in HTTP/2.
  const { ":authority": authority } = headers
  const scheme = "encrypted" in socket && socket.encrypted === true ? "https" : "http"
  try {
    const copied = new Headers()
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined && !name.startsWith(":")) {
        copied.set(name, Array.isArray(value) ? value.join(", ") : String(value))
      }
    }
    if (target.authority !== undefined) copied.set("host", target.authority)
    const host = copied.get("host") ?? (typeof authority === "string" ? authority : "localhost")
    // The rest of such a host would be taken for the path, past the routes of the program. Instead of an empty host, the path
    // would be taken for one.
    if (host === "" || /[/\\?#]/.test(host)) return undefined
    const url = `${scheme}://${host}${target.path}`
    if (!incoming.readableDidRead) return requestOf(url, { method, headers: copied, body, signal })
    const parsed = parsedBody(incoming)
    copied.set("content-length", String(parsed.length))
    copied.delete("content-encoding")
    copied.delete("transfer-encoding")
    return requestOf(url, { method, headers: copied, body: parsed, signal })
  } catch {
    return undefined
  }
}

interface ArrivingBody {
  readonly stream: ReadableStream<Uint8Array>
  /** Ends the body. What still arrives is discarded, because it would stop the next request of the connection. */
  readonly discard: () => void
}

/**
 * Returns the body that arrives, or undefined for a request without one. It leaves the connection open when it is not read
 * to its end. Node's own conversions would close it, and the client would not receive the answer that its body is too large.
 */
const arriving = (incoming: NodeRequest): ArrivingBody | undefined => {
  const { "content-length": length, "transfer-encoding": encoding } = incoming.headers
  // In HTTP/2 a body needs neither header.
  const mayHaveBody = length !== undefined || encoding !== undefined || incoming.httpVersion === "2.0"
  if (incoming.readableDidRead || !mayHaveBody) return undefined
  let isOpen = true
  let isStarted = false
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const end = (finish: () => void) => {
      if (isOpen) finish()
      isOpen = false
    }
    incoming.on("data", (chunk) => {
      if (!isOpen) return
      controller.enqueue(chunk)
      incoming.pause()
    })
    incoming.on("end", () => end(() => controller.close()))
    incoming.on("error", (error) => end(() => controller.error(error)))
    incoming.on("close", () => end(() => controller.error(new Error("The body did not arrive completely"))))
  }
  const discard = () => {
    isOpen = false
    incoming.resume()
  }
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (!isStarted) start(controller)
    isStarted = true
    incoming.resume()
  }
  // With a mark of 0, nothing is read before the body is needed.
  return { stream: new ReadableStream({ pull, cancel: discard }, { highWaterMark: 0 }), discard }
}

/**
 * Returns the body that a parser of the program has read before. Some parsers store it unchanged as `rawBody`. A parsed
 * body is written again: a form, as Twilio sends it, as a form, and any other as JSON.
 */
const parsedBody = (incoming: NodeRequest): Uint8Array<ArrayBuffer> => {
  const [raw, parsed] = (["rawBody", "body"] as const).map((name): unknown => Reflect.get(incoming, name))
  const body = raw ?? parsed
  if (body instanceof Uint8Array) return new Uint8Array(body)
  return new TextEncoder().encode(typeof body === "string" ? body : body === undefined ? "" : written(body, incoming))
}

const written = (body: unknown, { headers }: NodeRequest): string => {
  const isForm = String(headers["content-type"]).startsWith("application/x-www-form-urlencoded")
  if (!isForm || typeof body !== "object" || body === null) return JSON.stringify(body)
  const fields = Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown): [string, string] => [name, String(one)])
  )
  return new URLSearchParams(fields).toString()
}

const send = async (outgoing: NodeResponse, response: Response): Promise<void> => {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body !== null) {
    // One listener for the whole body, and none for each chunk.
    const closed = new Promise<"closed">((resolve) => void outgoing.once("close", () => resolve("closed")))
    const chunks: AsyncIterable<Uint8Array> = response.body
    for await (const chunk of chunks) {
      if (outgoing.write(chunk)) continue
      const drained = new Promise<"drained">((resolve) => void outgoing.once("drain", () => resolve("drained")))
      if ((await Promise.race([drained, closed])) === "closed") return
    }
  }
  outgoing.end()
}
