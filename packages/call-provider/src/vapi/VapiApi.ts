import type { KnownCall } from "@frontdesk/core/call/CallProvider"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { decoded, decodeJson, type Exchange, send } from "../request/Exchange.ts"
import { found, type Found, unreachable } from "../request/CallLookup.ts"
import { refOf, VapiCall } from "./VapiCall.ts"
import type { Options } from "./VapiOptions.ts"
import * as Timestamp from "@frontdesk/core/values/Timestamp"

/** The requests to Vapi's API. Each is sent exactly once. */
export interface VapiApi {
  /** Creates a call from a body. */
  readonly start: (body: unknown) => Effect.Effect<Exchange>
  /** Looks up a call by its id. */
  readonly call: (id: string) => Effect.Effect<Found<VapiCall>>
  /** Finds the call of a start without an answer by our reference. */
  readonly lostCall: (known: KnownCall) => Effect.Effect<Found<VapiCall>>
  /** Ends a call through its control URL. The URL itself is the secret, so the request has no key. */
  readonly end: (controlUrl: string) => Effect.Effect<Exchange>
  /** Requests one assistant, to check the API key. */
  readonly assistants: Effect.Effect<Exchange>
  /** Requests a phone number by its id. */
  readonly phoneNumber: (id: string) => Effect.Effect<Exchange>
}

/** How far Vapi's clock may be behind that of this server. */
const clockSkew = Duration.minutes(1)

/** The maximum time between the request of a start and the creation of the call. */
const maxStartDelay = Duration.minutes(5)

/** The maximum number of calls in one list. */
const pageSize = 1_000

const decodeCall = decodeJson(VapiCall)
const decodeList = decodeJson(Schema.Array(Schema.Unknown))
const decodeListed = Schema.decodeUnknownOption(VapiCall)

/** Returns the API of an organization (docs.vapi.ai/api-reference). */
export const make = (client: HttpClient.HttpClient, options: Options): VapiApi => {
  const timeout = Duration.fromInputUnsafe(options.timeout ?? "10 seconds")
  const base = (options.baseUrl?.href ?? "https://api.vapi.ai").replace(/\/$/, "")
  const sendWithin = (timeout: Duration.Duration, request: HttpClientRequest.HttpClientRequest) =>
    send(client, request.pipe(HttpClientRequest.bearerToken(options.apiKey), HttpClientRequest.acceptJson), timeout)
  const get = (path: string) => sendWithin(timeout, HttpClientRequest.get(`${base}/${path}`))

  return {
    start: (body) =>
      sendWithin(
        Duration.times(timeout, 2),
        HttpClientRequest.post(`${base}/call`).pipe(HttpClientRequest.bodyJsonUnsafe(body))
      ),
    call: (id) => Effect.map(get(`call/${encodeURIComponent(id)}`), (exchange) => found("Vapi", exchange, decodeCall)),
    lostCall: Effect.fnUntraced(function* ({ createdAt, ref }) {
      const query = new URLSearchParams({
        createdAtGe: DateTime.formatIso(Timestamp.before(createdAt, clockSkew)),
        createdAtLe: DateTime.formatIso(Timestamp.after(createdAt, maxStartDelay)),
        limit: String(pageSize)
      })
      const exchange = yield* get(`call?${query.toString()}`)
      const calls = decoded(exchange, decodeList)
      if (Option.isNone(calls)) return unreachable("Vapi", exchange)
      const ours = calls.value.flatMap((call) => Option.toArray(decodeListed(call))).find((call) => refOf(call) === ref)
      if (ours !== undefined) return { _tag: "Found", call: ours }
      return calls.value.length < pageSize
        ? { _tag: "NotFound" }
        : { _tag: "Unreachable", cause: `${pageSize} calls or more were created at that time` }
    }),
    end: (controlUrl) =>
      send(
        client,
        HttpClientRequest.post(controlUrl).pipe(HttpClientRequest.bodyJsonUnsafe({ type: "end-call" })),
        timeout
      ),
    assistants: get("assistant?limit=1"),
    phoneNumber: (id) => get(`phone-number/${encodeURIComponent(id)}`)
  }
}

/** Returns the id of the call from the body of an accepted start. */
export const startedId = (body: string): Option.Option<string> => Option.map(decodeStarted(body), ({ id }) => id)

const decodeStarted = decodeJson(Schema.Struct({ id: Schema.NonEmptyString }))
