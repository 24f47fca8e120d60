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
 * What became of a request.
 *
 * - `Answered`: the whole answer, whatever its status.
 * - `Unsent`: nobody has got it, for sure.
 * - `Lost`: it may have been carried out, and its answer is not known.
 */
export type Exchange =
  | { readonly _tag: "Answered"; readonly status: number; readonly body: string }
  | { readonly _tag: "Unsent"; readonly cause: string }
  | { readonly _tag: "Lost"; readonly cause: string }

/** The most bytes of an answer that are read. */
const maxBytes = 10 * 1024 * 1024

/**
 * Sends one request, once, also with a client on `fetch`, and reads its answer to the end within the time.
 *
 * A redirect is an answer: credentials go nowhere else. There is no trace of the request, because addresses of calls
 * hold telephone numbers, and those that control a call are secrets. No cause holds anything of the request.
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
    if (size > maxBytes) return lost(`an answer of more than ${maxBytes} bytes`)
    return { _tag: "Answered", status: response.status, body: body + decoder.decode() } satisfies Exchange
  }).pipe(
    Effect.catch((error) => Effect.succeed(failed(error))),
    Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.succeed(lost("no answer in time")) }),
    Effect.updateService(FetchHttpClient.Fetch, once),
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
  )

/**
 * A `fetch` that never sends a body twice. By its standard `fetch` repeats a request that was answered 421, unless its
 * body is a stream, which is gone once it was sent.
 */
const once =
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

/** Codes of connections that were never made, besides those that name the system call. */
const unmade = /^UND_ERR_CONNECT_TIMEOUT$|CERT|SELF_SIGNED|^UNABLE_TO_(GET|VERIFY)_/

/** Whether an error of a connection came before it stood: a name without address, a refusal, a bad certificate. */
const isBeforeSending = (error: unknown, depth: number): boolean => {
  if (!(error instanceof Error) || depth > 8) return false
  // One error for each address of a name.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every((each) => isBeforeSending(each, depth + 1))
  }
  if ("syscall" in error && (error.syscall === "connect" || error.syscall === "getaddrinfo")) return true
  if ("code" in error && typeof error.code === "string" && unmade.test(error.code)) return true
  return isBeforeSending(error.cause, depth + 1)
}

/** The code of an error in brackets. Its text is left out: it may quote the request. */
const codeOf = (error: unknown, depth: number): string => {
  if (!(error instanceof Error) || depth > 8) return ""
  return "code" in error && typeof error.code === "string" ? ` (${error.code})` : codeOf(error.cause, depth + 1)
}

/** Reads the JSON body of an answer; none when it is not what the schema says. */
export const decodeJson = <A>(schema: Schema.ConstraintCodec<A, unknown>): ((body: string) => Option.Option<A>) =>
  Schema.decodeUnknownOption(Schema.fromJsonString(schema))

/** What the body of an answer of 200 says; none where there is no such answer, or it cannot be read. */
export const decoded = <A>(exchange: Exchange, decode: (body: string) => Option.Option<A>): Option.Option<A> =>
  exchange._tag === "Answered" && exchange.status === 200 ? decode(exchange.body) : Option.none()
