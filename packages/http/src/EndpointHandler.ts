import type { Principal } from "@frontdesk/core/access/Principal"
import type * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { HttpError } from "./HttpError.ts"

/** The input of a handler: the decoded path, query and body, as far as the endpoint has them. */
export type Input<Endpoint> = Pick<
  HttpApiEndpoint.Request<Endpoint>,
  Extract<keyof HttpApiEndpoint.Request<Endpoint>, "params" | "query" | "payload">
>

/** The function that executes the operation of an endpoint and returns one of the endpoint's successes. */
export type EndpointHandler<Endpoint, R> = (
  input: Input<Endpoint>
) => Effect.Effect<HttpApiEndpoint.Success<Endpoint>["Type"], HttpError, R>

/**
 * The handlers of a group, one for each endpoint. A missing handler, or one that returns something else than its
 * endpoint declares, does not compile.
 */
export type GroupHandlers<Group extends HttpApiGroup.Constraint> = {
  readonly [Name in keyof Group["endpoints"]]: EndpointHandler<Group["endpoints"][Name], Principal>
}

/** The handlers for requests that carry the signature of a link instead of a key. They have no caller. */
export type SignedHandlers<Group extends HttpApiGroup.Constraint, Name extends keyof Group["endpoints"]> = {
  readonly [N in Name]: EndpointHandler<Group["endpoints"][N], never>
}
