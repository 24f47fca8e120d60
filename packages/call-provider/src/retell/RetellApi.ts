import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { found, type Found, unreachable } from "../request/CallLookup.ts"
import { decoded, decodeJson, type Exchange, send } from "../request/Exchange.ts"
import { refIn, refName } from "../request/Reference.ts"
import { RetellCall } from "./RetellCall.ts"
import { messageOf } from "./RetellErrorResponse.ts"
import type { Options } from "./RetellOptions.ts"

/** The requests to Retell's API. Each is sent exactly once. */
export interface RetellApi {
  /** Creates a call from a body. */
  readonly start: (body: unknown) => Effect.Effect<Exchange>
  /** Looks up a call by its id. */
  readonly call: (id: string) => Effect.Effect<Found<RetellCall>>
  /** Finds the call of a start without an answer by our reference. */
  readonly lostCall: (ref: string) => Effect.Effect<Found<RetellCall>>
  /** Ends a call. */
  readonly stop: (id: string) => Effect.Effect<Exchange>
  /** Requests how many calls are possible at once, to check the API key. */
  readonly concurrency: Effect.Effect<Exchange>
}

const decodeCall = decodeJson(RetellCall)
const decodeList = decodeJson(
  Schema.Struct({ items: Schema.Array(Schema.Unknown), has_more: Schema.optionalKey(Schema.Boolean) })
)
const decodeListed = Schema.decodeUnknownOption(RetellCall)

/** The maximum number of calls in the answer to the search for a lost call. One call has our reference. */
const pageSize = 50

/** Returns the API of a workspace (docs.retellai.com/api-references). */
export const make = (client: HttpClient.HttpClient, options: Options): RetellApi => {
  const timeout = Duration.fromInputUnsafe(options.timeout ?? "10 seconds")
  const base = (options.baseUrl?.href ?? "https://api.retellai.com").replace(/\/$/, "")
  const sendWithin = (timeout: Duration.Duration, request: HttpClientRequest.HttpClientRequest) =>
    send(client, request.pipe(HttpClientRequest.bearerToken(options.apiKey), HttpClientRequest.acceptJson), timeout)
  const get = (path: string) => sendWithin(timeout, HttpClientRequest.get(`${base}/${path}`))
  const post = (path: string) => HttpClientRequest.post(`${base}/${path}`)

  const call = (id: string): Effect.Effect<Found<RetellCall>> =>
    Effect.map(get(`v2/get-call/${encodeURIComponent(id)}`), (exchange) =>
      isMissing(exchange) ? { _tag: "NotFound" } : found("Retell", exchange, decodeCall)
    )

  return {
    start: (body) =>
      sendWithin(Duration.times(timeout, 2), post("v2/create-phone-call").pipe(HttpClientRequest.bodyJsonUnsafe(body))),
    call,
    lostCall: Effect.fnUntraced(function* (ref): Effect.fn.Return<Found<RetellCall>> {
      const metadata = [{ type: "string", op: "eq", key: refName, value: ref }]
      const body = { filter_criteria: { metadata }, limit: pageSize }
      const exchange = yield* sendWithin(timeout, post("v3/list-calls").pipe(HttpClientRequest.bodyJsonUnsafe(body)))
      const list = decoded(exchange, decodeList)
      if (Option.isNone(list)) return unreachable("Retell", exchange)
      const { has_more: hasMore, items } = list.value
      const ours = items
        .flatMap((item) => Option.toArray(decodeListed(item)))
        .find(({ metadata }) => refIn(metadata) === ref)
      // The list has neither transcripts nor recordings.
      if (ours !== undefined) return yield* call(ours.call_id)
      return hasMore === true
        ? { _tag: "Unreachable", cause: "Retell lists calls without the reference that was asked for" }
        : { _tag: "NotFound" }
    }),
    stop: (id) => sendWithin(timeout, post(`v2/stop-call/${encodeURIComponent(id)}`)),
    concurrency: get("get-concurrency")
  }
}

/**
 * Returns whether Retell answers that a call does not exist. It documents only 400 and 422 for this request, so an answer
 * with one of them and the words "not found" counts as well as 404.
 */
const isMissing = (exchange: Exchange): boolean =>
  exchange._tag === "Answered" &&
  (exchange.status === 400 || exchange.status === 422) &&
  /\bnot found\b/i.test(messageOf(exchange.body))

/** Returns the id of the call from the body of an accepted start. */
export const startedId = (body: string): Option.Option<string> =>
  Option.map(decodeStarted(body), ({ call_id: id }) => id)

const decodeStarted = decodeJson(Schema.Struct({ call_id: Schema.NonEmptyString }))
