import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

/**
 * The result of a request.
 *
 * - `Answered`: the complete answer, whatever its status.
 * - `Unsent`: the provider has certainly not received the request.
 * - `Lost`: the provider may have carried out the request, and there is no complete answer.
 */
export type Exchange =
  | { readonly _tag: "Answered"; readonly status: number; readonly body: string }
  | { readonly _tag: "Unsent"; readonly cause: string }
  | { readonly _tag: "Lost"; readonly cause: string }

/** The maximum number of bytes of an answer that are read. */
const maxBytes = 10 * 1024 * 1024

/**
 * Sends a request exactly once, and reads the answer to its end within the timeout.
 *
 * A redirect is returned and not followed, so that the credentials reach no other server. The request is not traced, because
 * its URL may contain a phone number, or be a secret URL that controls a call. A `cause` contains nothing of the request.
 */
export const send = (
  client: HttpClient.HttpClient,
  request: HttpClientRequest,
  timeout: Duration.Duration
): Effect.Effect<Exchange> =>
  Effect.gen(function* () {
    const response = yield* client.execute(request)
    const decoder = new TextDecoder()
    let size = 0
    let body = ""
    yield* response.stream.pipe(
      Stream.takeWhile((chunk) => {
        size += chunk.length
        if (size <= maxBytes) body += decoder.decode(chunk, { stream: true })
        return size <= maxBytes
      }),
      Stream.runDrain
    )
    if (size > maxBytes) return lost(`the answer has more than ${maxBytes} bytes`)
    return { _tag: "Answered", status: response.status, body: body + decoder.decode() } satisfies Exchange
  }).pipe(
    Effect.catch((error) => Effect.succeed(failed(error))),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.succeed(lost("no complete answer within the timeout"))
    }),
    Effect.updateService(FetchHttpClient.Fetch, withoutRepeat),
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
  )

/**
 * Returns a `fetch` that never sends a body twice. The standard makes `fetch` repeat a request that is answered with 421,
 * which could place a second call. It cannot repeat a body that is a stream.
 */
const withoutRepeat =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) => {
    const body = init?.body
    if (!(body instanceof Uint8Array)) return fetch(input, init)
    const headers = new Headers(init?.headers)
    headers.set("content-length", String(body.length))
    return fetch(input, { ...init, headers, body: ReadableStream.from([body]), duplex: "half" })
  }

const lost = (cause: string): Exchange => ({ _tag: "Lost", cause })

const failed = ({ reason }: HttpClientError): Exchange => {
  if (reason._tag === "EmptyBodyError") return { _tag: "Answered", status: reason.response.status, body: "" }
  const isUnsent =
    reason._tag === "EncodeError" ||
    reason._tag === "InvalidUrlError" ||
    (reason._tag === "TransportError" && isBeforeSending(reason.cause, 0))
  const code = codeOf(reason.cause, 0)
  return isUnsent
    ? { _tag: "Unsent", cause: `no connection${code}` }
    : lost(`the connection was lost before the answer${code}`)
}

/** Codes of errors before a connection was established, other than errors with a `syscall`. */
const notConnected = /^UND_ERR_CONNECT_TIMEOUT$|CERT|SELF_SIGNED|^UNABLE_TO_(GET|VERIFY)_/

/** Returns whether an error occurred before the connection was established: unknown name, refusal, bad certificate. */
const isBeforeSending = (error: unknown, depth: number): boolean => {
  if (!(error instanceof Error) || depth > 8) return false
  // The aggregate has one error for each address of the host.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every((each) => isBeforeSending(each, depth + 1))
  }
  if ("syscall" in error && (error.syscall === "connect" || error.syscall === "getaddrinfo")) return true
  if ("code" in error && typeof error.code === "string" && notConnected.test(error.code)) return true
  return isBeforeSending(error.cause, depth + 1)
}

/** Returns the code of an error in brackets. The text is omitted, because it may quote the request. */
const codeOf = (error: unknown, depth: number): string => {
  if (!(error instanceof Error) || depth > 8) return ""
  return "code" in error && typeof error.code === "string" ? ` (${error.code})` : codeOf(error.cause, depth + 1)
}

/** Returns a function that decodes a JSON body. It returns none when the body does not match the schema. */
export const decodeJson = <A>(schema: Schema.ConstraintCodec<A, unknown>): ((body: string) => Option.Option<A>) =>
  Schema.decodeUnknownOption(Schema.fromJsonString(schema))

/** Returns the decoded body of an answer of 200. Returns none for any other result, or when the body cannot be decoded. */
export const decoded = <A>(exchange: Exchange, decode: (body: string) => Option.Option<A>): Option.Option<A> =>
  exchange._tag === "Answered" && exchange.status === 200 ? decode(exchange.body) : Option.none()

/** Returns whether a body is a page, as proxies and load balancers answer in place of a provider, even with status 200. */
export const isPage = (body: string): boolean => body.trimStart().startsWith("<")
