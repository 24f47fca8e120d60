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

/** The requests that are made to Vapi, each once. */
export interface VapiApi {
  readonly start: (body: unknown) => Effect.Effect<Exchange>
  readonly call: (id: string) => Effect.Effect<Found<VapiCall>>
  /** The call of a start whose answer was lost, by our reference. */
  readonly lostCall: (known: KnownCall) => Effect.Effect<Found<VapiCall>>
  /** Ends a call through the URL that Vapi gave for controlling it, which takes no key. */
  readonly end: (controlUrl: string) => Effect.Effect<Exchange>
  readonly assistants: Effect.Effect<Exchange>
  readonly phoneNumber: (id: string) => Effect.Effect<Exchange>
}

/** How long before its start was asked, by this server's clock, a call may have been made by Vapi's. */
const clockSkew = Duration.minutes(1)

/** How long after it a call may have been made at the latest. */
const longestStart = Duration.minutes(5)

/** How many calls a list holds at most. */
const pageSize = 1_000

const decodeCall = decodeJson(VapiCall)
const decodeList = decodeJson(Schema.Array(Schema.Unknown))
const decodeListed = Schema.decodeUnknownOption(VapiCall)

/** The API of an organization (docs.vapi.ai/api-reference). */
export const make = (client: HttpClient.HttpClient, options: Options): VapiApi => {
  const timeout = Duration.fromInputUnsafe(options.timeout ?? "10 seconds")
  const base = (options.baseUrl?.href ?? "https://api.vapi.ai").replace(/\/$/, "")
  const ask = (request: HttpClientRequest.HttpClientRequest, patience = timeout) =>
    send(client, request.pipe(HttpClientRequest.bearerToken(options.apiKey), HttpClientRequest.acceptJson), patience)
  const get = (path: string) => ask(HttpClientRequest.get(`${base}/${path}`))

  return {
    start: (body) =>
      ask(
        HttpClientRequest.post(`${base}/call`).pipe(HttpClientRequest.bodyJsonUnsafe(body)),
        Duration.times(timeout, 2)
      ),
    call: (id) => Effect.map(get(`call/${encodeURIComponent(id)}`), (exchange) => found("Vapi", exchange, decodeCall)),
    lostCall: Effect.fnUntraced(function* ({ createdAt, ref }) {
      const query = new URLSearchParams({
        createdAtGe: DateTime.formatIso(Timestamp.before(createdAt, clockSkew)),
        createdAtLe: DateTime.formatIso(Timestamp.after(createdAt, longestStart)),
        limit: String(pageSize)
      })
      const exchange = yield* get(`call?${query.toString()}`)
      const calls = decoded(exchange, decodeList)
      if (Option.isNone(calls)) return unreachable("Vapi", exchange)
      const ours = calls.value.flatMap((call) => Option.toArray(decodeListed(call))).find((call) => refOf(call) === ref)
      if (ours !== undefined) return { _tag: "Found", call: ours }
      return calls.value.length < pageSize
        ? { _tag: "NotFound" }
        : { _tag: "Unreachable", cause: `more than ${pageSize} calls were made at that time` }
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

/** The id of the call in the answer to a start that was accepted. */
export const startedId = (body: string): Option.Option<string> => Option.map(decodeStarted(body), ({ id }) => id)

const decodeStarted = decodeJson(Schema.Struct({ id: Schema.NonEmptyString }))
