import {
  CallProvider,
  type CallSnapshot,
  type KnownCall,
  type StartAnswer,
  type StartRefusal
} from "@frontdesk/core/call/CallProvider"
import type { Check } from "@frontdesk/core/values/Check"
import * as Tracing from "@frontdesk/core/values/Tracing"
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { mayBeRecorded, reportsOf, type TwilioCall } from "./TwilioCall.ts"
import { ingest, maxCallbackBytes, mayBeAuthentic } from "./TwilioCallback.ts"
import { decoded, type Exchange, isPage } from "../request/Exchange.ts"
import type { Found } from "../request/CallLookup.ts"
import { startAnswer } from "../request/StartAnswer.ts"
import * as TwilioApi from "./TwilioApi.ts"
import { maxUrlLength, type Options, startForm, voiceUrlOf } from "./TwilioOptions.ts"
import { isTerminal } from "./TwilioEnd.ts"
import { refusalOf } from "./TwilioErrorResponse.ts"
import { variablesOf } from "./TwilioVariables.ts"
import * as TwilioSettings from "./TwilioSettings.ts"

export type { Options } from "./TwilioOptions.ts"
export { accountSid, keySid } from "./TwilioSettings.ts"

const refusalOfUrl = (voiceUrl: string): StartRefusal | null =>
  voiceUrl.length <= maxUrlLength
    ? null
    : {
        _tag: "Refused",
        code: "voice_url_too_long",
        reason: `the voice URL has ${voiceUrl.length} characters without any variable; Twilio accepts at most ${maxUrlLength}`,
        retryable: false
      }

const idOf = (body: string) => Option.map(TwilioApi.decodeStarted(body), ({ sid }) => sid)

/**
 * Places calls over Twilio's REST API (twilio.com/docs/voice/api/call-resource).
 *
 * `start` sends its request exactly once, if the HTTP client does not repeat requests on its own. The global `fetch` repeats
 * a request after an answer of 421, and the layer prevents that. An answer of 4xx except 408 is a refusal, and so is a
 * failure to connect. After any other failure it is unknown whether Twilio dials.
 *
 * Twilio reports no transcript and no summary of a call. Its question about an inbound call is answered with TwiML, which
 * cannot limit the duration of the call: `maxDurationSeconds` has no effect there.
 */
export const layer = (options: Options): Layer.Layer<CallProvider, never, HttpClient.HttpClient> =>
  Layer.effect(
    CallProvider,
    Effect.gen(function* () {
      const api = TwilioApi.make(yield* HttpClient.HttpClient, options)
      if (Redacted.value(options.authToken) === "") {
        return yield* Effect.die(new Error("The account's token is empty, so anyone could sign callbacks. Set it."))
      }

      const find = (known: KnownCall): Effect.Effect<Found<TwilioCall>> =>
        known.providerCallId === null ? api.lostCall(known) : api.call(known.providerCallId)

      return CallProvider.of({
        name: "twilio",
        maxCallbackBytes,
        preflight: (command) => refusalOfUrl(voiceUrlOf(options, command)),
        variablesOf: (head) => variablesOf(Redacted.value(options.authToken), head),
        start: Tracing.operation("TwilioCallProvider.start")(function* (command): Effect.fn.Return<StartAnswer> {
          const voiceUrl = voiceUrlOf(options, command)
          const refusal = refusalOfUrl(voiceUrl)
          if (refusal !== null) return refusal
          const exchange = yield* api.start(startForm(options, command, voiceUrl))
          return yield* startAnswer(exchange, { name: "Twilio", refusalOf, idOf })
        }),
        fetch: Tracing.operation("TwilioCallProvider.fetch")(function* (known): Effect.fn.Return<CallSnapshot> {
          const found = yield* find(known)
          if (found._tag !== "Found") return found
          const { call } = found
          // If the list of recordings cannot be read, core fetches the call again later, until it has the recording.
          const recording = mayBeRecorded(call) ? yield* api.recording(call.sid) : []
          return { _tag: "Known", providerCallId: call.sid, reports: [...reportsOf(call), ...recording] }
        }),
        hangUp: Tracing.operation("TwilioCallProvider.hangUp")(function* (known) {
          let cause = "the state of the call keeps changing"
          // Twilio refuses to cancel a call that was answered after its state was read. The next attempt completes it.
          for (let attempt = 0; attempt < 3; attempt++) {
            const found = yield* find(known)
            if (found._tag === "NotFound") return { _tag: "Unknown", cause: "Twilio has no such call" }
            if (found._tag === "Unreachable") return { _tag: "Unknown", cause: found.cause }
            const { direction, sid, status } = found.call
            if (isTerminal(status)) return { _tag: "AlreadyOver" }
            // An inbound call that rings was not made by us, so it cannot be cancelled.
            const isCancelled = status !== "in-progress" && direction !== "inbound"
            const exchange = yield* api.end(sid, isCancelled ? "canceled" : "completed")
            if (exchange._tag !== "Answered") return { _tag: "Unknown", cause: exchange.cause }
            // The page of a proxy may have the status 200 too. Then the call may go on.
            if (exchange.status === 200 && !isPage(exchange.body)) return { _tag: "Ended" }
            cause = `Twilio answered ${exchange.status}`
          }
          return { _tag: "Unknown", cause }
        }),
        mayBeAuthentic,
        ingest: (callback) => ingest(options, callback),
        reports: Stream.never,
        check: check(api).pipe(Tracing.span("TwilioCallProvider.check"))
      })
    })
  )

/** Provides {@link layer} with the settings `FRONTDESK_TWILIO_…`. */
export const layerConfig = (
  options: Pick<Options, "publicUrl" | "timeout">
): Layer.Layer<CallProvider, Config.ConfigError, HttpClient.HttpClient> =>
  Layer.unwrap(Effect.map(TwilioSettings.settings, (settings) => layer({ ...settings, ...options })))

const check = Effect.fnUntraced(function* (api: TwilioApi.TwilioApi): Effect.fn.Return<Check> {
  const token = yield* api.balanceByToken
  if (token._tag === "Answered" && token.status === 401) {
    const says = "Twilio rejects the account's SID and token, with which it signs callbacks. Check both settings"
    return { isUsable: false, says }
  }
  return checkOf(yield* api.balance)
})

const checkOf = (exchange: Exchange): Check => {
  if (exchange._tag !== "Answered") return { isUsable: false, says: `Twilio cannot be reached: ${exchange.cause}` }
  if (exchange.status === 401) {
    return { isUsable: false, says: "Twilio rejects the API key and its secret. Check both settings" }
  }
  return Option.match(decoded(exchange, TwilioApi.decodeBalance), {
    onNone: () => ({ isUsable: false, says: `Twilio answered ${exchange.status} to the request for the balance` }),
    onSome: ({ balance, currency }) => ({
      isUsable: true,
      says: `Twilio answers; the balance is ${balance} ${currency}`
    })
  })
}
