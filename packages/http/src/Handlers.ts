import type { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import type { AuthenticationRequired, InvalidKey, PermissionDenied } from "@frontdesk/core/access/AccessError"
import type { Principal } from "@frontdesk/core/access/Principal"
import type { Agents } from "@frontdesk/core/agent/Agents"
import type { Availability } from "@frontdesk/core/availability/Availability"
import type { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import type { Calls } from "@frontdesk/core/call/Calls"
import type { Contacts } from "@frontdesk/core/contact/Contacts"
import type {
  IdempotencyAnswerLost,
  IdempotencyInProgress,
  IdempotencyKeyReuse
} from "@frontdesk/core/idempotency/IdempotencyError"
import type { BusinessContext } from "@frontdesk/core/business-context/BusinessContext"
import type { ContextVariables } from "@frontdesk/core/variable/ContextVariables"
import type { MissingParameter, ValidationError } from "@frontdesk/core/values/ValidationError"
import type { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { agentHandlers } from "./agent/AgentHandlers.ts"
import type { Api } from "./Api.ts"
import { availabilityHandlers, eventHandlers, signedEventHandlers } from "./calendar/CalendarHandlers.ts"
import { type CallContactNotFound, callHandlers } from "./call/CallHandlers.ts"
import { contactHandlers } from "./contact/ContactHandlers.ts"
import type { RequestError } from "./request/RequestError.ts"
import { businessHandlers, variableHandlers } from "./variable/VariableHandlers.ts"
import { webhookHandlers } from "./webhook/WebhookHandlers.ts"

type ErrorOf<Member> =
  Member extends Effect.Effect<unknown, infer E, infer _R>
    ? E
    : Member extends (...args: never) => Effect.Effect<unknown, infer E, infer _R>
      ? E
      : never

type ErrorsOf<Service> = { readonly [K in keyof Service]: ErrorOf<Service[K]> }[keyof Service]

/** Everything that the services behind the API fail with. */
type ServiceError =
  | ErrorsOf<Agents["Service"]>
  | ErrorsOf<Calls["Service"]>
  | ErrorsOf<Contacts["Service"]>
  | ErrorsOf<ContextVariables["Service"]>
  | ErrorsOf<BusinessContext["Service"]>
  | ErrorsOf<CalendarEvents["Service"]>
  | ErrorsOf<Availability["Service"]>
  | ErrorsOf<Webhooks["Service"]>
  | ErrorsOf<Pick<ApiKeys["Service"], "authenticate">>

/** Everything a request can fail with; the error table has a row for each. */
export type HttpError =
  | ServiceError
  | CallContactNotFound
  | RequestError
  | AuthenticationRequired
  | InvalidKey
  | PermissionDenied
  | MissingParameter
  | ValidationError
  | IdempotencyInProgress
  | IdempotencyAnswerLost
  | IdempotencyKeyReuse

/** What a handler is given: the decoded path, query and body of its endpoint, those that it has. */
export type Input<Endpoint> = Pick<
  HttpApiEndpoint.Request<Endpoint>,
  Extract<keyof HttpApiEndpoint.Request<Endpoint>, "params" | "query" | "payload">
>

/**
 * What an endpoint does: it answers one of the endpoint's successes, for a caller or, with a signed link, for anyone.
 */
export type Handler<Endpoint, R> = (
  input: Input<Endpoint>
) => Effect.Effect<HttpApiEndpoint.Success<Endpoint>["Type"], HttpError, R>

/** A handler for each endpoint of a group: one that is missing or answers something else does not compile. */
export type GroupHandlers<Group extends HttpApiGroup.Constraint> = {
  readonly [Name in keyof Group["endpoints"]]: Handler<Group["endpoints"][Name], Principal>
}

/** Handlers for who has a signed link instead of a key. */
export type SignedHandlers<Group extends HttpApiGroup.Constraint, Name extends keyof Group["endpoints"]> = {
  readonly [N in Name]: Handler<Group["endpoints"][N], never>
}

/** A handler for each endpoint of the API, by group and name. */
export type Handlers = {
  readonly [Group in keyof (typeof Api)["groups"]]: GroupHandlers<(typeof Api)["groups"][Group]>
}

/** What every endpoint does, on the services. */
export const handlers = Effect.gen(function* () {
  const all: Handlers = {
    agents: yield* agentHandlers,
    calls: yield* callHandlers,
    contacts: yield* contactHandlers,
    variables: yield* variableHandlers,
    business: yield* businessHandlers,
    events: yield* eventHandlers,
    availability: yield* availabilityHandlers,
    webhooks: yield* webhookHandlers
  }
  return all
})

/** What endpoints do for who has a signed link instead of a key. */
export const signedHandlers = Effect.map(signedEventHandlers, (events) => ({ events }))
