import { CurrentCalendarAuthorizationSite } from "@frontdesk/core/external-calendar/CalendarAuthorizationSite"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServer from "effect/http/HttpServer"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as LogLevel from "effect/LogLevel"
import * as Scheduler from "effect/Scheduler"
import * as Untraced from "./dashboard/Untraced.ts"
import type { HttpError } from "./HttpError.ts"
import type { HttpOptions } from "./HttpOptions.ts"
import * as Documentation from "./openapi/Documentation.ts"
import * as CalendarCallback from "./provider/CalendarCallback.ts"
import * as ApiRequests from "./request/ApiRequest.ts"
import type { ApiRequest } from "./request/ApiRequest.ts"
import {
  type Answer,
  type ApiResponse,
  type Exchange,
  respond,
  responseOf,
  securityHeaders
} from "./request/Exchange.ts"
import { failureAnswer } from "./request/FailureResponse.ts"
import * as RequestMetrics from "./request/RequestMetrics.ts"
import * as Pipeline from "./request/Pipeline.ts"
import * as RequestId from "./request/RequestId.ts"

/** The API as an effect that returns the response to the request in its context. It never fails. */
export type App = Effect.Effect<HttpServerResponse, never, HttpServerRequest>

/** A request that is being answered. */
export interface RunningOperation {
  /** Interrupts the request unless it has been answered, and waits until it has ended. */
  readonly interrupt: Effect.Effect<void>
}

/** The API for servers of all kinds. */
export interface RequestHandlers {
  /** Returns the response to any request, for a server of Effect. */
  readonly app: App
  /**
   * Starts to answer a request to an operation of the API, without a server of Effect. `answer` is called once, with the
   * response or with an interruption. Returns undefined for any other request, for which `app` has the response.
   */
  readonly operation: (
    request: ApiRequest,
    answer: (exit: Exit.Exit<ApiResponse>) => void
  ) => RunningOperation | undefined
}

/**
 * Makes the API on the services of core. Routes, decoders and encoders are prepared here once, and not for each
 * request.
 *
 * Every response has an `X-Request-Id` header. Every log line of the request has the same id as the annotation
 * `requestId`.
 */
export const requestHandlers = Effect.fnUntraced(function* (options: HttpOptions = {}) {
  const site = yield* CurrentCalendarAuthorizationSite
  const callback = options.api === false || site === null ? [] : [yield* CalendarCallback.route]
  const extra = [
    ...callback.map((route) => ({ ...route, _tag: "Plain" as const })),
    ...(options.extra ?? []).map((route) => ({ ...route, _tag: "Plain" as const })),
    ...(options.callerRoutes ?? []).map((route) => ({ ...route, _tag: "Caller" as const }))
  ]
  const pipeline = yield* Pipeline.make(
    options,
    options.docs === false ? extra : [...(yield* Documentation.make(options.brotli)), ...extra]
  )
  const requestId = yield* RequestId.make
  const observe = RequestMetrics.make()

  /** Runs a request. A failure becomes an answer, which `fromAnswer` turns into a response. */
  const handled = <Response extends { readonly status: number }, R>(
    request: ApiRequest,
    run: (exchange: Exchange) => Effect.Effect<Response, HttpError, R>,
    fromAnswer: (exchange: Exchange, answer: Answer) => Response
  ): Effect.Effect<Response, never, R> =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const startedAt = clock.currentTimeNanosUnsafe()
      const id = requestId(request.headers["x-request-id"])
      const exchange: Exchange = {
        requestId: id,
        operation: "none",
        turn: Effect.yieldNow,
        headers: {
          "x-request-id": id,
          "cache-control": "no-store",
          ...securityHeaders,
          ...pipeline.corsHeaders(request)
        }
      }
      const observed = (response: Response): Effect.Effect<Response> => {
        const millis = Number(clock.currentTimeNanosUnsafe() - startedAt) / 1_000_000
        observe(fiber.context, exchange.operation, response.status, millis)
        if (!LogLevel.isLessThanOrEqualTo(fiber.cache.minimumLogLevel, "Debug")) return Effect.succeed(response)
        return Effect.annotateLogs(Effect.as(Effect.logDebug("request"), response), {
          method: request.method,
          operation: exchange.operation,
          status: response.status,
          durationMs: millis
        })
      }
      const answered = Effect.matchCauseEffect(run(exchange), {
        onSuccess: observed,
        onFailure: (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.flatMap(failureAnswer(exchange, cause), (answer) => observed(fromAnswer(exchange, answer)))
      })
      return Effect.annotateLogs(answered, "requestId", id)
    })

  const app: App = Effect.flatMap(HttpServerRequest, (given) => {
    const request = ApiRequests.ofEffect(given)
    const target = pipeline.find(request)
    const run = (exchange: Exchange) =>
      target._tag === "Operation"
        ? Effect.map(pipeline.operate(exchange, request, target, pipeline.callerOf(request)), (answer) =>
            respond(exchange, answer)
          )
        : pipeline.answerOther(exchange, request, target)
    return handled(request, run, respond)
  })

  const context = yield* Effect.context<never>()
  const contexts = new WeakMap<Scheduler.Scheduler, Context.Context<never>>()
  /** Returns the context of the fibers of a caller. It is made once, because each fiber caches what it derives from it. */
  const contextOf = (caller: string): Context.Context<never> => {
    const scheduler = pipeline.scheduler.of(caller)
    const present = contexts.get(scheduler)
    if (present !== undefined) return present
    // Merging makes one flat map. Each request adds some services, which are only copied beyond a number of them.
    const made = Context.merge(context, Context.make(Scheduler.Scheduler, scheduler))
    contexts.set(scheduler, made)
    return made
  }

  const operation: RequestHandlers["operation"] = (request, answer) => {
    const target = pipeline.find(request)
    if (target._tag !== "Operation") return undefined
    const caller = pipeline.callerOf(request)
    let isInterrupted = false
    let fiber: Fiber.Fiber<ApiResponse> | undefined
    pipeline.scheduler.run(caller, () => {
      if (isInterrupted) return answer(Exit.interrupt())
      const answered = handled(
        request,
        (exchange) =>
          Effect.map(pipeline.operate(exchange, request, target, caller), (answer) => responseOf(exchange, answer)),
        responseOf
      )
      fiber = Effect.runForkWith(contextOf(caller))(answered)
      fiber.addObserver(answer)
    })
    return {
      interrupt: Effect.suspend(() => {
        isInterrupted = true
        return fiber === undefined ? Effect.void : Fiber.interrupt(fiber)
      })
    }
  }

  return { app, operation } satisfies RequestHandlers
})

/** Makes the API for a server of Effect, like {@link requestHandlers}. */
export const make = (options?: HttpOptions) => Effect.map(requestHandlers(options), ({ app }) => app)

/** Serves the API on the `HttpServer` in the context, with the services of core. */
export const layerServe = (options: HttpOptions = {}) =>
  Layer.unwrap(Effect.map(make(options), (app) => HttpServer.serve(app))).pipe(Layer.provide(Untraced.layer))

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
    const web = HttpEffect.toWebHandlerLayerWith(Layer.merge(services, Untraced.layer), {
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
