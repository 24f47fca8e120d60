import type { AuthenticationRequired, InvalidKey, InvalidSession } from "@frontdesk/core/access/AccessError"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { refusal } from "@frontdesk/core/access/Authorization"
import { CurrentActing, type Origin } from "@frontdesk/core/audit/Acting"
import { program } from "@frontdesk/core/audit/Actor"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { BasePath } from "@frontdesk/core/values/BasePath"
import { CurrentExecution } from "@frontdesk/core/idempotency/CurrentExecution"
import { Idempotency } from "@frontdesk/core/idempotency/Idempotency"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { ValidationError } from "@frontdesk/core/values/ValidationError"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Dashboard from "../dashboard/Dashboard.ts"
import { handlers, signedHandlers } from "../Handlers.ts"
import type { HttpError } from "../HttpError.ts"
import {
  defaultMaxBodySize,
  defaultMaxConcurrentRequests,
  defaultMaxRequests,
  type HostCaller,
  type HttpOptions
} from "../HttpOptions.ts"
import * as Admission from "./Admission.ts"
import * as BodyMemory from "./BodyMemory.ts"
import * as Body from "./Body.ts"
import * as RateLimitBuckets from "./RateLimitBuckets.ts"
import * as CallerCache from "./CallerCache.ts"
import { Commit } from "./IdempotentCommit.ts"
import * as ClientAddress from "./ClientAddress.ts"
import * as Cors from "./Cors.ts"
import * as RequestCost from "./RequestCost.ts"
import { bearer } from "./Credentials.ts"
import type { ApiRequest } from "./ApiRequest.ts"
import { adopt, type Answer, type Exchange } from "./Exchange.ts"
import * as IdempotentExecution from "./IdempotentExecution.ts"
import * as FairScheduler from "./FairScheduler.ts"
import * as KeyScope from "./KeyScope.ts"
import { CallerUnknown, type CrossSiteRequest, MethodNotAllowed, RateLimited, RouteNotFound } from "./RequestError.ts"
import { compile, type OperationRoute, type Parts, type FurtherRoute, type Route } from "./Route.ts"
import { asCaller, type AuthorizedRequest, isSigned, statedLength } from "./RequestFacts.ts"
import * as Target from "./Target.ts"

/** The date since which the unversioned path is deprecated, 2026-11-01, in the form of RFC 9745. */
const deprecatedSince = "@1793491200"

/**
 * Makes the function that handles every request, with the checks in the order of D-HTTP-1: route, method,
 * key present, key valid, permission, rate limit, size, media type, JSON, fields, references, state rules.
 *
 * - A request of a key without the permission also consumes its cost from the bucket of the key (D-RATE-3).
 * - Three kinds of requests consume from the bucket of the client's address: those without a valid key, those with the
 *   signature of a link, and those for a limited plain route (D-RATE-5).
 * - The number of requests that run at once is limited, and callers take turns (`Admission`). When too many wait, one of
 *   them fails. A request waits before its key is looked up; a request with a body waits again when its body is there.
 * - A request is not counted while its body arrives, so that a slow client does not keep other requests out. Arriving
 *   bodies have a limit of their own (`BodyMemory`).
 */
export const make = Effect.fnUntraced(function* (options: HttpOptions, plainRoutes: ReadonlyArray<Route>) {
  const apiKeys = yield* ApiKeys
  const limiter = yield* RateLimiter
  const crypto = yield* Crypto
  const basePath = yield* BasePath
  const deprecated = {
    deprecation: deprecatedSince,
    link: `<${basePath}/api/v1/webhooks/create>; rel="successor-version"`
  }
  const idempotency = yield* Idempotency
  const keyScope = yield* KeyScope.make
  const operations =
    options.api === false
      ? []
      : compile(yield* handlers(`${basePath}${options.dashboard?.mount ?? ""}`), yield* signedHandlers)
  const dashboard =
    options.dashboard === undefined ? undefined : yield* Dashboard.make(options.dashboard, options.brotli)
  const findRoute = Target.finder([...operations, ...plainRoutes, ...(dashboard?.routes ?? [])], basePath)
  const find =
    dashboard === undefined ? findRoute : Target.withDashboard(findRoute, Target.finder(operations, ""), dashboard)
  const addressOf = ClientAddress.make(options.trustedProxies ?? 0)
  const originOf = ({ requestId }: Exchange, request: ApiRequest): Origin => ({
    requestId,
    clientAddress: Option.getOrNull(addressOf(request))
  })
  const ofClient = RateLimitBuckets.ofClient(addressOf)
  const callers = CallerCache.make(ofClient)
  const scheduler = yield* FairScheduler.forProgram(options.currentTurn)
  const admit = Admission.make({
    maxRequests: options.maxRequests === undefined ? defaultMaxRequests : options.maxRequests,
    maxConcurrent: options.maxConcurrentRequests ?? defaultMaxConcurrentRequests,
    scheduler
  })
  const cors = Cors.make(options.corsOrigins ?? [])
  const maxBodySize = ByteSize.fromInputUnsafe(options.maxBodySize ?? defaultMaxBodySize)
  const readBody = Body.reader(maxBodySize, options.maxArrivingBytes ?? BodyMemory.defaultMaxBytes)

  const limit = (exchange: Exchange, bucket: string, cost?: number): Effect.Effect<void, RateLimited> =>
    Effect.flatMap(limiter.consume(bucket, cost), (decision) => {
      if (decision === null) return Effect.void
      Object.assign(exchange.headers, RateLimitBuckets.headers(decision))
      if (decision.allowed) return Effect.void
      return Effect.fail(new RateLimited({ retryAfterSeconds: RateLimitBuckets.retryAfterSeconds(decision) }))
    })

  type Refusal =
    | AuthenticationRequired
    | CallerUnknown
    | CrossSiteRequest
    | InvalidKey
    | InvalidSession
    | ValidationError

  /** Fails with the refusal. A request without a valid key consumes from the bucket of its address. */
  const refused = (exchange: Exchange, request: ApiRequest, refusal: Refusal) => {
    callers.forget(request)
    return Effect.andThen(limit(exchange, ofClient(request)), Effect.fail(refusal))
  }

  type Authentication = Effect.Effect<HostCaller, Refusal | RateLimited | StorageError>

  /** Finds the caller by the API key of the request. */
  const byKey = (exchange: Exchange, request: ApiRequest, caller: string): Authentication =>
    Effect.flatMapEager(Effect.fromResult(bearer(request.headers["authorization"])), apiKeys.authenticate).pipe(
      Effect.mapEager((principal) => {
        const { id } = principal.account
        if (caller !== CallerCache.ofAccount(id)) callers.remember(request, id)
        return { principal, bucket: RateLimitBuckets.ofCaller(principal) }
      }),
      Effect.catchTag(["AuthenticationRequired", "InvalidKey", "ValidationError"], (error) =>
        refused(exchange, request, error)
      )
    )

  /** Finds the caller by the function of the program. */
  const byHost = (
    exchange: Exchange,
    request: ApiRequest,
    authenticate: NonNullable<HttpOptions["authenticate"]>
  ): Authentication =>
    Effect.flatMap(authenticate(request), (found) =>
      found === null ? refused(exchange, request, new CallerUnknown({})) : Effect.succeed(found)
    )

  /** Finds the person who sends the request in the dashboard. */
  const byPerson = (
    exchange: Exchange,
    request: ApiRequest,
    authenticate: Dashboard.Dashboard["authenticate"]
  ): Authentication =>
    Effect.catchTag(authenticate(request), ["CrossSiteRequest", "InvalidSession", "CallerUnknown"], (error) =>
      refused(exchange, request, error)
    )

  /** Returns the caller after the checks of its permission and its rate limit. */
  const authorize = Effect.fnUntraced(function* (
    exchange: Exchange,
    request: ApiRequest,
    { query, route }: Target.OperationTarget,
    authentication: Authentication
  ) {
    const found = yield* authentication
    const { bucket, principal } = found
    const cost = route.cost(query) + (route.takesBody ? RequestCost.ofBody(statedLength(request, maxBodySize)) : 0)
    const limited = limit(exchange, bucket, cost)
    const refused = refusal(principal, route.operation)
    if (refused !== undefined) {
      // The request consumes its cost. The missing permission is reported even when the rate limit is used up.
      yield* Effect.ignore(limited)
      return yield* refused
    }
    yield* limited
    return found
  })

  /** Executes an authorized request, once for each idempotency key. */
  const execute = Effect.fnUntraced(function* (
    exchange: Exchange,
    request: ApiRequest,
    route: OperationRoute,
    { bytes, params, principal, query }: AuthorizedRequest
  ): Effect.fn.Return<Answer, HttpError> {
    const { headers } = request
    const body = yield* Body.parse(bytes, headers)
    // A dry run changes nothing, so its idempotency key is ignored.
    const key =
      route.takesIdempotencyKey && body["dry_run"] !== true
        ? yield* Effect.fromResult(IdempotentExecution.idempotencyKey(headers["idempotency-key"]))
        : undefined
    const input = yield* Effect.fromResult(route.decode({ path: params, query, body }))

    const answer = Effect.flatMap(asCaller(route.handle(input), principal, originOf(exchange, request)), route.encode)
    if (key === undefined) return yield* answer
    const recording = Effect.flatMap(CurrentExecution, ({ record }) =>
      Effect.provideService(answer, Commit, (value) => Effect.flatMap(route.encode(value), record))
    )
    const scope = yield* keyScope(route, params, principal, key)
    return yield* IdempotentExecution.once(
      exchange,
      idempotency,
      { scope, requestHash: yield* crypto.sha256Hex(bytes) },
      route,
      recording
    )
  })

  /** Executes a request with the signature of a link, which has no caller. */
  const executeSigned = Effect.fnUntraced(function* (
    exchange: Exchange,
    request: ApiRequest,
    { decode, encode }: OperationRoute,
    handle: NonNullable<OperationRoute["signed"]>["handle"],
    parts: Parts
  ): Effect.fn.Return<Answer, HttpError> {
    yield* limit(exchange, ofClient(request))
    const input = yield* Effect.fromResult(decode(parts))
    return yield* encode(yield* handle(input))
  })

  /** Authorizes a request in the queue of a caller, and then reads its body. */
  const withBody = Effect.fnUntraced(function* <E>(
    exchange: Exchange,
    request: ApiRequest,
    caller: string,
    authorization: Effect.Effect<HostCaller, E>
  ) {
    const { bucket, principal } = yield* admit(caller)(authorization)
    const bytes = yield* readBody(request, (next) => {
      if (!scheduler.tryRun(caller, next)) next()
    })
    // A chunked body has no `Content-Length`, so its cost is not consumed yet.
    const unstated = RequestCost.ofBody(bytes.length) - RequestCost.ofBody(statedLength(request, maxBodySize))
    if (unstated > 0) yield* limit(exchange, bucket, unstated)
    return { bucket, bytes, principal }
  })

  const operateWithBody = Effect.fnUntraced(function* (
    exchange: Exchange,
    request: ApiRequest,
    target: Target.OperationTarget,
    caller: string,
    authentication: Authentication
  ): Effect.fn.Return<Answer, HttpError> {
    const { params, query, route } = target
    const authorization = authorize(exchange, request, target, authentication)
    const { bytes, principal } = yield* withBody(exchange, request, caller, authorization)
    return yield* admit(CallerCache.ofAccount(principal.account.id))(
      execute(exchange, request, route, { params, query, principal, bytes })
    )
  })

  /** Returns the response to a request to a further route for callers. */
  const answerCaller = Effect.fnUntraced(function* (
    exchange: Exchange,
    request: ApiRequest,
    route: FurtherRoute
  ): Effect.fn.Return<HttpServerResponse.HttpServerResponse, HttpError> {
    const known = callers.of(request)
    const { authenticate } = options
    const authentication =
      authenticate === undefined ? byKey(exchange, request, known) : byHost(exchange, request, authenticate)
    const cost = 1 + RequestCost.ofBody(statedLength(request, maxBodySize))
    const authorization = Effect.tap(authentication, ({ bucket }) => limit(exchange, bucket, cost))
    const { bucket, bytes, principal } = yield* withBody(exchange, request, known, authorization)
    const { headers, method } = request
    const { cost: further = 0, response } = route.handler({ method, headers, body: bytes })
    if (further > 0) yield* limit(exchange, bucket, further)
    return yield* admit(CallerCache.ofAccount(principal.account.id))(
      asCaller(response, principal, originOf(exchange, request))
    )
  })

  /** Executes a request in the queue of a caller. */
  const operateAs = (
    exchange: Exchange,
    request: ApiRequest,
    target: Target.OperationTarget,
    caller: string,
    authentication: Authentication
  ): Effect.Effect<Answer, HttpError> => {
    const { params, query, route } = target
    exchange.turn = FairScheduler.turn(scheduler, caller)
    if (route.takesBody) return operateWithBody(exchange, request, target, caller, authentication)
    const work = Effect.flatMap(authorize(exchange, request, target, authentication), ({ principal }) =>
      execute(exchange, request, route, { params, query, principal, bytes: Body.noBytes })
    )
    return admit(caller)(work)
  }

  const operate = (
    exchange: Exchange,
    request: ApiRequest,
    target: Target.OperationTarget,
    caller: string
  ): Effect.Effect<Answer, HttpError> => {
    const { params, query, route } = target
    exchange.operation = route.operation
    if (route.deprecated) Object.assign(exchange.headers, deprecated)
    const asFound = (authentication: Effect.Effect<HostCaller, HttpError>) =>
      Effect.flatMap(authentication, (found) =>
        operateAs(exchange, request, target, CallerCache.ofAccount(found.principal.account.id), Effect.succeed(found))
      )
    if (target.isOfDashboard === true && dashboard !== undefined) {
      // The person is found in the queue of the client's address. From then on the queue is that of the account.
      return asFound(admit(ofClient(request))(byPerson(exchange, request, dashboard.authenticate)))
    }
    if (route.signed !== undefined && isSigned(request.headers["authorization"], query, route.signed.parameter)) {
      const work = executeSigned(exchange, request, route, route.signed.handle, { path: params, query, body: {} })
      return admit(ofClient(request))(work)
    }
    if (options.authenticate === undefined) {
      return operateAs(exchange, request, target, caller, byKey(exchange, request, caller))
    }
    return asFound(byHost(exchange, request, options.authenticate))
  }

  const answerOther = Effect.fnUntraced(function* (
    exchange: Exchange,
    request: ApiRequest,
    target: Target.OtherTarget
  ): Effect.fn.Return<HttpServerResponse.HttpServerResponse, HttpError, HttpServerRequest> {
    switch (target._tag) {
      case "Unknown":
        return yield* new RouteNotFound({})
      case "OtherMethod":
        return yield* new MethodNotAllowed({ allow: target.allow })
      case "Options":
        Object.assign(
          exchange.headers,
          { allow: target.allow },
          cors.preflight(request.headers["origin"], target.allow)
        )
        return HttpServerResponse.empty({ headers: exchange.headers })
      case "Caller":
        exchange.operation = target.route.operation
        return adopt(exchange, yield* answerCaller(exchange, request, target.route))
      case "Plain": {
        const { route } = target
        exchange.operation = route.operation ?? "none"
        const handler = Effect.provideService(route.handler, CurrentActing, {
          actor: program,
          accountId: null,
          ...originOf(exchange, request)
        })
        if (route.isLimited !== true) return adopt(exchange, yield* handler)
        const bucket = ofClient(request)
        const limited = limit(exchange, bucket)
        if (route.waitsForBody !== true) return adopt(exchange, yield* admit(bucket)(Effect.andThen(limited, handler)))
        yield* admit(bucket)(limited)
        return adopt(exchange, yield* handler)
      }
    }
  })

  const pipeline: Pipeline = {
    corsHeaders: ({ headers }) => cors.headers(headers["origin"]),
    find,
    operate,
    answerOther,
    callerOf: callers.of,
    scheduler
  }
  return pipeline
})

/** The steps of a request. */
export interface Pipeline {
  /** Returns the CORS headers of the response to a request. */
  readonly corsHeaders: (request: ApiRequest) => Readonly<Record<string, string>>
  /** Finds what a request is for. */
  readonly find: Target.Find
  /** Returns the answer to a request of a caller to an operation. */
  readonly operate: (
    exchange: Exchange,
    request: ApiRequest,
    target: Target.OperationTarget,
    caller: string
  ) => Effect.Effect<Answer, HttpError>
  /** Returns the response to any other request. */
  readonly answerOther: (
    exchange: Exchange,
    request: ApiRequest,
    target: Target.OtherTarget
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, HttpError, HttpServerRequest>
  /** Returns the caller of a request, as far as it is known before the key has been looked up. */
  readonly callerOf: (request: ApiRequest) => string
  /** Divides the thread among callers. */
  readonly scheduler: FairScheduler.FairScheduler
}
