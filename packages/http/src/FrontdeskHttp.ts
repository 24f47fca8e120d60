import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServer from "effect/http/HttpServer"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as LogLevel from "effect/LogLevel"
import * as References from "effect/References"
import type { HttpOptions } from "./HttpOptions.ts"
import * as Documentation from "./openapi/Documentation.ts"
import { type Exchange, respond, securityHeaders } from "./request/Exchange.ts"
import { failureAnswer } from "./request/FailureResponse.ts"
import * as RequestMetrics from "./request/RequestMetrics.ts"
import * as Pipeline from "./request/Pipeline.ts"
import * as RequestId from "./request/RequestId.ts"

/** The API as an effect that returns the response to the request in its context. It never fails. */
export type App = Effect.Effect<HttpServerResponse, never, HttpServerRequest>

/**
 * Makes the API on the services of core. Routes, decoders and encoders are prepared here once, and not for each
 * request.
 *
 * Every response has an `X-Request-Id` header. Every log line of the request has the same id as the annotation
 * `requestId`.
 */
export const make = Effect.fnUntraced(function* (options: HttpOptions = {}) {
  const extra = (options.extra ?? []).map((route) => ({ ...route, _tag: "Plain" as const }))
  const run = yield* Pipeline.make(
    options,
    options.docs === false ? extra : [...(yield* Documentation.make(options.brotli)), ...extra]
  )
  const requestId = yield* RequestId.make
  const observe = RequestMetrics.make()

  const app: App = Effect.gen(function* () {
    const request = yield* HttpServerRequest
    const startedAt = yield* Clock.currentTimeNanos
    const id = requestId(request.headers["x-request-id"])
    const exchange: Exchange = {
      requestId: id,
      operation: "none",
      turn: Effect.yieldNow,
      headers: { "x-request-id": id, "cache-control": "no-store", ...securityHeaders }
    }
    const response = yield* run(exchange, request).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.map(failureAnswer(exchange, cause), (answer) => respond(exchange, answer))
      ),
      Effect.annotateLogs("requestId", id)
    )
    const millis = Number((yield* Clock.currentTimeNanos) - startedAt) / 1_000_000
    observe(yield* Effect.context<never>(), exchange.operation, response.status, millis)
    if (LogLevel.isLessThanOrEqualTo(yield* References.MinimumLogLevel, "Debug")) {
      yield* Effect.annotateLogs(Effect.logDebug("request"), {
        requestId: id,
        method: request.method,
        operation: exchange.operation,
        status: response.status,
        durationMs: millis
      })
    }
    return response
  })
  return app
})

/** Serves the API on the `HttpServer` in the context, with the services of core. */
export const layerServe = (options: HttpOptions = {}) =>
  Layer.unwrap(Effect.map(make(options), (app) => HttpServer.serve(app)))

/** The services that the API needs: those of core, `Crypto` and a `RateLimiter`. */
export type Services = Effect.Services<ReturnType<typeof make>>

/**
 * Returns the API as a function from a standard `Request` to a standard `Response`, to embed it in another framework.
 *
 * The services are built at the first request. The function can therefore be called at module scope, where some
 * runtimes such as Cloudflare Workers allow neither timers nor randomness. If the services cannot be built, for example
 * because the database cannot be reached, the waiting requests are rejected and the next request builds the services
 * again. `dispose` releases the services.
 */
export const toWebHandler = <E>(
  services: Layer.Layer<Services, E>,
  options: HttpOptions = {}
): { readonly handler: (request: Request) => Promise<Response>; readonly dispose: () => Promise<void> } => {
  const build = () => {
    let isBuilt = false
    const web = HttpEffect.toWebHandlerLayerWith(services, {
      toHandler: (context) =>
        Effect.map(Effect.provideContext(make(options), context), (app) => {
          isBuilt = true
          return app
        })
    })
    const handler = async (request: Request): Promise<Response> => {
      try {
        return await web.handler(request)
      } catch (error) {
        if (!isBuilt) {
          if (built?.handler === handler) built = undefined
          await web.dispose()
        }
        throw error
      }
    }
    return { handler, dispose: web.dispose }
  }
  let built: ReturnType<typeof build> | undefined
  return {
    handler: (request) => {
      built ??= build()
      return built.handler(request)
    },
    dispose: () => built?.dispose() ?? Promise.resolve()
  }
}
