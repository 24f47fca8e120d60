import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { statusOf } from "../ErrorCode.ts"
import type { Problem } from "../ErrorTable.ts"

/** The answer to a request: its status and the text of its body. */
export interface Answer {
  readonly status: number
  readonly body: string
  /** The media type of the body. Absent for JSON. */
  readonly contentType?: string
}

/** What is known of one request while it is handled. */
export interface Exchange {
  readonly requestId: string
  /** The operation of the request, or "none" before a route was found. */
  operation: string
  /** The headers of the response, whatever the answer will be. Each check adds its own. */
  readonly headers: Record<string, string>
  /** Lets other callers run before the next part of a large body is sent. */
  turn: Effect.Effect<void>
}

/** The answer to a request with everything that is sent. */
export interface ApiResponse {
  readonly status: number
  /** The headers by their names in lower case, without `Content-Length`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Lets other callers run before the next part of a large body is sent. */
  readonly turn: Effect.Effect<void>
}

/** Returns the answer with the headers of the exchange. */
export const responseOf = (
  { headers, turn }: Exchange,
  { body, contentType = "application/json", status }: Answer
): ApiResponse => {
  headers["content-type"] = contentType
  return { status, headers, body, turn }
}

/** Returns an answer with a JSON body. */
export const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) })

/** Returns the answer that reports a problem (D-ERR-18). */
export const problemAnswer = ({ code, details, message }: Problem): Answer =>
  json(statusOf(code), { error: code, message, ...(details === undefined ? {} : { details }) })

/** The number of characters above which a body is sent in parts. */
export const largeLength = 262_144

/** The size in bytes of a part of a large body. */
export const partSize = 65_536

/**
 * Returns the HTTP response for an answer, which is JSON unless the answer states another type (C-0-2). A large body is
 * sent in parts, and other callers run between two parts. Passing 2 MiB to a connection at once would block the thread
 * for ten milliseconds.
 */
export const respond = (
  {
    headers,
    turn = Effect.yieldNow
  }: Partial<Pick<Exchange, "turn">> & { readonly headers?: Readonly<Record<string, string>> },
  { body, contentType = "application/json", status }: Answer
): HttpServerResponse.HttpServerResponse => {
  const options = { status, headers, contentType }
  if (body.length <= largeLength) return HttpServerResponse.text(body, options)
  const bytes = Utf8.encode(body)
  const parts = Stream.unfold(0, (sent) =>
    sent >= bytes.length
      ? Effect.succeed(undefined)
      : Effect.as(turn, [bytes.subarray(sent, sent + partSize), sent + partSize] as const)
  )
  return HttpServerResponse.stream(parts, { ...options, contentLength: bytes.length })
}

/**
 * Returns the response of a plain route with the headers of the exchange added. Where both have a header, that of the
 * response is kept; `Vary` has the values of both.
 */
export const adopt = (
  { headers }: Exchange,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const varies = [headers["vary"], response.headers["vary"]].filter((value) => value !== undefined)
  return HttpServerResponse.setHeaders(
    response,
    Headers.fromInput({ ...headers, ...response.headers, ...(varies.length > 0 && { vary: varies.join(", ") }) })
  )
}

/**
 * The security headers of every response. Browsers do not guess another media type, do not show the response in a
 * frame, load nothing for it and send no referrer (D-HTTP-22). The documentation page replaces the content security policy.
 */
export const securityHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer"
} as const
