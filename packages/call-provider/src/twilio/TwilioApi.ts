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

/** The requests to Twilio's API. Each is sent exactly once. */
export interface TwilioApi {
  /** Creates a call from a form. */
  readonly start: (form: ReadonlyArray<[string, string]>) => Effect.Effect<Exchange>
  /** Looks up a call by its SID. */
  readonly call: (sid: string) => Effect.Effect<Found<TwilioCall>>
  /**
   * Finds out whether a start without an answer can have created a call. Twilio stores no reference of ours with a call, so
   * no call can be attributed to the start. The result is that there is certainly none, or that it is unknown.
   */
  readonly lostCall: (known: KnownCall) => Effect.Effect<Found<never>>
  /** Returns the report of a call's recording. Returns none when there is no recording yet, or when the request fails. */
  readonly recording: (sid: string) => Effect.Effect<ReadonlyArray<ProviderReport>>
  /** Ends a call: `canceled` before it is answered, `completed` afterwards. */
  readonly end: (sid: string, status: "canceled" | "completed") => Effect.Effect<Exchange>
  /** Requests the balance with the credentials of all other requests. */
  readonly balance: Effect.Effect<Exchange>
  /** Requests the balance with the account's token, with which Twilio signs callbacks. */
  readonly balanceByToken: Effect.Effect<Exchange>
}

/** How far Twilio's clock may be behind that of this server. Twilio reports whole seconds. */
const clockSkew = Duration.minutes(1)

/** The maximum time between the request of a start and the creation of the call, as the two clocks show it. */
const maxStartDelay = Duration.seconds(60)

const decodeCall = decodeJson(TwilioCall)
const decodeList = decodeJson(TwilioCallList)
const decodeRecordings = decodeJson(TwilioRecordings)

/** Returns the API of an account (twilio.com/docs/voice/api). */
export const make = (client: HttpClient.HttpClient, options: Options): TwilioApi => {
  const timeout = Duration.fromInputUnsafe(options.timeout ?? "10 seconds")
  const base = (options.baseUrl?.href ?? "https://api.twilio.com").replace(/\/+$/, "")
  const account = `${base}/2010-04-01/Accounts/${encodeURIComponent(options.accountSid)}`
  const user = options.apiKey?.sid ?? options.accountSid
  const password = Redacted.value(options.apiKey?.secret ?? options.authToken)
  const sendWithin = (timeout: Duration.Duration, request: HttpClientRequest.HttpClientRequest) =>
    send(client, request.pipe(HttpClientRequest.basicAuth(user, password), HttpClientRequest.acceptJson), timeout)
  const get = (path: string) => sendWithin(timeout, HttpClientRequest.get(`${account}/${path}`))
  const post = (timeout: Duration.Duration, path: string, form: ReadonlyArray<[string, string]>) =>
    sendWithin(timeout, HttpClientRequest.post(`${account}/${path}`).pipe(HttpClientRequest.bodyUrlParams(form)))

  const list = Effect.fnUntraced(function* (query: ReadonlyArray<[string, string]>) {
    const exchange = yield* get(`Calls.json?${new URLSearchParams([...query, ["PageSize", "100"]]).toString()}`)
    const page = decoded(exchange, decodeList)
    return Option.isSome(page) && !page.value.next_page_uri ? page.value.calls : unreachable("Twilio", exchange)
  })

  return {
    start: (form) => post(Duration.times(timeout, 2), "Calls.json", form),
    call: (sid) =>
      Effect.map(get(`Calls/${encodeURIComponent(sid)}.json`), (exchange) => found("Twilio", exchange, decodeCall)),
    lostCall: Effect.fnUntraced(function* ({ createdAt, to }) {
      const minimum = Timestamp.before(createdAt, clockSkew)
      const maximum = Timestamp.after(createdAt, maxStartDelay)
      // A call in Twilio's queue has no start time yet, so the search by start time does not find it.
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
        ? { _tag: "Unreachable", cause: "a call to the number was created at that time, and it may be another one" }
        : { _tag: "NotFound" }
    }),
    recording: Effect.fnUntraced(function* (sid) {
      const exchange = yield* get(`Recordings.json?${new URLSearchParams({ CallSid: sid }).toString()}`)
      return Option.match(decoded(exchange, decodeRecordings), {
        onNone: () => [],
        onSome: (recordings) => recordingOf(recordings, base)
      })
    }),
    end: (sid, status) => post(timeout, `Calls/${encodeURIComponent(sid)}.json`, [["Status", status]]),
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

/** Decodes the answer to a request for the balance (twilio.com/docs/usage/api/account-balance). */
export const decodeBalance = decodeJson(Schema.Struct({ balance: Schema.String, currency: Schema.String }))

/** Decodes the answer to a start that was accepted. */
export const decodeStarted = decodeJson(
  Schema.Struct({ sid: Schema.String.check(Schema.isPattern(/^CA[0-9a-fA-F]{32}$/)) })
)
