import { actingOf, Principal } from "@frontdesk/core/access/Principal"
import { CurrentActing, type Origin } from "@frontdesk/core/audit/Acting"
import type * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import type { ApiRequest } from "./ApiRequest.ts"
import type { OperationRoute } from "./Route.ts"
import type * as Router from "./Router.ts"

/**
 * Returns the `Content-Length` of a request in bytes, at most the maximum size of a body. Returns 0 for a chunked body.
 */
export const statedLength = ({ headers }: ApiRequest, maxSize: ByteSize.ByteSize): number =>
  Math.min(Number(headers["content-length"] ?? 0) || 0, Number(maxSize))

/**
 * Returns the first path of the endpoint with the values of this request. The scope of an idempotency key is therefore
 * the same for every alias of the path, however a client percent-encodes the values (D-IDEM-2).
 */
export const pathOf = (route: OperationRoute, params: Router.Found["params"]): string =>
  route.canonicalPath.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "")

/** Returns whether a request carries the signature of a link instead of a key. */
export const isSigned = (authorization: string | undefined, query: string, parameter: string): boolean =>
  authorization === undefined && new URLSearchParams(query).has(parameter)

/** Returns the work of a request, done by its caller. */
export const asCaller = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  principal: Principal["Service"],
  origin: Origin
): Effect.Effect<A, E, Exclude<R, Principal>> =>
  Effect.provideService(Effect.provideService(work, CurrentActing, actingOf(principal, origin)), Principal, principal)

/** A request whose key, permission and rate limit have been checked. */
export interface AuthorizedRequest {
  readonly params: Router.Found["params"]
  readonly query: string
  readonly principal: Principal["Service"]
  readonly bytes: Uint8Array
}
