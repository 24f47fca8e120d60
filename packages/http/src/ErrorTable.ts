import type { OwnerAction } from "@frontdesk/core/access/AccessError"
import { limitText } from "@frontdesk/core/access/AccountLimits"
import type { FieldProblem } from "@frontdesk/core/values/ValidationError"
import { invalid, missing } from "@frontdesk/core/values/FieldProblems"
import * as Money from "@frontdesk/core/values/Money"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import type { CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { CalendarSyncReason } from "@frontdesk/core/external-calendar/CalendarSync"
import type { SlotUnavailable } from "@frontdesk/core/calendar-event/CalendarEventError"
import * as DateTime from "effect/DateTime"
import * as Match from "effect/Match"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ErrorCode } from "./ErrorCode.ts"
import type { Detail } from "./ApiError.ts"
import type { HttpError } from "./HttpError.ts"

/** The content of an answer that reports an error. It contains no internal information. */
export interface Problem {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: ReadonlyArray<Detail>
  readonly headers?: Readonly<Record<string, string>>
}

const problem = (code: ErrorCode, message: string) => (): Problem => ({ code, message })

const bearer = { "www-authenticate": "Bearer" }

const retryAfter = (seconds: number) => ({ "retry-after": String(seconds) })

/** The `Retry-After` headers of the temporary errors that may be stored as the answer to a request, by code. */
const later = { service_unavailable: retryAfter(1), concurrency_limit_reached: retryAfter(30) }

/**
 * Returns the headers for the replay of a stored answer with this body: `Retry-After` when the answer is a temporary
 * refusal (D-IDEM-15). To try again, a client needs another `Idempotency-Key`: a repeat with this key returns the stored
 * answer.
 */
export const headersOfReplay = (body: string): Problem["headers"] =>
  Option.match(decodeRefusal(body), { onNone: () => ({}), onSome: ({ error }) => later[error] })

const decodeRefusal = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ error: Schema.Literals(["service_unavailable", "concurrency_limit_reached"]) }))
)

/** Returns the problem that invalid fields are reported as. A single one is in the message. */
export const withDetails = (code: ErrorCode, details: ReadonlyArray<FieldProblem>): Problem => {
  const [first] = details
  const message =
    first === undefined || details.length > 1
      ? "Several fields are invalid. See details"
      : `${first.field === "" ? "The body" : first.field}: ${first.message}`
  return { code, message, details }
}

/** Returns a free time as a detail of the field that could have it. */
const freeTime = ({ endTime, startTime }: SlotUnavailable["nearest"][number]): Detail => {
  const [start, end] = [DateTime.formatIso(startTime), DateTime.formatIso(endTime)]
  return { field: "start_time", code: "free_time", message: `Free from ${start} to ${end}`, start, end }
}

const ownerActions: { readonly [A in OwnerAction]: string } = {
  change_team: "change its team",
  delete: "delete it",
  export: "export it",
  lift_do_not_call: "remove a number from the do-not-call list, or remove a listed number from the contact",
  require_available: "change it with require_available",
  resolve_copy: "resolve a conflict in its external calendar",
  change: "change it"
}

/** The answer to an unexpected error. */
export const unexpected: Problem = {
  code: "server_error",
  message: "An internal error occurred. The server has logged its cause under the X-Request-Id of this answer"
}

const notVisible = (record: string) => `There is no ${record} with this id, or the account cannot see it`

const notUsable: { readonly [R in CalendarSyncReason]?: string } = {
  unauthorized:
    "The server of the calendar rejects the user name or the password. iCloud needs an app-specific password",
  gone: "The server has no calendar with this address"
}

/** The names of providers for people. The key `apple` stands for every CalDAV server. */
const calendarNames: { readonly [Key in CalendarProviderKey]: string } = {
  google: "Google",
  outlook: "Outlook",
  apple: "CalDAV"
}

/** The problem of each error, by its tag. The compiler reports an error of a service that is missing here. */
const table: { readonly [Tag in HttpError["_tag"]]: (error: Extract<HttpError, { readonly _tag: Tag }>) => Problem } = {
  // Errors of the request.
  RouteNotFound: problem("not_found", "No route has this path"),
  CallerUnknown: problem(
    "authentication_required",
    "Sign in. The application does not know the caller of this request"
  ),
  MethodNotAllowed: ({ allow }) => ({
    code: "method_not_allowed",
    message: `This path has only the methods ${allow}`,
    headers: { allow }
  }),
  AuthenticationRequired: () => ({
    code: "authentication_required",
    message: "Send an API key in the header Authorization: Bearer <API_KEY>",
    headers: bearer
  }),
  InvalidKey: () => ({
    code: "invalid_key",
    message: "The API key is unknown, revoked, expired or disabled",
    headers: bearer
  }),
  PermissionDenied: ({ permission }) => ({
    code: "permission_denied",
    message: `The caller does not have the permission ${permission}`
  }),
  CallerReadOnly: problem("permission_denied", "The caller may only read"),
  InvalidSession: problem("invalid_session", "The session is unknown, has ended or has expired. Sign in again"),
  CrossSiteRequest: problem(
    "cross_site_request",
    "The request may come from another site. Send Origin or Sec-Fetch-Site as a browser does on a page of the dashboard"
  ),
  Overloaded: () => ({
    code: "service_unavailable",
    message: "The server is overloaded. Send the request again after Retry-After seconds",
    headers: later.service_unavailable
  }),
  RateLimited: ({ retryAfterSeconds }) => ({
    code: "rate_limited",
    message: "Too many requests. Send the request again after Retry-After seconds",
    headers: retryAfter(retryAfterSeconds)
  }),
  PayloadTooLarge: ({ maxBytes }) => ({
    code: "payload_too_large",
    message: `The body has more than ${maxBytes} bytes`
  }),
  UnsupportedMediaType: problem(
    "unsupported_media_type",
    "Send the body without compression, in UTF-8 and with Content-Type: application/json"
  ),
  InvalidJson: ({ reason }) => ({ code: "invalid_json", message: reason }),
  InvalidFields: ({ code, problems }) => withDetails(code, problems),
  IdempotencyInProgress: () => ({
    code: "idempotency_in_progress",
    message: "A request with this Idempotency-Key is still running. Send the request again after Retry-After seconds",
    headers: retryAfter(1)
  }),
  IdempotencyAnswerLost: problem(
    "idempotency_answer_lost",
    "The request with this Idempotency-Key was executed, but its answer was lost. It is not executed again. Look for what it created"
  ),
  IdempotencyKeyReuse: problem(
    "idempotency_key_reuse",
    "This Idempotency-Key was used with another body. Use a new key for a new request"
  ),

  // Errors of fields.
  ValidationError: ({ problems }) => withDetails("validation_error", problems),
  MissingParameter: ({ fields }) => ({
    code: "missing_parameter",
    message: `Required fields are missing: ${fields.join(", ")}`,
    details: fields.map((field) => ({ field, code: missing, message: "This field is required" }))
  }),
  InvalidParameter: ({ message, parameter }) =>
    withDetails("invalid_parameter", [{ field: parameter, code: invalid, message }]),
  InvalidDuration: problem("invalid_duration", "duration must be a whole number of minutes from 1 to 180"),
  InvalidDatetimeFormat: ({ field }) =>
    withDetails("invalid_datetime_format", [
      { field, code: invalid, message: "Expected a time as YYYY-MM-DDTHH:MM:SS, with Z, with an offset or without" }
    ]),
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
            ? "Expected at least one event name. "
            : `Unknown event names: ${unknown.join(", ").slice(0, 500)}. `) +
          `The event names are ${WebhookEventName.literals.join(", ")}`
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
        message: "No business variable has this name. Define it, or send auto_create_variables as true"
      }))
    ),

  // Errors of referenced records.
  AgentNotFound: problem("agent_not_found", notVisible("agent")),
  CallNotFound: problem("not_found", notVisible("call")),
  ContactNotFound: problem("not_found", notVisible("contact")),
  ContactNumberNotFound: problem("not_found", "The contact has no phone number with this id"),
  ContactImportNotFound: problem("not_found", notVisible("import of contacts")),
  CallContactNotFound: problem("contact_not_found", notVisible("contact")),
  VariableNotFound: problem("not_found", notVisible("context variable")),
  CalendarEventNotFound: problem("not_found", notVisible("calendar event")),
  WebhookNotFound: problem("not_found", notVisible("webhook")),
  DeliveryNotFound: problem("not_found", notVisible("delivery")),
  ApiKeyNotFound: problem("not_found", notVisible("API key")),
  AccountNotFound: problem("not_found", "No account has this id"),
  MemberNotFound: problem("not_found", notVisible("member")),
  SessionNotFound: problem("not_found", notVisible("session")),
  SignInLinkNotFound: problem("not_found", notVisible("open sign-in link")),
  OutboxTaskNotFound: problem("not_found", notVisible("dead-lettered task")),
  TeamNotFound: problem("team_not_found", "No team has this id"),
  TeamAccessDenied: problem("team_access_denied", "The account is not a member of this team"),

  // The state or the owner of a record forbids the request.
  NotOwner: ({ action }) => ({
    code: "permission_denied",
    message: `Only the account that owns the record may ${ownerActions[action]}`
  }),
  AgentArchived: problem(
    "agent_archived",
    "The agent is archived. It takes no new calls or calendar events and cannot be changed"
  ),
  ContactInCall: ({ callId }) => ({
    code: "contact_in_call",
    message: `The call ${callId} of the contact has not ended. Hang it up, then erase the contact`
  }),
  ContactImportNotUploading: ({ status }) => ({
    code: "import_not_uploading",
    message: `The import is ${status}. Create another import for further lines`
  }),
  ContactImportIncomplete: ({ missing }) => ({
    code: "import_incomplete",
    message: `The import has no part ${missing}. Add it, then start the import`
  }),
  DuplicateVariable: ({ contextType, name }) => ({
    code: "duplicate_variable",
    message: `The account already has a ${contextType} variable named ${name}`
  }),
  UpdateNotAllowed: problem("update_not_allowed", "Default variables cannot be changed"),
  DeleteNotAllowed: problem("delete_not_allowed", "Default variables cannot be deleted"),
  SlotUnavailable: ({ nearest, rule }) =>
    rule === "reject_conflicts"
      ? { code: "slot_unavailable", message: "Another calendar event takes up this time" }
      : {
          code: "slot_unavailable",
          message: `The account does not offer this time. ${nearest.length === 0 ? "No free time is near it" : "See details for the nearest free times"}`,
          details: nearest.map(freeTime)
        },
  ApiKeyRevoked: problem("api_key_revoked", "The API key is revoked. Create another one"),
  ApiKeyExpired: ({ expiredAt }) => ({
    code: "api_key_expired",
    message: `The API key expired at ${DateTime.formatIso(expiredAt)}. Create another one`
  }),
  ApiKeyInGrace: ({ until }) => ({
    code: "api_key_in_grace",
    message: `The earlier value of the API key works until ${DateTime.formatIso(until)}. To end that value now, rotate with force`
  }),
  MemberExists: problem("member_exists", "The account has a member with this e-mail address"),
  LastOwner: problem("last_owner", "The member is the only owner of the account. Make another member owner first"),
  MailNotOffered: problem(
    "mail_not_offered",
    "This server mails no sign-in links. Create one with POST /api/v1/dashboard/links and send it yourself"
  ),
  AgentPhoneNumberMissing: problem("agent_phone_number_missing", "The agent has no phone number to call from"),
  DoNotCall: problem("do_not_call", "The phone number is on a do-not-call list"),
  ConcurrencyLimitReached: ({ limit }) => ({
    code: "concurrency_limit_reached",
    message: `The account has ${limit} running calls, which is its limit. Try again when a call has ended`,
    headers: later.concurrency_limit_reached
  }),
  InsufficientFunds: ({ balance, required }) => ({
    code: "insufficient_funds",
    message: `The first minute of the call needs ${Money.format(required)}, but the balance is ${Money.format(balance)}`
  }),

  // Errors of providers, limits and the storage.
  ProviderRefused: ({ callId, retryable }) => ({
    code: retryable ? "provider_unavailable" : "provider_error",
    message: `The call provider did not accept the call. It is stored as the failed call ${callId}`
  }),
  CalendarUnavailable: ({ provider }) => ({
    code: "provider_unavailable",
    message: `The ${calendarNames[provider]} calendar of the account cannot be read at the moment, so the free slots are unknown. Try again later`
  }),
  BookingUnchecked: ({ provider }) => ({
    code: "calendar_unavailable",
    message: `The ${calendarNames[provider]} calendar of the account cannot be read at the moment, so it is unknown whether this time is free. Try again later`
  }),
  CalendarNotOffered: ({ provider }) => ({
    code: "calendar_not_offered",
    message: `The operator has not set up ${calendarNames[provider]} calendars on this server`
  }),
  CalendarNotConnected: ({ provider }) => ({
    code: "not_found",
    message: `The account has no connected ${calendarNames[provider]} calendar`
  }),
  CalendarNotUsable: ({ isRetryable, provider, reason, says }) =>
    isRetryable
      ? {
          code: "provider_unavailable",
          message: `The ${calendarNames[provider]} calendar cannot be read at the moment. Check that the address is that of a calendar server, and that it is public`
        }
      : { code: "calendar_refused", message: says ?? notUsable[reason] ?? "The calendar cannot be used" },
  LimitReached: (error) => ({ code: "limit_reached", message: limitText(error) }),
  CallNotPlaceable: ({ code, reason }) => ({
    code: "provider_error",
    message: `The call provider cannot be asked to place this call (${code}): ${reason}`
  }),
  CallNotHungUp: ({ callId }) => ({
    code: "provider_unavailable",
    message: `The call provider has not confirmed the end of the call ${callId}, which may still run. Try again`
  }),
  StorageError: ({ isRetryable }) =>
    isRetryable
      ? {
          code: "service_unavailable",
          message: "The service is temporarily unavailable. Send the request again after Retry-After seconds",
          headers: later.service_unavailable
        }
      : unexpected
}

/**
 * Returns the problem that an error is reported as, by the tag of the error.
 *
 * This is the only place where errors of the domain become codes of the contract (C-7-2 to C-7-21). An invalid field of a
 * request has the code that `FieldCodes` of its endpoint names, or else that of its place (path, query or body).
 */
export const problemOf: (error: HttpError) => Problem = Match.typeTags<HttpError, Problem>()(table)

/** The tags of all errors that {@link problemOf} knows. */
export const tags: ReadonlySet<string> = new Set(Object.keys(table))
