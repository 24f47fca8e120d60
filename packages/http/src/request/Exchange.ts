import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { statusOf } from "../ErrorCode.ts"
import type { Problem } from "../ErrorTable.ts"

/** What is answered: a status and the text of a body. */
export interface Answer {
  readonly status: number
  readonly body: string
  /** Absent: JSON. */
  readonly contentType?: string
}

/** One request and the headers its answer will carry, whatever the answer is. */
export interface Exchange {
  readonly requestId: string
  /** What the request turned out to ask for; "none" where no route was found. */
  operation: string
  readonly headers: Record<string, string>
  /** Lets others have their turn before a part of a large body is sent. */
  turn: Effect.Effect<void>
}

/** An answer that is JSON. */
export const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) })

/** The answer to a problem (D-ERR-18). */
export const problemAnswer = ({ code, details, message }: Problem): Answer =>
  json(statusOf(code), { error: code, message, ...(details === undefined ? {} : { details }) })

/** A body with more characters is sent in parts. */
const largeLength = 262_144

/** How many bytes of a large body are handed to the connection at once. */
const partSize = 65_536

/**
 * Returns the response to an exchange. A large body is sent in parts, each after a turn: to hand 2 MiB to a connection
 * takes ten milliseconds.
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
 * Returns a response that was made elsewhere, with the headers of the exchange. Where both have one the response's counts;
 * `Vary` has both.
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
 * What every answer says to browsers: that its type is the one it names, that no page may frame it, and that it loads and
 * refers to nothing. A page says what it needs instead.
 */
export const securityHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer"
} as const
