import type { AccountNotFound } from "@frontdesk/core/access/AccessError"
import { SecretKeysMissing } from "@frontdesk/core/crypto/SecretError"
import type { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { ProvisioningError } from "@frontdesk/core/provisioning/ProvisioningError"
import type { Argument } from "@frontdesk/core/values/Input"
import * as RootMessage from "@frontdesk/core/values/RootMessage"
import { invalid } from "@frontdesk/core/values/FieldProblems"
import { statusOf } from "@frontdesk/http/ErrorCode"
import * as ErrorTable from "@frontdesk/http/ErrorTable"
import type { HttpError } from "@frontdesk/http/HttpError"
import * as Cause from "effect/Cause"
import * as Match from "effect/Match"
import * as Predicate from "effect/Predicate"
import type { ServiceError } from "../facade/Services.ts"
import { type ErrorCode, FrontdeskError, isFrontdeskError } from "./FrontdeskError.ts"
import type { AccountRefNotFound } from "./AccountRefNotFound.ts"
import * as FieldPath from "./FieldPath.ts"
import * as MissingRight from "./MissingRight.ts"

/** The errors of services that the API does not call, so that its table has no row for them. */
type OwnError = AccountNotFound | AccountRefNotFound | CalendarSyncError | ProvisioningError

const ownTable = {
  AccountNotFound: ({ accountId }) => ({ code: "not_found", message: `There is no account ${accountId}` }),
  AccountRefNotFound: ({ ref }) => ({
    code: "not_found",
    message: `No account was provisioned with the ref ${ref.slice(0, 100)}`
  }),
  CalendarSyncError: ({ cause, reason }) => ({
    code: reason === "transport" || reason === "rate_limited" ? "provider_unavailable" : "validation_error",
    message: `The calendar cannot be used, and nothing was changed: ${reason}: ${String(cause)}`
  }),
  ProvisioningError: ({ problems }) => ErrorTable.withDetails("validation_error", problems)
} satisfies { readonly [Tag in OwnError["_tag"]]: (error: Extract<OwnError, { _tag: Tag }>) => ErrorTable.Problem }

const ownProblem = Match.typeTags<OwnError, ErrorTable.Problem>()(ownTable)

const isOwn = (error: ServiceError): error is OwnError => Object.hasOwn(ownTable, error._tag)

/** Returns the problem of an error in the words of a program, where the API's words are about JSON. */
const problemOf = (error: ServiceError): ErrorTable.Problem => {
  if (isOwn(error)) return ownProblem(error)
  if (error._tag === "InvalidTimeRange") {
    return ErrorTable.withDetails("invalid_time_range", [
      { field: "endTime", code: invalid, message: "Expected a time after startTime" }
    ])
  }
  if (error._tag === "UndefinedVariable") {
    const { details = [], ...problem } = ErrorTable.problemOf(error)
    const message = "No business variable has this name. Define it, or set autoCreateVariables"
    return ErrorTable.withDetails(
      problem.code,
      details.map((detail) => ({ ...detail, message }))
    )
  }
  if (error._tag === "PermissionDenied") {
    return { code: "permission_denied", message: `The caller does not have the permission ${error.permission}` }
  }
  if (error._tag === "StorageError") {
    if (error.reason === "duplicate") {
      return { code: "validation_error", message: "Another record has the same unique value" }
    }
    return error.isRetryable
      ? { code: "service_unavailable", message: "The storage cannot be reached or is too busy. Try again later" }
      : { code: "server_error", message: "The storage failed. The cause of this error has the details" }
  }
  return ErrorTable.problemOf(error satisfies HttpError)
}

/** The error's own id of what was not found, which a program needs to know. An answer of the API need not repeat it. */
const missingOf = (error: ServiceError): readonly [record: string, id: number | string] | undefined => {
  switch (error._tag) {
    case "AgentNotFound":
      return ["agent", error.agent]
    case "ApiKeyNotFound":
      return ["API key", error.apiKeyId]
    case "CalendarEventNotFound":
      return ["calendar event", error.event]
    case "CallNotFound":
      return ["call", error.call]
    case "ContactNotFound":
      return ["contact", error.contactId]
    case "MemberNotFound":
      return ["member", error.memberId]
    case "SessionNotFound":
      return ["session", error.sessionId]
    case "SignInLinkNotFound":
      return ["sign-in link", error.signInLinkId]
    case "OutboxTaskNotFound":
      return ["dead-lettered task", error.taskId]
    case "DeliveryNotFound":
      return ["delivery", error.deliveryId]
    case "TeamNotFound":
      return ["team", error.teamId]
    case "VariableNotFound":
      return ["context variable", error.variableId]
    case "WebhookNotFound":
      return ["webhook", error.webhookId]
    default:
      return undefined
  }
}

/** Returns the problem with the id of what was not found in its message. */
const withId = (problem: ErrorTable.Problem, error: ServiceError): ErrorTable.Problem => {
  const missing = missingOf(error)
  if (missing === undefined) return problem
  const [record, id] = missing
  return { ...problem, message: `There is no ${record} ${String(id).slice(0, 100)}, or the account cannot see it` }
}

const isServiceError = (error: unknown): error is ServiceError =>
  Predicate.hasProperty(error, "_tag") &&
  typeof error._tag === "string" &&
  (Object.hasOwn(ownTable, error._tag) || ErrorTable.tags.has(error._tag))

const retryable: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "calendar_unavailable",
  "concurrency_limit_reached",
  "idempotency_in_progress",
  "provider_unavailable",
  "rate_limited",
  "request_timeout",
  "service_unavailable"
])

/** Returns an error with this code. */
export const make = (
  { code, details = [], message }: ErrorTable.Problem,
  cause?: unknown,
  args: ReadonlyArray<Argument> = []
): FrontdeskError => {
  const renamed = details.map((detail) => ({ ...detail, field: FieldPath.inNamesOf(detail.field, args) }))
  const [only, ...others] = renamed
  return new FrontdeskError({
    code,
    status: statusOf(code),
    message:
      only === undefined || others.length > 0 || code === "slot_unavailable"
        ? message
        : `${only.field === "" ? "input" : only.field}: ${only.message}`,
    details: renamed,
    retryable: retryable.has(code),
    cause
  })
}

/** Returns the error for one wrong field of what the program gave. */
export const ofField = (field: string, message: string): FrontdeskError =>
  make(ErrorTable.withDetails("validation_error", [{ field, code: invalid, message }]))

/** The error of a call after `close`. */
export const closed = (): FrontdeskError =>
  make({ code: "service_unavailable", message: "This Frontdesk is closed. Open another one" })

/** What was called, as far as its errors depend on it. */
export interface Called {
  /** The service and the method: `contacts.get`. */
  readonly name: string
  readonly args: ReadonlyArray<Argument>
}

/** Returns the error with which a method rejects, whose effect failed with this cause. */
export const fromCause = (cause: Cause.Cause<unknown>, { args, name }: Called): FrontdeskError => {
  const error = Cause.squash(cause)
  if (isFrontdeskError(error)) return error
  if (!isServiceError(error)) {
    return make({ code: "server_error", message: `${name} failed unexpectedly. The cause has the details` }, error)
  }
  const problem = withId(problemOf(error), error)
  // The contact of a new call has a code of its own (D-CALL-6).
  const isOfCall = error._tag === "ContactNotFound" && name.startsWith("calls.")
  return make(isOfCall ? { ...problem, code: "contact_not_found" } : problem, error, args)
}

/** Returns the error with which `open` rejects, whose layer failed with this cause. */
export const ofOpening = (cause: Cause.Cause<unknown>, storage: string): FrontdeskError => {
  const error = Cause.squash(cause)
  if (error instanceof SecretKeysMissing) return ofField("secretKeys", error.message)
  const right = MissingRight.of(error)
  const code =
    right !== undefined ? "server_error" : isServiceError(error) ? problemOf(error).code : "service_unavailable"
  const why = [RootMessage.of(error), right ?? ""].filter((text) => text !== "").join(". ")
  return make({ code, message: `The storage cannot be opened (${storage}): ${why}` }, error)
}
