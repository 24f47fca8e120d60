import { type CallbackHead, CallProvider, type Ingested, type CallReport } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import * as Outage from "@frontdesk/core/storage/Outage"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as LogEvent from "@frontdesk/core/values/LogEvent"
import { baseOf, withoutBase } from "@frontdesk/core/values/PublicUrl"
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
import * as BodyMemory from "../request/BodyMemory.ts"
import { json, problemAnswer, respond } from "../request/Exchange.ts"

/** How the provider of calls reaches this server. */
export interface CallbackOptions {
  /**
   * The address by which the provider calls this server, such as `https://api.example.com`: signatures may be over it.
   * What a proxy says of it is never believed.
   */
  readonly publicUrl: URL
  /** The most bytes of callbacks that are held at a time before it is known whose they are; 64 MiB unless given. */
  readonly maxUnverifiedBytes?: number | undefined
  /** How long the body of a callback may take to come; 10 seconds unless given. */
  readonly bodyPatience?: Duration.Input | undefined
}

/** Callbacks of the provider by what came of them. */
export const callbacks = Metric.counter("frontdesk_provider_callbacks", {
  description: "Callbacks of call providers, by provider and result",
  incremental: true
})

const defaultBodyPatience = Duration.seconds(10)

/** How often the same is said at most of what anybody can send. */
const quiet = Duration.minutes(1)

const accepted = HttpServerResponse.empty({ status: 200 })

const refuse = (problem: Problem): HttpServerResponse.HttpServerResponse => respond(problem, problemAnswer(problem))

const wrongSignature: Problem = { code: "invalid_signature", message: "The request does not bear a valid signature" }

const unreadable: Problem = { code: "invalid_callback", message: "The request cannot be read" }

const noSuchCall: Problem = { code: "not_found", message: "No call that has not ended has this reference" }

const uncached = { headers: { "cache-control": "no-store" } }

const later = (message: string): Problem => ({
  code: "service_unavailable",
  message,
  headers: { "retry-after": "1" }
})

const busy = later("The service is too busy, try again")

const slow = later("The body did not come in time, try again")

/** A warning that is logged once in a while. */
const seldom = Effect.fnUntraced(function* (message: string) {
  const warnedAt = yield* Ref.make<Option.Option<DateTime.Utc>>(Option.none())
  return Effect.gen(function* () {
    const now = yield* DateTime.now
    const isDue = yield* Ref.modify(warnedAt, (last) =>
      Option.exists(last, (at) => Duration.isLessThan(DateTime.distance(at, now), quiet))
        ? [false, last]
        : [true, Option.some(now)]
    )
    if (isDue) yield* Effect.logWarning(message)
  })
})

/**
 * The routes at which the `CallProvider` in use reports of its calls, `/providers/{its name}/…`: for the further routes
 * of `FrontdeskHttp.make`. They need no API key; the provider's signature is what counts. `GET /providers/{its name}/variables`
 * gives the variables of a running call to the program that talks, by a link that the adapter has signed.
 *
 * What a callback reports is committed before it is answered with 200, so that the provider repeats what could not be
 * kept. Neither bodies nor signatures are logged. A body is not read when the headers show that it is not the
 * provider's.
 */
export const routes = Effect.fnUntraced(function* (options: CallbackOptions) {
  const calls = yield* Calls
  const provider = yield* CallProvider
  const base = baseOf(options.publicUrl)
  const basePath = base.slice(options.publicUrl.origin.length)
  const readBody = BodyMemory.make({
    maxBytes: options.maxUnverifiedBytes ?? BodyMemory.defaultMaxBytes,
    patience: options.bodyPatience ?? defaultBodyPatience
  })
  const warnOfSignature = yield* seldom(
    "A callback does not bear the provider's signature: it is not the provider's, or its secret or the public URL is another"
  )
  const warnOfBusy = yield* seldom("Callbacks are refused: too many bytes wait to be verified")
  const warnOfSlow = yield* seldom("A callback is refused: its body did not come in time")

  const count = (result: string) =>
    Metric.update(Metric.withAttributes(callbacks, { provider: provider.name, result }), 1)

  const apply = Effect.fnUntraced(function* (reports: ReadonlyArray<CallReport>) {
    for (const report of reports) {
      if (yield* calls.applyReport(report)) yield* count("applied")
      else {
        // A repeat would not help: the call is another installation's, or gone.
        yield* count("unknown_call")
        yield* Effect.logWarning("A callback is about a call that is not known").pipe(
          Effect.annotateLogs({ providerCallId: report.providerCallId, ref: report.ref, report: report.report._tag })
        )
      }
    }
    if (reports.length === 0) yield* count("nothing")
    return accepted
  })

  /** What the adapter says of a callback, whose body is read if it may be the provider's. */
  const judge = (head: CallbackHead, request: HttpServerRequest, now: DateTime.Utc) =>
    Effect.suspend(() =>
      provider.mayBeAuthentic(head, now)
        ? readBody(request, provider.maxCallbackBytes, (body) => provider.ingest({ ...head, body }, now))
        : Effect.succeed<Ingested>({ _tag: "BadSignature" })
    ).pipe(Effect.catchDefect((error) => Effect.succeed({ _tag: "Broken", error } as const)))

  const take = Effect.fnUntraced(function* (head: CallbackHead, request: HttpServerRequest) {
    const said = yield* judge(head, request, yield* DateTime.now)
    switch (said._tag) {
      case "Broken":
        yield* count("failed")
        // Not the error itself, whose message may show what it could not read.
        yield* Effect.logError("The adapter broke on a callback").pipe(
          Effect.annotateLogs({ error: said.error instanceof Error ? said.error.name : typeof said.error })
        )
        return refuse(unexpected)
      case "BadSignature":
        yield* count("bad_signature")
        // The query may hold what is secret.
        yield* warnOfSignature.pipe(
          Effect.annotateLogs({ url: head.url.replace(/\?.*/s, "") }),
          LogEvent.annotate("callback.signature_refused")
        )
        return refuse(wrongSignature)
      case "Malformed":
        yield* count("malformed")
        yield* Effect.logWarning("A callback cannot be read").pipe(Effect.annotateLogs({ reason: said.reason }))
        return refuse(unreadable)
      case "Reported":
        return yield* apply(said.reports)
    }
  })

  // A repeat would bring the same.
  const notReadable = ({ problems }: ValidationError) =>
    count("malformed").pipe(
      Effect.andThen(Effect.logWarning("A callback reports what no call can have")),
      Effect.annotateLogs({ fields: problems.map(({ field }) => field).join(", ") }),
      Effect.as(refuse(unreadable))
    )

  const notKept = (error: StorageError) =>
    count("failed").pipe(
      Effect.andThen(Outage.log("Warn", "A callback could not be kept", error)),
      Effect.as(refuse(problemOf(error)))
    )

  const handler = Effect.flatMap(HttpServerRequest, (request) => {
    const { headers, method, url } = request
    return take({ method, url: base + withoutBase(basePath, url), headers }, request)
  }).pipe(
    Effect.catchTags({
      StorageError: notKept,
      ValidationError: notReadable,
      PayloadTooLarge: (error) => Effect.as(count("too_large"), refuse(problemOf(error))),
      BodyNotHeld: () => Effect.as(Effect.andThen(count("busy"), warnOfBusy), refuse(busy)),
      BodyTooSlow: () => Effect.as(Effect.andThen(count("too_slow"), warnOfSlow), refuse(slow)),
      BodyBroken: () => Effect.as(count("malformed"), refuse(unreadable))
    }),
    Effect.annotateLogs({ provider: provider.name }),
    Effect.withSpan("Callbacks.take", { attributes: { provider: provider.name } })
  )

  /** The variables of a running call, for the program that talks: the signature of the link stands in for a key. */
  const variables = Effect.flatMap(HttpServerRequest, ({ headers, method, url }) =>
    Effect.suspend(() => {
      const ref = provider.variablesOf({ method: method === "HEAD" ? "GET" : method, url: base + url, headers })
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
    Effect.withSpan("Callbacks.variables", { attributes: { provider: provider.name } })
  )

  const path = `/providers/${provider.name}` as const
  const routes: ReadonlyArray<ExtraRoute> = [
    { method: "POST", path: `${path}/*`, handler, operation: "providers.callback" },
    { method: "GET", path: `${path}/variables`, handler: variables, operation: "providers.variables" }
  ]
  return routes
})
