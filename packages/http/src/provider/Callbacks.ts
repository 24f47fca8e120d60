import * as Acting from "@frontdesk/core/audit/Acting"
import {
  type CallbackBody,
  type CallbackHead,
  CallProvider,
  type CallReport,
  type Ingested,
  type ProviderQuestion
} from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import * as Outage from "@frontdesk/core/storage/Outage"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as LogEvent from "@frontdesk/core/values/LogEvent"
import { BasePath, baseOf, withoutBase } from "@frontdesk/core/values/BasePath"
import * as Tracing from "@frontdesk/core/values/Tracing"
import type { ValidationError } from "@frontdesk/core/values/ValidationError"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import { type Problem, problemOf, unexpected } from "../ErrorTable.ts"
import type { ExtraRoute } from "../HttpOptions.ts"
import * as ApiRequest from "../request/ApiRequest.ts"
import * as BodyMemory from "../request/BodyMemory.ts"
import { json, problemAnswer, respond } from "../request/Exchange.ts"

/** Options of the routes for callbacks. */
export interface CallbackOptions {
  /**
   * The URL at which the provider reaches the API, such as `https://api.example.com` or `https://example.com/voice`. The
   * signatures of some providers cover this URL. Headers of a proxy that name another host are ignored.
   */
  readonly publicUrl: URL
  /** The maximum number of bytes of all bodies together whose signature is not verified yet. Default: 64 MiB. */
  readonly maxUnverifiedBytes?: number | undefined
  /** The timeout for the body of one callback. Default: 10 seconds. */
  readonly bodyTimeout?: Duration.Input | undefined
  /**
   * Returns the body for a question of the provider: which agent takes an inbound call, and what the tools of an agent
   * return. It must return in time, whatever happens. Without it a question is answered 200 with an empty body.
   */
  readonly answer?: ((question: ProviderQuestion) => Effect.Effect<CallbackBody>) | undefined
}

/** Counts callbacks of the provider by result. */
export const callbacks = Metric.counter("frontdesk_provider_callbacks", {
  description: "Callbacks of call providers, by provider and result",
  incremental: true
})

const defaultBodyTimeout = Duration.seconds(10)

/** The minimum time between two equal warnings about requests that any client can send. */
const warningInterval = Duration.minutes(1)

const accepted = HttpServerResponse.empty({ status: 200 })

const refuse = (problem: Problem): HttpServerResponse.HttpServerResponse => respond(problem, problemAnswer(problem))

const wrongSignature: Problem = { code: "invalid_signature", message: "The request has no valid signature" }

const unreadable: Problem = { code: "invalid_callback", message: "The callback cannot be read" }

const noSuchCall: Problem = { code: "not_found", message: "There is no running call with this reference" }

const uncached = { headers: { "cache-control": "no-store" } }

const later = (message: string): Problem => ({
  code: "service_unavailable",
  message,
  headers: { "retry-after": "1" }
})

const busy = later("The server is overloaded. Send the callback again after Retry-After seconds")

const slow = later("The body did not arrive in time. Send the callback again after Retry-After seconds")

/** Makes a warning that is logged at most once in each {@link warningInterval}. */
const rareWarning = Effect.fnUntraced(function* (message: string) {
  const warnedAt = yield* Ref.make<Option.Option<DateTime.Utc>>(Option.none())
  return Effect.gen(function* () {
    const now = yield* DateTime.now
    const isDue = yield* Ref.modify(warnedAt, (last) =>
      Option.exists(last, (at) => Duration.isLessThan(DateTime.distance(at, now), warningInterval))
        ? [false, last]
        : [true, Option.some(now)]
    )
    if (isDue) yield* Effect.logWarning(message)
  })
})

/**
 * Makes the routes for the current `CallProvider`, below `/providers/{its name}/`. Add them to `HttpOptions.extra`.
 *
 * They need no API key, because the signature of the provider authenticates a request.
 *
 * - `POST /providers/{its name}/…` receives callbacks. The reports of a callback are committed before the
 *   server returns 200. The provider therefore repeats a callback whose reports could not be stored. A question of the
 *   provider is answered with status 200 and the body that `CallbackOptions.answer` returns.
 * - `GET /providers/{its name}/variables` returns the variables of a running call to the voice program, under a link
 *   that the adapter has signed.
 *
 * A body is not read when the headers show that it is not the provider's. Neither bodies nor signatures are logged.
 */
export const routes = Effect.fnUntraced(function* (options: CallbackOptions) {
  const calls = yield* Calls
  const provider = yield* CallProvider
  const base = baseOf(options.publicUrl)
  // A proxy may have removed the public path, and the API may be mounted at another one.
  const mountPath = yield* BasePath
  const publicPath = base.slice(options.publicUrl.origin.length)
  const publicUrlOf = (url: string): string => {
    const inner = withoutBase(mountPath, url)
    return base + (inner === url ? withoutBase(publicPath, url) : inner)
  }
  const readBody = BodyMemory.make({
    maxBytes: options.maxUnverifiedBytes ?? BodyMemory.defaultMaxBytes,
    timeout: options.bodyTimeout ?? defaultBodyTimeout
  })
  const warnOfSignature = yield* rareWarning(
    "Refused a callback without a valid signature. If the provider sent it, check the provider's secret and the public URL"
  )
  const warnOfBusy = yield* rareWarning(
    "Refused callbacks because too many bytes wait for the check of their signature. The provider sends them again"
  )
  const warnOfSlow = yield* rareWarning("Refused a callback because its body did not arrive in time")

  const count = (result: string) =>
    Metric.update(Metric.withAttributes(callbacks, { provider: provider.name, result }), 1)

  const apply = Effect.fnUntraced(function* (reports: ReadonlyArray<CallReport>) {
    for (const report of reports) {
      if (yield* calls.applyReport(report)) yield* count("applied")
      else {
        // The callback is still accepted, because a repeat would not help: the call belongs to another installation or
        // no longer exists.
        yield* count("unknown_call")
        yield* Effect.logWarning("Ignored a callback about a call that this installation does not have").pipe(
          Effect.annotateLogs({ providerCallId: report.providerCallId, ref: report.ref, report: report.report._tag })
        )
      }
    }
    if (reports.length === 0) yield* count("nothing")
    return accepted
  })

  /**
   * Returns what the adapter reads from a callback. The body is read only if the headers can be those of the provider.
   */
  const ingest = (head: CallbackHead, request: HttpServerRequest, now: DateTime.Utc) =>
    Effect.suspend(() =>
      provider.mayBeAuthentic(head, now)
        ? readBody(ApiRequest.ofEffect(request), provider.maxCallbackBytes, (body) =>
            provider.ingest({ ...head, body }, now)
          )
        : Effect.succeed<Ingested>({ _tag: "BadSignature" })
    ).pipe(Effect.catchDefect((error) => Effect.succeed({ _tag: "Defect", error } as const)))

  const receive = Effect.fnUntraced(function* (head: CallbackHead, request: HttpServerRequest) {
    const ingested = yield* ingest(head, request, yield* DateTime.now)
    switch (ingested._tag) {
      case "Defect":
        yield* count("failed")
        // Only the name of the error is logged, because its message may contain parts of the body.
        yield* Effect.logError("The adapter of the call provider failed unexpectedly on a callback").pipe(
          Effect.annotateLogs({
            error: ingested.error instanceof Error ? ingested.error.name : typeof ingested.error
          })
        )
        return refuse(unexpected)
      case "BadSignature":
        yield* count("bad_signature")
        // The query is not logged, because it may contain a secret.
        yield* warnOfSignature.pipe(
          Effect.annotateLogs({ url: head.url.replace(/\?.*/s, "") }),
          LogEvent.annotate("callback.signature_refused")
        )
        return refuse(wrongSignature)
      case "Malformed":
        yield* count("malformed")
        yield* Effect.logWarning("Refused a callback that cannot be read").pipe(
          Effect.annotateLogs({ reason: ingested.reason })
        )
        return refuse(unreadable)
      case "Reported":
        return yield* apply(ingested.reports)
      case "Asked": {
        yield* count("asked")
        if (options.answer === undefined) return accepted
        const { contentType, text } = yield* options.answer(ingested.question)
        return HttpServerResponse.text(text, { contentType })
      }
    }
  })

  // The answer is 400 and not 503, because a repeat of the callback would have the same invalid values.
  const refuseInvalid = ({ problems }: ValidationError) =>
    count("malformed").pipe(
      Effect.andThen(Effect.logWarning("Refused a callback that reports invalid values")),
      Effect.annotateLogs({ fields: problems.map(({ field }) => field).join(", ") }),
      Effect.as(refuse(unreadable))
    )

  const refuseUnstored = (error: StorageError) =>
    count("failed").pipe(
      Effect.andThen(
        Outage.log(
          "Warn",
          "Refused a callback because its reports could not be stored. The provider sends it again",
          error
        )
      ),
      Effect.as(refuse(problemOf(error)))
    )

  const handler = Effect.flatMap(HttpServerRequest, (request) => {
    const { headers, method, url } = request
    return receive({ method, url: publicUrlOf(url), headers }, request)
  }).pipe(
    Effect.catchTags({
      StorageError: refuseUnstored,
      ValidationError: refuseInvalid,
      PayloadTooLarge: (error) => Effect.as(count("too_large"), refuse(problemOf(error))),
      BodyDiscarded: () => Effect.as(Effect.andThen(count("busy"), warnOfBusy), refuse(busy)),
      BodyTimedOut: () =>
        Effect.andThen(count("too_slow"), warnOfSlow).pipe(
          LogEvent.annotate("callback.body_timed_out"),
          Effect.as(refuse(slow))
        ),
      BodyIncomplete: () => Effect.as(count("malformed"), refuse(unreadable))
    }),
    Acting.by("provider", provider.name),
    Effect.annotateLogs({ provider: provider.name }),
    Tracing.span("Callbacks.receive", { attributes: { provider: provider.name } })
  )

  // The signature of the link replaces an API key.
  const variables = Effect.flatMap(HttpServerRequest, ({ headers, method, url }) =>
    Effect.suspend(() => {
      const ref = provider.variablesOf({ method: method === "HEAD" ? "GET" : method, url: publicUrlOf(url), headers })
      if (ref === null) return Effect.succeed(refuse(wrongSignature))
      return Effect.map(
        calls.agentVariables(ref),
        Option.match({
          onNone: () => refuse(noSuchCall),
          onSome: (variables) => respond(uncached, json(200, { ref, variables }))
        })
      )
    })
  ).pipe(
    Effect.catchTags({
      StorageError: (error) => Effect.succeed(refuse(problemOf(error))),
      ValidationError: () => Effect.succeed(refuse(noSuchCall))
    }),
    Tracing.span("Callbacks.variables", { attributes: { provider: provider.name } })
  )

  const path = `/providers/${provider.name}` as const
  const routes: ReadonlyArray<ExtraRoute> = [
    { method: "POST", path: `${path}/*`, handler, operation: "providers.callback" },
    { method: "GET", path: `${path}/variables`, handler: variables, operation: "providers.variables" }
  ]
  return routes
})
