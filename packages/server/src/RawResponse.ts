import { STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { securityHeaders } from "@frontdesk/http/request/Exchange"

/** An answer that ends its connection, to a request that the API does not answer itself. */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the headers of a refusal that any way of writing it needs. */
export const headersOf = ({ headers }: Refusal, requestId: string) => ({
  ...headers,
  "x-request-id": requestId,
  ...securityHeaders,
  "cache-control": "no-store",
  connection: "close"
})

/** Returns the body of a refusal (D-ERR-18). */
export const bodyOf = ({ error, message }: Refusal): string => JSON.stringify({ error, message })

/**
 * Returns a refusal as the bytes of HTTP/1.1, where there is no `ServerResponse` to write it with. An answer to HEAD has
 * the headers of the body and no body: a client would take its bytes for another answer.
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

/**
 * How long bytes that still arrive are read and dropped after the last answer, in milliseconds. Closing a connection that
 * has unread bytes resets it, and the caller may lose the answer.
 */
const linger = 1_000

/** Sends the last words of a connection and closes it. */
export const hangUp = (stream: Duplex, lastWords = ""): void => {
  stream.end(lastWords)
  stream.resume()
  setTimeout(() => stream.destroy(), linger).unref()
}
