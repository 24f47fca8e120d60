import { FieldProblem } from "@frontdesk/core/values/ValidationError"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { type ErrorCode, statusOf } from "./ErrorCode.ts"

/** The body of every answer that is an error (D-ERR-18), and what the typed client fails with. */
export class ApiError extends Schema.Error<ApiError>("Error")({
  _tag: Schema.tagDefaultOmit("ApiError"),
  /** One of `errorCodes`; a text, so that a client that is older than its server still reads the answer. */
  error: Schema.String,
  message: Schema.String,
  /** What is wrong with which field, where that is known. */
  details: Schema.optionalKey(Schema.Array(FieldProblem))
}) {}

/** The codes that every operation may answer with. */
export const commonCodes = [
  "invalid_parameter",
  "authentication_required",
  "invalid_key",
  "permission_denied",
  "method_not_allowed",
  "rate_limited",
  "server_error",
  "service_unavailable"
] as const satisfies ReadonlyArray<ErrorCode>

/** The codes that every operation with a body may answer with besides. */
export const bodyCodes = [
  "invalid_json",
  "validation_error",
  "payload_too_large",
  "unsupported_media_type"
] as const satisfies ReadonlyArray<ErrorCode>

/** The codes that every POST may answer with besides: it takes an `Idempotency-Key`. */
export const postCodes = [
  ...bodyCodes,
  "idempotency_in_progress",
  "idempotency_answer_lost",
  "idempotency_key_reuse"
] as const satisfies ReadonlyArray<ErrorCode>

/** The error schemas of an operation: one a status, each naming its codes. */
export const errors = (...codes: ReadonlyArray<ErrorCode>) => {
  const byStatus = new Map<number, Array<ErrorCode>>()
  for (const code of [...commonCodes, ...codes]) {
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code])
  }
  return [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, names]) =>
      ApiError.annotate({ description: names.map((name) => `\`${name}\``).join(", ") }).pipe(
        HttpApiSchema.status(status)
      )
    )
}
