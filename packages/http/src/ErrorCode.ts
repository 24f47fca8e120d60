/**
 * The status and the meaning of every error code (C-7-2 to C-7-21, D-ERR-1).
 *
 * `ErrorTable.ts` and the OpenAPI document use this table, and a test compares it with docs/errors.md.
 */
export const errorCodes = {
  invalid_json: { status: 400, meaning: "The body is not a JSON object in UTF-8." },
  missing_parameter: { status: 400, meaning: "Required fields are absent; `details` names all of them." },
  validation_error: { status: 400, meaning: "Fields of the body break a rule; `details` names them." },
  invalid_parameter: {
    status: 400,
    meaning: "A value in the path, the query or a header is invalid, or a query key is repeated."
  },
  invalid_parameter_format: {
    status: 400,
    meaning: "`start_date` or `end_date` of availability is not a date YYYY-MM-DD."
  },
  invalid_duration: { status: 400, meaning: "`duration` is not a whole number of minutes from 1 to 180." },
  invalid_datetime_format: {
    status: 400,
    meaning: "A time does not have the form YYYY-MM-DDTHH:MM[:SS], with or without an offset."
  },
  invalid_time_range: { status: 400, meaning: "The calendar event does not end after it starts." },
  invalid_phone_number: { status: 400, meaning: "The phone number to call is not in E.164 form." },
  agent_phone_number_missing: { status: 400, meaning: "The agent has no phone number to call from." },
  duplicate_variable: { status: 400, meaning: "The account already has a variable of this name in this context type." },
  invalid_value: { status: 400, meaning: "A value does not match the type of its variable." },
  undefined_variable: { status: 400, meaning: "No variable has this name, and `auto_create_variables` is false." },
  invalid_url: { status: 400, meaning: "The URL is not allowed for a webhook." },
  invalid_event: { status: 400, meaning: "The list of webhook event names is empty or has an unknown name." },
  invalid_callback: { status: 400, meaning: "A callback of the call provider cannot be read." },
  authentication_required: { status: 401, meaning: "The request has no key in an `Authorization: Bearer` header." },
  invalid_key: { status: 401, meaning: "The key is unknown, revoked, expired or disabled." },
  invalid_session: {
    status: 401,
    meaning: "The session of the dashboard is unknown, has ended or has expired. Sign in."
  },
  insufficient_funds: { status: 402, meaning: "The balance does not cover the first minute of the call." },
  permission_denied: {
    status: 403,
    meaning:
      "The caller lacks the permission, also one that it would grant to a key or person, or may only read, or only the owner of the record may do this."
  },
  cross_site_request: {
    status: 403,
    meaning: "A page of another site may have sent this change to the dashboard."
  },
  team_access_denied: { status: 403, meaning: "The account is not a member of the team." },
  update_not_allowed: { status: 403, meaning: "A default variable cannot be changed." },
  delete_not_allowed: { status: 403, meaning: "A default variable cannot be deleted." },
  do_not_call: {
    status: 403,
    meaning: "The number is on the do-not-call list of the account, or of the owner of a contact that the account sees."
  },
  invalid_signature: { status: 403, meaning: "The request does not have a valid signature of the call provider." },
  not_found: {
    status: 404,
    meaning: "There is no such route, or the record does not exist or is not visible to the caller."
  },
  team_not_found: { status: 404, meaning: "No team has the id." },
  agent_not_found: { status: 404, meaning: "No agent that the caller can see has the id." },
  contact_not_found: { status: 404, meaning: "No contact that the caller can see has the id given for the call." },
  method_not_allowed: { status: 405, meaning: "The path does not have this method; `Allow` names its methods." },
  request_timeout: {
    status: 408,
    meaning: "The request did not arrive in time: 30 seconds for the headers, 120 seconds for the whole request."
  },
  idempotency_in_progress: {
    status: 409,
    meaning: "A request with this `Idempotency-Key` is still running. Send it again after `Retry-After` seconds."
  },
  idempotency_answer_lost: {
    status: 409,
    meaning: "The request with this `Idempotency-Key` was executed, but its answer was lost. It is not executed again."
  },
  slot_unavailable: {
    status: 409,
    meaning:
      "Another calendar event takes up that time, or with `require_available` the account does not offer it; then `details` has the nearest free times."
  },
  limit_reached: {
    status: 409,
    meaning:
      "The account has reached the maximum number or size of this kind of record, or the delivery its maximum number of attempts."
  },
  api_key_revoked: { status: 409, meaning: "The key to rotate is revoked. Create another one." },
  api_key_expired: { status: 409, meaning: "The key to rotate has expired. Create another one." },
  api_key_in_grace: {
    status: 409,
    meaning: "The value from before the last rotation of the key still works. `force` ends it."
  },
  member_exists: { status: 409, meaning: "The account has a member with this e-mail address." },
  last_owner: { status: 409, meaning: "The member is the only owner of the account, which must keep one." },
  mail_not_offered: {
    status: 409,
    meaning: "The server mails no sign-in links, because it has no mail server or no public URL."
  },
  agent_archived: {
    status: 409,
    meaning: "The agent is archived. It takes no new calls or calendar events and cannot be changed."
  },
  contact_in_call: { status: 409, meaning: "A call of the contact to erase has not ended." },
  import_not_uploading: {
    status: 409,
    meaning: "The import of contacts was started and takes no more parts, or it has ended and cannot be started."
  },
  import_incomplete: { status: 409, meaning: "A part of the import of contacts is missing." },
  payload_too_large: { status: 413, meaning: "The body is larger than the operator allows, 1 MiB by default." },
  unsupported_media_type: { status: 415, meaning: "The body is not `application/json` in UTF-8." },
  idempotency_key_reuse: { status: 422, meaning: "The `Idempotency-Key` was used with another body." },
  rate_limited: {
    status: 429,
    meaning: "Too many requests with this key or from this address. Send the request again after `Retry-After` seconds."
  },
  concurrency_limit_reached: { status: 429, meaning: "The account has the maximum number of running calls." },
  server_error: {
    status: 500,
    meaning: "An internal error occurred. The server has logged its cause under the request id."
  },
  provider_error: { status: 502, meaning: "The call provider refused the call." },
  provider_unavailable: {
    status: 503,
    meaning: "The call provider or an external calendar cannot be reached at the moment."
  },
  calendar_not_offered: {
    status: 409,
    meaning: "The operator has not set up this calendar provider on the server."
  },
  calendar_refused: {
    status: 422,
    meaning: "The external calendar rejects the credentials, or it cannot be used. Nothing was changed."
  },
  calendar_unavailable: {
    status: 503,
    meaning: "An external calendar cannot be read at the moment, so it is unknown whether the time to book is free."
  },
  service_unavailable: {
    status: 503,
    meaning:
      "The storage cannot be reached, or the server is overloaded. Send the request again after `Retry-After` seconds."
  }
} as const satisfies { readonly [code: string]: { readonly status: number; readonly meaning: string } }

/** The code of an error, the field `error` of its answer. */
export type ErrorCode = keyof typeof errorCodes

/** All error codes, in the order of the table. */
export const allCodes: ReadonlyArray<ErrorCode> = Object.keys(errorCodes).filter(
  (code): code is ErrorCode => code in errorCodes
)

/** Returns the HTTP status of an error code. */
export const statusOf = (code: ErrorCode): number => errorCodes[code].status
