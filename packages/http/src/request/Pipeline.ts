import { PermissionDenied } from "@frontdesk/core/access/AccessError"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { isAllowed } from "@frontdesk/core/access/Authorization"
import { permissions } from "@frontdesk/core/access/Operation"
import { Principal } from "@frontdesk/core/access/Principal"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Idempotency } from "@frontdesk/core/idempotency/Idempotency"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { handlers, type HttpError, signedHandlers } from "../Handlers.ts"
import { defaultMaxBodySize, type HttpOptions } from "../HttpOptions.ts"
import * as Body from "./Body.ts"
import * as Cors from "./Cors.ts"
import { bearer } from "./Credentials.ts"
import { adopt, type Answer, type Exchange, respond } from "./Exchange.ts"
import * as Execution from "./Execution.ts"
import * as RateLimitHeaders from "./RateLimitHeaders.ts"
import { MethodNotAllowed, RateLimited, RouteNotFound } from "./RequestError.ts"
import { compile, type OperationRoute, type Route } from "./Route.ts"
import * as Router from "./Router.ts"

/** Since when the unversioned path should no longer be used, as RFC 9745 writes it: 2026-11-01. */
const deprecated = { deprecation: "@1793491200", link: '</api/v1/webhooks/create>; rel="successor-version"' }

/**
 * Answers requests, in the order of the contract's checks (Decisions 2, "Order of checks"): route, method, key present,
 * key valid, permission, rate limit, size, media type, JSON, fields, references, state rules.
 */
export const make = Effect.fnUntraced(function* (options: HttpOptions, others: ReadonlyArray<Route>) {
  const apiKeys = yield* ApiKeys
  const limiter = yield* RateLimiter
  const crypto = yield* Crypto
  const idempotency = yield* Idempotency
  const find = Router.make([...compile(yield* handlers, yield* signedHandlers), ...others])
  const cors = Cors.make(options.corsOrigins ?? [])
  const maxBodySize = ByteSize.fromInputUnsafe(options.maxBodySize ?? defaultMaxBodySize)

  const limit = Effect.fnUntraced(function* (exchange: Exchange, principal: Principal["Service"]) {
    const decision = yield* limiter.take(`key:${principal.apiKeyId}`)
    if (decision === null) return
    Object.assign(exchange.headers, RateLimitHeaders.headers(decision))
    if (decision.allowed) return
    return yield* new RateLimited({ retryAfterSeconds: RateLimitHeaders.retryAfterSeconds(decision) })
  })

  const fingerprint = (bytes: Uint8Array) => Effect.map(crypto.sha256(bytes), Hex.encode)

  const operate = Effect.fnUntraced(function* (
    exchange: Exchange,
    request: HttpServerRequest,
    route: OperationRoute,
    { params, query }: { readonly params: Router.Found["params"]; readonly query: string }
  ): Effect.fn.Return<Answer, HttpError> {
    exchange.operation = route.operation
    if (route.deprecated) Object.assign(exchange.headers, deprecated)
    const { headers } = request
    if (route.signed !== undefined && isSigned(headers["authorization"], query, route.signed.parameter)) {
      const input = yield* Effect.fromResult(route.decode({ path: params, query, body: {} }))
      return route.encode(yield* route.signed.handle(input))
    }

    const principal = yield* apiKeys.authenticate(yield* Effect.fromResult(bearer(headers["authorization"])))
    if (!isAllowed(principal, route.operation)) {
      return yield* new PermissionDenied({ permission: permissions[route.operation] })
    }
    yield* limit(exchange, principal)

    const bytes = route.takesBody ? yield* Body.read(request, maxBodySize) : nothing
    const body = yield* Effect.fromResult(Body.parse(bytes, headers))
    const key = route.takesIdempotencyKey
      ? yield* Effect.fromResult(Execution.idempotencyKey(headers["idempotency-key"]))
      : undefined
    const input = yield* Effect.fromResult(route.decode({ path: params, query, body }))

    const answer = Effect.map(Effect.provideService(route.handle(input), Principal, principal), route.encode)
    if (key === undefined) return yield* answer
    const scope = { accountId: principal.account.id, method: route.method, path: pathOf(route, params), key }
    return yield* Execution.once(
      exchange,
      idempotency,
      { scope, fingerprint: yield* fingerprint(bytes) },
      route.atomic,
      answer
    )
  })

  return Effect.fnUntraced(function* (
    exchange: Exchange,
    request: HttpServerRequest
  ): Effect.fn.Return<HttpServerResponse.HttpServerResponse, HttpError, HttpServerRequest> {
    const { headers, method, url } = request
    Object.assign(exchange.headers, cors.headers(headers["origin"]))
    const mark = url.indexOf("?")
    const path = mark === -1 ? url : url.slice(0, mark)
    const query = mark === -1 ? "" : url.slice(mark + 1)

    const found = find(path)
    if (found === undefined) return yield* new RouteNotFound({})
    const { allow, routes } = found.handler
    if (method === "OPTIONS") {
      Object.assign(exchange.headers, { allow }, cors.preflight(headers["origin"], allow))
      return HttpServerResponse.empty({ headers: exchange.headers })
    }
    const route = routes.get(method === "HEAD" ? "GET" : method)
    if (route === undefined) return yield* new MethodNotAllowed({ allow })
    if (route._tag === "Plain") {
      exchange.operation = route.operation ?? "none"
      return adopt(exchange, yield* route.handler)
    }
    return respond(exchange, yield* operate(exchange, request, route, { params: found.params, query }))
  })
})

const nothing = new Uint8Array(0)

/** The path as the route writes it, so that an idempotency key counts the same however the path was escaped. */
const pathOf = (route: OperationRoute, params: Router.Found["params"]): string =>
  route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "")

/** Whether a request shows a signed link instead of a key. */
const isSigned = (authorization: string | undefined, query: string, parameter: string): boolean =>
  authorization === undefined && new URLSearchParams(query).has(parameter)
