import { STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { securityHeaders } from "@frontdesk/http/request/Exchange"

/** An answer that closes its connection, to a request that never reaches the API. */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the headers of a refusal, without `Content-Type` and `Content-Length`. */
export const headersOf = ({ headers }: Refusal, requestId: string) => ({
  ...headers,
  "x-request-id": requestId,
  ...securityHeaders,
  "cache-control": "no-store",
  connection: "close"
})

/** Returns the body of a refusal as JSON (D-ERR-18). */
export const bodyOf = ({ error, message }: Refusal): string => JSON.stringify({ error, message })

/**
 * Returns a refusal as text in HTTP/1.1, for a connection without a `ServerResponse`. An answer to HEAD has the headers
 * of the body but no body, because a client would read the body as the next answer.
 */
export const bytesOf = (refusal: Refusal, requestId: string, method?: string): string => {
  const body = bodyOf(refusal)
  const headers = {
    ...headersOf(refusal, requestId),
    date: new Date().toUTCString(),
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body)
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}\r\n${lines.join("")}\r\n${method === "HEAD" ? "" : body}`
}

/** How long {@link hangUp} reads and drops bytes that still arrive, in milliseconds. */
const lingerTime = 1_000

/**
 * Writes the last bytes of a connection and closes it a second later. In between it drops whatever arrives: closing a
 * connection with unread bytes resets it, and the client could lose the answer.
 */
export const hangUp = (stream: Duplex, lastBytes = ""): void => {
  stream.end(lastBytes)
  stream.resume()
  setTimeout(() => stream.destroy(), lingerTime).unref()
}

/** Connections on which the server has begun its last answer. */
const ending = new WeakSet<Socket>()

/**
 * Marks the next answer of a connection as the last one, and closes the connection after it without a reset. The answer
 * has to announce this with `Connection: close`.
 */
export const endAfterAnswer = (socket: Socket): void => {
  ending.add(socket)
  // Node calls this after an answer with `Connection: close`. Its own version would reset a connection with unread bytes.
  socket.destroySoon = () => hangUp(socket)
}

/**
 * Returns whether the last answer of a connection was begun. It announced that the connection closes, so the client knows
 * that a later request was not executed, and can repeat it on another connection.
 */
export const isEnding = (socket: Socket): boolean => ending.has(socket)
