import * as Headers from "effect/http/Headers"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
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
}

/** An answer that is JSON. */
export const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) })

/** The answer to a problem (Decisions 2, "Error body"). */
export const problemAnswer = ({ code, details, message }: Problem): Answer =>
  json(statusOf(code), { error: code, message, ...(details === undefined ? {} : { details }) })

/** The response to an exchange. */
export const respond = (
  { headers }: { readonly headers?: Readonly<Record<string, string>> },
  { body, contentType, status }: Answer
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, { status, headers, contentType: contentType ?? "application/json" })

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
