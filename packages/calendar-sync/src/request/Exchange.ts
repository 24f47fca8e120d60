import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { Buffer } from "node:buffer"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"

/** What came back, whatever its status. */
export interface Answer {
  /** What was asked, for messages: the method and the URL without its query. */
  readonly asked: string
  readonly status: number
  /** Their names are in lower case. */
  readonly headers: Headers.Headers
  readonly body: string
  /** How the body begins, for messages; the credentials of the request are blotted out. */
  readonly excerpt: string
}

/** What one request may cost. */
export interface RequestLimits {
  /** From the connection to the last byte of the answer. */
  readonly timeout: Duration.Duration
  /** The most bytes of an answer's body, after unpacking. */
  readonly maxBytes: number
}

/** Ten seconds and 10 MiB. */
export const defaultLimits: RequestLimits = { timeout: Duration.seconds(10), maxBytes: 10 * 1024 * 1024 }

/** The limits in use; {@link defaultLimits} unless others are provided. */
export const CurrentRequestLimits: Context.Reference<RequestLimits> = Context.Reference<RequestLimits>(
  "@frontdesk/calendar-sync/request/RequestLimits",
  { defaultValue: () => defaultLimits }
)

/**
 * Sends one request, once, and reads the answer to its end. A redirect is an answer and is not followed, so that
 * credentials go where they were sent.
 *
 * Fails with `transport` when there is no whole answer in time, and with `invalid` when it is too big. No error holds a
 * header of the request, its body, or the query of its URL.
 */
export const send = Effect.fn("Exchange.send")(function* (
  request: HttpClientRequest.HttpClientRequest
): Effect.fn.Return<Answer, CalendarSyncError, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  const { maxBytes, timeout } = yield* CurrentRequestLimits
  const asked = `${request.method} ${request.url.replace(/[?#].*$/s, "")}`
  const failure = (reason: "invalid" | "transport", says: string) =>
    new CalendarSyncError({ reason, cause: `${asked}: ${says}` })
  const lost = (error: HttpClientError.HttpClientError) =>
    failure("transport", `no whole answer${codeOf(error.reason)}`)

  const exchange = Effect.gen(function* () {
    const response = yield* Effect.mapError(client.execute(request), lost)
    const chunks: Array<Uint8Array> = []
    let size = 0
    yield* response.stream.pipe(
      // An answer without a body, such as 204, is whole.
      Stream.catchIf(
        ({ reason }) => reason._tag === "EmptyBodyError",
        () => Stream.empty
      ),
      Stream.mapError(lost),
      Stream.runForEach((chunk) => {
        size += chunk.length
        if (size > maxBytes) return failure("invalid", `an answer of more than ${maxBytes} bytes`)
        chunks.push(chunk)
        return Effect.void
      })
    )
    const body = new TextDecoder().decode(Buffer.concat(chunks))
    const shown = excerpt(body, secretsOf(request.headers["authorization"] ?? ""))
    return { asked, status: response.status, headers: response.headers, body, excerpt: shown }
  })

  return yield* exchange.pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => failure("transport", `no whole answer in ${Duration.format(timeout)}`)
    }),
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
    // Headers of tracing are nobody's business outside.
    Effect.provideService(HttpClient.TracerPropagationEnabled, false)
  )
})

/** The code of the innermost cause that has one. Its text is left out: it may quote a header. */
const codeOf = (error: unknown): string => {
  let code = ""
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    if ("code" in cause && typeof cause.code === "string") code = ` (${cause.code})`
  }
  return code
}

/** What of an `Authorization` header must not be shown: a token, or the password in clear and as it is sent. */
const secretsOf = (authorization: string): ReadonlyArray<string> => {
  const token = authorization.replace(/^\S+\s+/, "")
  const password = Result.getOrElse(Base64.decodeString(token), () => "").replace(/^[^:]*:/, "")
  return [token, password]
}

/** How a text begins, on one line and without these secrets: what came from outside may quote them. */
export const excerpt = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets
    .reduce((shown, secret) => (secret === "" ? shown : shown.replaceAll(secret, "…")), text)
    .replace(/[\s\p{C}]+/gu, " ")
    .trim()
    .slice(0, 300)

/** Has a request take effect only while what it changes has this ETag (RFC 9110 13.1.1); null: in any case. */
export const ifMatch = (
  etag: string | null
): ((request: HttpClientRequest.HttpClientRequest) => HttpClientRequest.HttpClientRequest) =>
  etag === null ? (request) => request : HttpClientRequest.setHeader("if-match", etag)
