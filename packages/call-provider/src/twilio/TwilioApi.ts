import type { KnownCall, ProviderReport } from "@frontdesk/core/call/CallProvider"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { decoded, decodeJson, type Exchange, send } from "../request/Exchange.ts"
import { found, type Found, unreachable } from "../request/CallLookup.ts"
import { recordingOf, TwilioCall, TwilioCallList, TwilioRecordings } from "./TwilioCall.ts"
import type { Options } from "./TwilioOptions.ts"
import * as Timestamp from "@frontdesk/core/values/Timestamp"

/** The requests that are made to Twilio, each once. */
export interface TwilioApi {
  readonly start: (form: ReadonlyArray<[string, string]>) => Effect.Effect<Exchange>
  readonly call: (sid: string) => Effect.Effect<Found<TwilioCall>>
  /**
   * Whether a start whose answer was lost can have made a call. Twilio keeps nothing of ours with a call, so that none
   * is proven to be that of the start: it is not there, or nobody knows.
   */
  readonly lostCall: (known: KnownCall) => Effect.Effect<Found<never>>
  /** The recording of a call as its callback would report it; none when there is none yet, or it cannot be asked for. */
  readonly recording: (sid: string) => Effect.Effect<ReadonlyArray<ProviderReport>>
  readonly end: (sid: string, status: "canceled" | "completed") => Effect.Effect<Exchange>
  /** The balance, asked for with the credentials of the requests. */
  readonly balance: Effect.Effect<Exchange>
  /** The balance, asked for with the account's token, which callbacks are signed with. */
  readonly balanceByToken: Effect.Effect<Exchange>
}

/** How far the clocks of this server and of Twilio, which tells whole seconds, may be apart. */
const clockSkew = Duration.minutes(1)

/** How long after its start was asked a call may have been made at the latest. */
const longestStart = Duration.seconds(60)

const decodeCall = decodeJson(TwilioCall)
const decodeList = decodeJson(TwilioCallList)
const decodeRecordings = decodeJson(TwilioRecordings)

/** The API of an account (twilio.com/docs/voice/api). */
export const make = (client: HttpClient.HttpClient, options: Options): TwilioApi => {
  const timeout = Duration.fromInputUnsafe(options.timeout ?? "10 seconds")
  const base = (options.baseUrl?.href ?? "https://api.twilio.com").replace(/\/+$/, "")
  const account = `${base}/2010-04-01/Accounts/${encodeURIComponent(options.accountSid)}`
  const user = options.apiKey?.sid ?? options.accountSid
  const password = Redacted.value(options.apiKey?.secret ?? options.authToken)
  const ask = (request: HttpClientRequest.HttpClientRequest, patience = timeout) =>
    send(client, request.pipe(HttpClientRequest.basicAuth(user, password), HttpClientRequest.acceptJson), patience)
  const get = (path: string) => ask(HttpClientRequest.get(`${account}/${path}`))
  const post = (path: string, form: ReadonlyArray<[string, string]>, patience = timeout) =>
    ask(HttpClientRequest.post(`${account}/${path}`).pipe(HttpClientRequest.bodyUrlParams(form)), patience)

  const list = Effect.fnUntraced(function* (query: ReadonlyArray<[string, string]>) {
    const exchange = yield* get(`Calls.json?${new URLSearchParams([...query, ["PageSize", "100"]]).toString()}`)
    const page = decoded(exchange, decodeList)
    return Option.isSome(page) && !page.value.next_page_uri ? page.value.calls : unreachable("Twilio", exchange)
  })

  return {
    start: (form) => post("Calls.json", form, Duration.times(timeout, 2)),
    call: (sid) =>
      Effect.map(get(`Calls/${encodeURIComponent(sid)}.json`), (exchange) => found("Twilio", exchange, decodeCall)),
    lostCall: Effect.fnUntraced(function* ({ createdAt, to }) {
      const minimum = Timestamp.before(createdAt, clockSkew)
      const maximum = Timestamp.after(createdAt, longestStart)
      // A call that waits in Twilio's queue has no start time yet.
      const waiting = yield* list([
        ["To", to],
        ["Status", "queued"]
      ])
      if ("_tag" in waiting) return waiting
      const started = yield* list([
        ["To", to],
        ["StartTime>", DateTime.formatIsoDateUtc(minimum)]
      ])
      if ("_tag" in started) return started
      const mayBeOurs = [...waiting, ...started].some(
        (call) =>
          (call.direction ?? "outbound-api") === "outbound-api" &&
          (call.to ?? to) === to &&
          (!call.date_created || DateTime.between(call.date_created, { minimum, maximum }))
      )
      return mayBeOurs
        ? { _tag: "Unreachable", cause: "a call was made to the number at that time, and Twilio does not say for whom" }
        : { _tag: "NotFound" }
    }),
    recording: Effect.fnUntraced(function* (sid) {
      const exchange = yield* get(`Recordings.json?${new URLSearchParams({ CallSid: sid }).toString()}`)
      return Option.match(decoded(exchange, decodeRecordings), {
        onNone: () => [],
        onSome: (recordings) => recordingOf(recordings, base)
      })
    }),
    end: (sid, status) => post(`Calls/${encodeURIComponent(sid)}.json`, [["Status", status]]),
    balance: get("Balance.json"),
    balanceByToken: send(
      client,
      HttpClientRequest.get(`${account}/Balance.json`).pipe(
        HttpClientRequest.basicAuth(options.accountSid, Redacted.value(options.authToken)),
        HttpClientRequest.acceptJson
      ),
      timeout
    )
  }
}

/** The answer to the question for the balance (twilio.com/docs/usage/api/account-balance). */
export const decodeBalance = decodeJson(Schema.Struct({ balance: Schema.String, currency: Schema.String }))

/** The answer to a start that was accepted. */
export const decodeStarted = decodeJson(
  Schema.Struct({ sid: Schema.String.check(Schema.isPattern(/^CA[0-9a-fA-F]{32}$/)) })
)
