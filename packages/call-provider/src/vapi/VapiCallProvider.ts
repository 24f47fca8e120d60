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
import * as Stream from "effect/Stream"
import type { Found } from "../request/CallLookup.ts"
import { hangUpAnswer } from "../request/HangUp.ts"
import { startAnswer } from "../request/StartAnswer.ts"
import { hasLongSecret, mayBeAuthentic, minSecretLength } from "./VapiAuthentication.ts"
import * as VapiApi from "./VapiApi.ts"
import { reportsOf, type VapiCall } from "./VapiCall.ts"
import { ingest } from "./VapiMessage.ts"
import { type Options, phoneNumberIdOf, startBody } from "./VapiOptions.ts"
import { refusalOf } from "./VapiErrorResponse.ts"
import * as VapiSettings from "./VapiSettings.ts"

/** The maximum size of a message in bytes. The report of a long call has a long transcript. */
const maxCallbackBytes = 8_388_608

export type { Authentication, Options } from "./VapiOptions.ts"
export { credentialId, phoneNumberId, webhookSecret } from "./VapiSettings.ts"

const unknownNumber: StartRefusal = {
  _tag: "Refused",
  code: "caller_not_allowed",
  reason: "the settings have no Vapi id for the agent's phone number",
  retryable: false
}

/**
 * Places calls over Vapi's API (docs.vapi.ai/api-reference/calls). An agent's `assistant_id` is the id of its assistant at
 * Vapi.
 *
 * `start` sends its request exactly once, if the HTTP client does not repeat requests on its own. The global `fetch` repeats
 * a request after an answer of 421, and the layer prevents that. An answer of 4xx except 408 is a refusal, and so is a
 * failure to connect. After any other failure it is unknown whether Vapi dials.
 *
 * The end-of-call report has transcript, recording, summary and cost.
 */
export const layer = (options: Options): Layer.Layer<CallProvider, never, HttpClient.HttpClient> =>
  Layer.effect(
    CallProvider,
    Effect.gen(function* () {
      if (!hasLongSecret(options.authentication)) {
        const problem = `The secret of the messages has fewer than ${minSecretLength} characters, so it can be guessed`
        return yield* Effect.die(new Error(problem))
      }
      const api = VapiApi.make(yield* HttpClient.HttpClient, options)

      const find = (known: KnownCall): Effect.Effect<Found<VapiCall>> =>
        known.providerCallId === null ? api.lostCall(known) : api.call(known.providerCallId)

      return CallProvider.of({
        name: "vapi",
        maxCallbackBytes,
        preflight: ({ from }) => (phoneNumberIdOf(options, from) === undefined ? unknownNumber : null),
        variablesOf: () => null,
        start: Tracing.operation("VapiCallProvider.start")(function* (command): Effect.fn.Return<StartAnswer> {
          const phoneNumberId = phoneNumberIdOf(options, command.from)
          if (phoneNumberId === undefined) return unknownNumber
          const exchange = yield* api.start(startBody(options, command, phoneNumberId))
          return yield* startAnswer(exchange, { name: "Vapi", refusalOf, idOf: VapiApi.startedId })
        }),
        fetch: Tracing.operation("VapiCallProvider.fetch")(function* (known): Effect.fn.Return<CallSnapshot> {
          const found = yield* find(known)
          if (found._tag !== "Found") return found
          const reports = reportsOf(found.call)
          // Without its end the call would count as live, and would be charged until it is given up.
          if (found.call.status === "ended" && !reports.some(({ _tag }) => _tag === "Ended")) {
            return { _tag: "Unreachable", cause: "Vapi does not say when the call ended" }
          }
          return { _tag: "Known", providerCallId: found.call.id, reports }
        }),
        hangUp: Tracing.operation("VapiCallProvider.hangUp")(function* (known) {
          const found = yield* find(known)
          if (found._tag === "NotFound") return { _tag: "Unknown", cause: "Vapi has no such call" }
          if (found._tag === "Unreachable") return { _tag: "Unknown", cause: found.cause }
          const { monitor, status } = found.call
          if (status === "ended") return { _tag: "AlreadyOver" }
          if (!monitor?.controlUrl) return { _tag: "Unknown", cause: "Vapi returned no control URL for the call" }
          return hangUpAnswer("Vapi", yield* api.end(monitor.controlUrl))
        }),
        mayBeAuthentic: (head, now) => mayBeAuthentic(options.authentication, head, now),
        ingest: (callback, now) => ingest(options, callback, now),
        reports: Stream.never,
        check: check(api, options).pipe(Tracing.span("VapiCallProvider.check"))
      })
    })
  )

/** Provides {@link layer} with the settings `FRONTDESK_VAPI_…`. */
export const layerConfig = (
  options: Pick<Options, "publicUrl" | "timeout">
): Layer.Layer<CallProvider, Config.ConfigError, HttpClient.HttpClient> =>
  Layer.unwrap(Effect.map(VapiSettings.settings, (settings) => layer({ ...settings, ...options })))

const check = Effect.fnUntraced(function* (api: VapiApi.VapiApi, { phoneNumberId }: Options): Effect.fn.Return<Check> {
  const exchange = yield* api.assistants
  if (exchange._tag !== "Answered") return { isUsable: false, says: `Vapi cannot be reached: ${exchange.cause}` }
  if (exchange.status === 401 || exchange.status === 403) {
    return { isUsable: false, says: "Vapi rejects the API key. Set the private key, not the public one" }
  }
  if (exchange.status !== 200)
    return { isUsable: false, says: `Vapi answered ${exchange.status} to the request for assistants` }
  const ids = typeof phoneNumberId === "string" ? [phoneNumberId] : Object.values(phoneNumberId)
  for (const id of ids) {
    const number = yield* api.phoneNumber(id)
    if (number._tag === "Answered" && number.status === 200) continue
    return { isUsable: false, says: `Vapi does not return the phone number ${id}` }
  }
  return {
    isUsable: true,
    says: `Vapi answers, and has ${ids.length === 1 ? "the phone number" : `all ${ids.length} phone numbers`}`
  }
})
