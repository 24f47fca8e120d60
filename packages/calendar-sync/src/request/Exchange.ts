import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Tracing from "@frontdesk/core/values/Tracing"
import { Buffer } from "node:buffer"
import { isIP } from "node:net"
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

/** A complete answer to a request, with any status. */
export interface Answer {
  /** The method and the URL of the request without its query, for messages. */
  readonly requestLine: string
  readonly status: number
  /** The headers. Their names are in lower case. */
  readonly headers: Headers.Headers
  readonly body: string
  /** The first 300 characters of the body on one line, for messages. The credentials of the request are replaced by `…`. */
  readonly excerpt: string
}

/** The limits of one request. */
export interface RequestLimits {
  /** The timeout from the connection to the last byte of the answer. */
  readonly timeout: Duration.Duration
  /** The maximum size of an answer's body in bytes, after decompression. */
  readonly maxBytes: number
}

/** The default limits: 10 seconds and 10 MiB. */
export const defaultLimits: RequestLimits = { timeout: Duration.seconds(10), maxBytes: 10 * 1024 * 1024 }

/** The limits that {@link send} applies. Default: {@link defaultLimits}. */
export const CurrentRequestLimits: Context.Reference<RequestLimits> = Context.Reference<RequestLimits>(
  "@frontdesk/calendar-sync/request/RequestLimits",
  { defaultValue: () => defaultLimits }
)

/**
 * Sends a request once, and returns the complete answer, whatever its status. A redirect is returned and not followed, so
 * that the credentials reach no other server.
 *
 * Fails with `transport` when there is no complete answer within the timeout. Fails with `invalid` when the answer is too
 * large. Errors contain no header, body or query of the request.
 */
export const send = Tracing.operation("Exchange.send")(function* (
  request: HttpClientRequest.HttpClientRequest
): Effect.fn.Return<Answer, CalendarSyncError, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  const { maxBytes, timeout } = yield* CurrentRequestLimits
  const requestLine = `${request.method} ${request.url.replace(/[?#].*$/s, "")}`
  const failure = (reason: "invalid" | "transport", problem: string, isForbiddenAddress = false) =>
    new CalendarSyncError({ reason, isForbiddenAddress, cause: `${requestLine}: ${problem}` })
  const lost = (error: HttpClientError.HttpClientError) => {
    const code = codeOf(error.reason)
    return failure("transport", `no complete answer${code}`, code.includes(refusedCode) && statesAddress(request.url))
  }

  const exchange = Effect.gen(function* () {
    const response = yield* Effect.mapError(client.execute(request), lost)
    const chunks: Array<Uint8Array> = []
    let size = 0
    yield* response.stream.pipe(
      // An answer without a body, such as 204, is complete.
      Stream.catchIf(
        ({ reason }) => reason._tag === "EmptyBodyError",
        () => Stream.empty
      ),
      Stream.mapError(lost),
      Stream.runForEach((chunk) => {
        size += chunk.length
        if (size > maxBytes) return failure("invalid", `the answer has more than ${maxBytes} bytes`)
        chunks.push(chunk)
        return Effect.void
      })
    )
    const body = new TextDecoder().decode(Buffer.concat(chunks))
    const shown = excerpt(body, secretsOf(request.headers["authorization"] ?? ""))
    return { requestLine, status: response.status, headers: response.headers, body, excerpt: shown }
  })

  return yield* exchange.pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => failure("transport", `no complete answer within ${Duration.format(timeout)}`)
    }),
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
    // Tracing headers would disclose internal identifiers to the provider.
    Effect.provideService(HttpClient.TracerPropagationEnabled, false)
  )
})

/** The code with which a client refuses an address that is not public (`CaldavHttpClient`). */
const refusedCode = "ADDRESS_REFUSED"

/** Returns whether the host of a URL is an address and not a name, which a name server would have to be asked for. */
const statesAddress = (text: string): boolean =>
  isIP((URL.parse(text)?.hostname ?? "").replace(/^\[(.*)\]$/, "$1")) !== 0

/** Returns the code of the innermost cause that has one, in brackets. The text is omitted, because it may quote a header. */
const codeOf = (error: unknown): string => {
  let code = ""
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    if ("code" in cause && typeof cause.code === "string") code = ` (${cause.code})`
  }
  return code
}

/** Returns the secrets in an `Authorization` header: a token, or the encoded credentials and the password in them. */
const secretsOf = (authorization: string): ReadonlyArray<string> => {
  const token = authorization.replace(/^\S+\s+/, "")
  const password = Result.getOrElse(Base64.decodeString(token), () => "").replace(/^[^:]*:/, "")
  return [token, password]
}

/** Returns the first 300 characters of a text on one line. Secrets are replaced by `…`, because a server may quote them. */
export const excerpt = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets
    .reduce((shown, secret) => (secret === "" ? shown : shown.replaceAll(secret, "…")), text)
    .replace(/[\s\p{C}]+/gu, " ")
    .trim()
    .slice(0, 300)

/** Makes a request conditional on an ETag (RFC 9110 13.1.1). With null the request stays unconditional. */
export const ifMatch = (
  etag: string | null
): ((request: HttpClientRequest.HttpClientRequest) => HttpClientRequest.HttpClientRequest) =>
  etag === null ? (request) => request : HttpClientRequest.setHeader("if-match", etag)
