import { CallProvider, type CallSnapshot, type KnownCall, type StartAnswer } from "@frontdesk/core/call/CallProvider"
import type { Check } from "@frontdesk/core/values/Check"
import * as Tracing from "@frontdesk/core/values/Tracing"
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Found } from "../request/CallLookup.ts"
import { decoded, decodeJson } from "../request/Exchange.ts"
import { hangUpAnswer } from "../request/HangUp.ts"
import { startAnswer } from "../request/StartAnswer.ts"
import * as RetellApi from "./RetellApi.ts"
import { isOver, reportsOf, type RetellCall } from "./RetellCall.ts"
import { refusalOf } from "./RetellErrorResponse.ts"
import { type Options, startBody, webhookKeyOf } from "./RetellOptions.ts"
import { ingest } from "./RetellRequest.ts"
import * as RetellSettings from "./RetellSettings.ts"
import { signedAt } from "./RetellSignature.ts"

/** The maximum size of a webhook in bytes. That of a long call has its transcript several times, with times of the words. */
const maxCallbackBytes = 8_388_608

export type { Options } from "./RetellOptions.ts"

/**
 * Places calls over Retell's API (docs.retellai.com/api-references). An agent's `assistant_id` is the id of its agent at
 * Retell, and the agent's phone number must be a number of the workspace there.
 *
 * `start` sends its request exactly once, if the HTTP client does not repeat requests on its own. The global `fetch` repeats
 * a request after an answer of 421, and the layer prevents that. An answer of 4xx except 408 is a refusal, and so is a
 * failure to connect. After any other failure it is unknown whether Retell dials.
 *
 * The webhook of the end has transcript, recording and cost. The summary follows when Retell has analyzed the call.
 */
export const layer = (options: Options): Layer.Layer<CallProvider, never, HttpClient.HttpClient> =>
  Layer.effect(
    CallProvider,
    Effect.gen(function* () {
      if (Redacted.value(webhookKeyOf(options)) === "") {
        return yield* Effect.die(new Error("The key of Retell's signatures is empty, so they would prove nothing"))
      }
      const api = RetellApi.make(yield* HttpClient.HttpClient, options)

      const find = (known: KnownCall): Effect.Effect<Found<RetellCall>> =>
        known.providerCallId === null ? api.lostCall(known.ref) : api.call(known.providerCallId)

      return CallProvider.of({
        name: "retell",
        maxCallbackBytes,
        // Retell receives all variables with a call, and only Retell knows which of its numbers may call where.
        preflight: () => null,
        variablesOf: () => null,
        start: Tracing.operation("RetellCallProvider.start")(function* (command): Effect.fn.Return<StartAnswer> {
          const exchange = yield* api.start(startBody(options, command))
          return yield* startAnswer(exchange, { name: "Retell", refusalOf, idOf: RetellApi.startedId })
        }),
        fetch: Tracing.operation("RetellCallProvider.fetch")(function* (known): Effect.fn.Return<CallSnapshot> {
          const found = yield* find(known)
          if (found._tag !== "Found") return found
          const reports = reportsOf(found.call, known.createdAt)
          // Without its end the call would count as live, and would be charged until it is given up.
          if (isOver(found.call) && !reports.some(({ _tag }) => _tag === "Ended")) {
            return { _tag: "Unreachable", cause: "Retell does not say when the call ended" }
          }
          return { _tag: "Known", providerCallId: found.call.call_id, reports }
        }),
        hangUp: Tracing.operation("RetellCallProvider.hangUp")(function* (known) {
          const found = yield* find(known)
          if (found._tag === "NotFound") return { _tag: "Unknown", cause: "Retell has no such call" }
          if (found._tag === "Unreachable") return { _tag: "Unknown", cause: found.cause }
          if (isOver(found.call)) return { _tag: "AlreadyOver" }
          return hangUpAnswer("Retell", yield* api.stop(found.call.call_id))
        }),
        mayBeAuthentic: (head, now) => signedAt(head, now) !== null,
        ingest: (callback, now) => ingest(options, callback, now),
        reports: Stream.never,
        check: check(api).pipe(Tracing.span("RetellCallProvider.check"))
      })
    })
  )

/** Provides {@link layer} with the settings `FRONTDESK_RETELL_…`. */
export const layerConfig = (
  options: Pick<Options, "publicUrl" | "timeout">
): Layer.Layer<CallProvider, Config.ConfigError, HttpClient.HttpClient> =>
  Layer.unwrap(Effect.map(RetellSettings.settings, (settings) => layer({ ...settings, ...options })))

const decodeConcurrency = decodeJson(Schema.Struct({ concurrency_limit: Schema.Finite }))

const check = Effect.fnUntraced(function* (api: RetellApi.RetellApi): Effect.fn.Return<Check> {
  const exchange = yield* api.concurrency
  if (exchange._tag !== "Answered") return { isUsable: false, says: `Retell cannot be reached: ${exchange.cause}` }
  if (exchange.status === 401 || exchange.status === 403) {
    return { isUsable: false, says: "Retell rejects the API key. Set a key of the workspace" }
  }
  return Option.match(decoded(exchange, decodeConcurrency), {
    onNone: () => ({ isUsable: false, says: `Retell answered ${exchange.status} to the request for its limits` }),
    onSome: ({ concurrency_limit: limit }) => ({
      isUsable: true,
      says: `Retell answers, and allows ${limit} calls at once`
    })
  })
})
