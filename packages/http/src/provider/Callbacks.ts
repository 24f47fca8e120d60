import { type Callback, CallProvider, type ProviderEvent } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import * as Outage from "@frontdesk/core/storage/Outage"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { baseOf } from "@frontdesk/core/values/PublicUrl"
import * as ByteSize from "effect/ByteSize"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import { type Problem, problemOf, unexpected } from "../ErrorTable.ts"
import type { ExtraRoute } from "../HttpOptions.ts"
import * as Body from "../request/Body.ts"
import { problemAnswer } from "../request/Exchange.ts"

/** How the provider of calls reaches this server. */
export interface CallbackOptions {
  /**
   * The address by which the provider calls this server, such as `https://api.example.com`: signatures may be over it.
   * What a proxy says of it is never believed.
   */
  readonly publicUrl: URL
}

/** Callbacks of the provider by what came of them. */
export const callbacks = Metric.counter("frontdesk_provider_callbacks", {
  description: "Callbacks of call providers, by provider and result",
  incremental: true
})

/** How often it is said at most that a signature is wrong: anybody can send what bears none. */
const quiet = Duration.minutes(1)

const accepted = HttpServerResponse.empty({ status: 200 })

const refuse = (problem: Problem): HttpServerResponse.HttpServerResponse => {
  const { body, status } = problemAnswer(problem)
  return HttpServerResponse.text(body, { status, headers: problem.headers, contentType: "application/json" })
}

const wrongSignature: Problem = { code: "invalid_signature", message: "The request does not bear a valid signature" }

const unreadable: Problem = { code: "invalid_callback", message: "The request cannot be read" }

/**
 * The routes at which the `CallProvider` in use reports of its calls, `/providers/{its name}/…`: for the further routes of
 * `FrontdeskHttp.make`. They need no API key; the provider's signature is what counts.
 *
 * What a callback reports is committed before it is answered with 200, so that the provider repeats what could not be
 * kept. Neither bodies nor signatures are logged.
 */
export const routes = Effect.fnUntraced(function* (options: CallbackOptions) {
  const calls = yield* Calls
  const provider = yield* CallProvider
  const base = baseOf(options.publicUrl)
  const maxBodySize = ByteSize.fromInputUnsafe(provider.maxCallbackBytes)
  const warnedAt = yield* Ref.make<Option.Option<DateTime.Utc>>(Option.none())

  const count = (result: string) =>
    Metric.update(Metric.withAttributes(callbacks, { provider: provider.name, result }), 1)

  const warnOfSignature = Effect.fnUntraced(function* (url: string, now: DateTime.Utc) {
    const isDue = yield* Ref.modify(warnedAt, (last) =>
      Option.exists(last, (at) => Duration.isLessThan(DateTime.distance(at, now), quiet))
        ? [false, last]
        : [true, Option.some(now)]
    )
    if (!isDue) return
    // The query may hold what is secret.
    yield* Effect.logWarning(
      "A callback does not bear the provider's signature: it is not the provider's, or its secret or the public URL is another"
    ).pipe(Effect.annotateLogs({ url: url.replace(/\?.*/s, "") }))
  })

  const apply = Effect.fnUntraced(function* (events: ReadonlyArray<ProviderEvent>) {
    for (const event of events) {
      if (yield* calls.applyEvent(event)) yield* count("applied")
      else {
        // A repeat would not help: the call is another installation's, or gone.
        yield* count("unknown_call")
        yield* Effect.logWarning("A callback is about a call that is not known").pipe(
          Effect.annotateLogs({ providerCallId: event.providerCallId, ref: event.ref, report: event.report._tag })
        )
      }
    }
    if (events.length === 0) yield* count("nothing")
    return accepted
  })

  const take = Effect.fnUntraced(function* (callback: Callback) {
    const now = yield* DateTime.now
    const said = yield* Effect.exit(Effect.sync(() => provider.ingest(callback, now)))
    if (Exit.isFailure(said)) {
      yield* count("failed")
      // Not the error itself, whose message may show what it could not read.
      const error = Cause.squash(said.cause)
      yield* Effect.logError("The adapter broke on a callback").pipe(
        Effect.annotateLogs({ error: error instanceof Error ? error.name : typeof error })
      )
      return refuse(unexpected)
    }
    switch (said.value._tag) {
      case "BadSignature":
        yield* count("bad_signature")
        yield* warnOfSignature(callback.url, now)
        return refuse(wrongSignature)
      case "Malformed":
        yield* count("malformed")
        yield* Effect.logWarning("A callback cannot be read").pipe(Effect.annotateLogs({ reason: said.value.reason }))
        return refuse(unreadable)
      case "Reported":
        return yield* apply(said.value.events)
    }
  })

  const notKept = (error: StorageError) =>
    count("failed").pipe(
      Effect.andThen(Outage.log("Warn", "A callback could not be kept", error)),
      Effect.as(refuse(problemOf(error)))
    )

  const handler = Effect.gen(function* () {
    const { headers, method, url } = yield* HttpServerRequest
    const body = yield* Body.read(yield* HttpServerRequest, maxBodySize)
    return yield* take({ method, url: base + url, headers, body })
  }).pipe(
    Effect.catchTags({
      StorageError: notKept,
      PayloadTooLarge: (error) => Effect.as(count("too_large"), refuse(problemOf(error))),
      // The connection broke off.
      InvalidJson: () => Effect.as(count("malformed"), refuse(unreadable))
    }),
    Effect.annotateLogs({ provider: provider.name }),
    Effect.withSpan("Callbacks.take", { attributes: { provider: provider.name } })
  )

  const path = `/providers/${provider.name}/*` as const
  const route: ExtraRoute = { method: "POST", path, handler, operation: "providers.callback" }
  return [route]
})
