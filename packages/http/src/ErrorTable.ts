import type { OwnerAction } from "@frontdesk/core/access/AccessError"
import { limitText } from "@frontdesk/core/access/AccountLimits"
import type { FieldProblem } from "@frontdesk/core/values/ValidationError"
import { invalid, missing } from "@frontdesk/core/values/FieldProblems"
import * as Money from "@frontdesk/core/values/Money"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import * as Match from "effect/Match"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ErrorCode } from "./ErrorCode.ts"
import type { HttpError } from "./Handlers.ts"

/** An answer that says what went wrong. Nothing internal is in it. */
export interface Problem {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: ReadonlyArray<FieldProblem>
  readonly headers?: Readonly<Record<string, string>>
}

const problem = (code: ErrorCode, message: string) => (): Problem => ({ code, message })

const bearer = { "www-authenticate": "Bearer" }

const retryAfter = (seconds: number) => ({ "retry-after": String(seconds) })

const later = { service_unavailable: retryAfter(1), concurrency_limit_reached: retryAfter(30) }

/**
 * The headers of a stored answer that is replayed: when to try again, where it was a refusal that passes (with another
 * `Idempotency-Key`).
 */
export const headersOfReplay = (body: string): Problem["headers"] =>
  Option.match(decodeRefusal(body), { onNone: () => ({}), onSome: ({ error }) => later[error] })

const decodeRefusal = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ error: Schema.Literals(["service_unavailable", "concurrency_limit_reached"]) }))
)

const withDetails = (code: ErrorCode, details: ReadonlyArray<FieldProblem>): Problem => {
  const [first] = details
  const message =
    first === undefined || details.length > 1
      ? "Some fields are not valid"
      : `${first.field === "" ? "The body" : first.field}: ${first.message}`
  return { code, message, details }
}

const ownerActions: { readonly [A in OwnerAction]: string } = {
  change_team: "change its team",
  delete: "delete it",
  lift_do_not_call: "take a number off the do-not-call list, or a number of that list off the contact",
  resolve_copy: "decide on a change by hand in its external calendar"
}

/** What is answered when something went wrong that nobody foresaw. */
export const unexpected: Problem = { code: "server_error", message: "Something went wrong on our side" }

/**
 * What is answered to each error, by its tag.
 *
 * The one place where errors of the domain become codes of the contract. An error that a service can fail with and that
 * is not here does not compile.
 */
export const problemOf = Match.typeTags<HttpError, Problem>()({
  // The request.
  RouteNotFound: problem("not_found", "There is nothing at this path"),
  MethodNotAllowed: ({ allow }) => ({
    code: "method_not_allowed",
    message: `This path answers ${allow}`,
    headers: { allow }
  }),
  AuthenticationRequired: () => ({
    code: "authentication_required",
    message: "Send an API key as Authorization: Bearer <API_KEY>",
    headers: bearer
  }),
  InvalidKey: () => ({ code: "invalid_key", message: "The API key is not valid or not active", headers: bearer }),
  PermissionDenied: ({ permission }) => ({
    code: "permission_denied",
    message: `The API key lacks the permission ${permission}`
  }),
  Overloaded: () => ({
    code: "service_unavailable",
    message: "The server has as many requests as it can answer at once. Try again later",
    headers: later.service_unavailable
  }),
  NotOwner: ({ action }) => ({
    code: "permission_denied",
    message: `Only the account that owns it may ${ownerActions[action]}`
  }),
  RateLimited: ({ retryAfterSeconds }) => ({
    code: "rate_limited",
    message: "Too many requests. Wait as long as Retry-After says",
    headers: retryAfter(retryAfterSeconds)
  }),
  PayloadTooLarge: ({ maxBytes }) => ({
    code: "payload_too_large",
    message: `The body is larger than ${maxBytes} bytes`
  }),
  UnsupportedMediaType: problem(
    "unsupported_media_type",
    "Send the body as Content-Type: application/json in UTF-8, not compressed"
  ),
  InvalidJson: ({ reason }) => ({ code: "invalid_json", message: reason }),
  InvalidFields: ({ code, problems }) => withDetails(code, problems),
  IdempotencyInProgress: () => ({
    code: "idempotency_in_progress",
    message: "A request with this Idempotency-Key is still running",
    headers: retryAfter(1)
  }),
  IdempotencyAnswerLost: problem(
    "idempotency_answer_lost",
    "The request with this Idempotency-Key was executed, and its answer was lost. It is not executed again: look for what it made"
  ),
  IdempotencyKeyReuse: problem("idempotency_key_reuse", "This Idempotency-Key was used with another body"),

  // Fields.
  ValidationError: ({ problems }) => withDetails("validation_error", problems),
  MissingParameter: ({ fields }) => ({
    code: "missing_parameter",
    message: `Required: ${fields.join(", ")}`,
    details: fields.map((field) => ({ field, code: missing, message: "This field is required" }))
  }),
  InvalidParameter: ({ message, parameter }) =>
    withDetails("invalid_parameter", [{ field: parameter, code: invalid, message }]),
  InvalidDuration: problem("invalid_duration", "The duration is a whole number of minutes from 1 to 180"),
  InvalidDatetimeFormat: ({ field }) =>
    withDetails("invalid_datetime_format", [
      { field, code: invalid, message: "Expected YYYY-MM-DDTHH:MM:SS, with Z, an offset, or none" }
    ]),
  CalendarUnavailable: ({ provider }) => ({
    code: "provider_unavailable",
    message: `The ${provider} calendar of the account cannot be read at the moment, so it is not known which times are free`
  }),
  InvalidTimeRange: problem("invalid_time_range", "end_time must be after start_time"),
  InvalidPhoneNumber: () =>
    withDetails("invalid_phone_number", [
      {
        field: "phone_number",
        code: invalid,
        message: "Expected a phone number in E.164 form, for example +12025550123"
      }
    ]),
  InvalidUrl: ({ reason }) => withDetails("invalid_url", [{ field: "url", code: invalid, message: reason }]),
  InvalidEvent: ({ unknown }) =>
    withDetails("invalid_event", [
      {
        field: "subscribed_events",
        code: invalid,
        message:
          (unknown.length === 0
            ? "Expected at least one event. "
            : `Not known: ${unknown.join(", ").slice(0, 500)}. `) +
          `The events are ${WebhookEventName.literals.join(", ")}`
      }
    ]),
  InvalidValue: ({ problems }) =>
    withDetails(
      "invalid_value",
      problems.map(({ message, name }) => ({ field: `variables.${name}`, code: invalid, message }))
    ),
  UndefinedVariable: ({ names }) =>
    withDetails(
      "undefined_variable",
      names.map((name) => ({
        field: `variables.${name}`,
        code: "undefined",
        message: "No business variable has this name"
      }))
    ),

  // References.
  AgentNotFound: problem("agent_not_found", "No agent has this id"),
  CallNotFound: problem("not_found", "No call has this id"),
  ContactNotFound: problem("not_found", "No contact has this id"),
  CallContactNotFound: problem("contact_not_found", "No contact has this id"),
  VariableNotFound: problem("not_found", "No context variable has this id"),
  CalendarEventNotFound: problem("not_found", "No event has this id"),
  WebhookNotFound: problem("not_found", "No webhook has this id"),
  DeliveryNotFound: problem("not_found", "No delivery has this id"),
  TeamNotFound: problem("team_not_found", "No team has this id"),
  TeamAccessDenied: problem("team_access_denied", "You have no access to this team"),

  // Rules of state.
  DuplicateVariable: ({ contextType, name }) => ({
    code: "duplicate_variable",
    message: `There is a ${contextType} variable named ${name} already`
  }),
  UpdateNotAllowed: problem("update_not_allowed", "Default variables cannot be changed"),
  DeleteNotAllowed: problem("delete_not_allowed", "Default variables cannot be deleted"),
  SlotUnavailable: problem("slot_unavailable", "Something else is in the calendar at that time"),
  AgentPhoneNumberMissing: problem("agent_phone_number_missing", "The agent has no phone number to call from"),
  DoNotCall: problem("do_not_call", "This number must not be called"),
  ConcurrencyLimitReached: ({ limit }) => ({
    code: "concurrency_limit_reached",
    message: `The account has ${limit} running calls, which is as many as it may`,
    headers: later.concurrency_limit_reached
  }),
  InsufficientFunds: ({ balance, required }) => ({
    code: "insufficient_funds",
    message: `The call needs ${Money.format(required)} and the balance is ${Money.format(balance)}`
  }),

  // The outside.
  ProviderRefused: ({ callId, retryable }) => ({
    code: retryable ? "provider_unavailable" : "provider_error",
    message: `The telephone provider did not take the call; it is kept as failed under ${callId}`
  }),
  LimitReached: (error) => ({ code: "limit_reached", message: limitText(error) }),
  CallNotPlaceable: ({ code, reason }) => ({
    code: "provider_error",
    message: `The telephone provider cannot be asked for this call (${code}): ${reason}`
  }),
  CallNotHungUp: ({ callId }) => ({
    code: "provider_unavailable",
    message: `The telephone provider has not said that it ended ${callId}, which may go on; try again`
  }),
  StorageError: ({ isRetryable }) =>
    isRetryable
      ? {
          code: "service_unavailable",
          message: "The service is too busy, try again",
          headers: later.service_unavailable
        }
      : unexpected
})
