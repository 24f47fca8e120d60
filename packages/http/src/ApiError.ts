import { FieldProblem } from "@frontdesk/core/values/FieldProblem"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { allCodes, type ErrorCode, statusOf } from "./ErrorCode.ts"

/** A detail of an error: an invalid field, or a free time for a field. */
export const Detail = Schema.Struct({
  ...FieldProblem.fields,
  /** The start and the end of a free time, which the code `free_time` has. */
  start: Schema.optionalKey(Schema.String),
  end: Schema.optionalKey(Schema.String)
})

/** A detail of an error. */
export type Detail = typeof Detail.Type

/**
 * The body of every answer that reports an error (D-ERR-18). The contract requires `error` and `message` of the calendar
 * endpoints only (C-7-1). The typed client fails with this error.
 */
export class ApiError extends Schema.Error<ApiError>("Error")({
  _tag: Schema.tagDefaultOmit("ApiError"),
  /**
   * A code of `errorCodes`. The type is a text, so that a client can read an error whose code is newer than the client.
   */
  error: Schema.String,
  message: Schema.String,
  /** The invalid fields, if they are known, or the free times instead of a refused one. */
  details: Schema.optionalKey(Schema.Array(Detail))
}) {}

/** The error codes of every operation. */
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

/** The further error codes of every operation with a body. */
export const bodyCodes = [
  "invalid_json",
  "validation_error",
  "payload_too_large",
  "unsupported_media_type"
] as const satisfies ReadonlyArray<ErrorCode>

/** The further error codes of every POST, which has a body and may have an `Idempotency-Key`. */
export const postCodes = [
  ...bodyCodes,
  "idempotency_in_progress",
  "idempotency_answer_lost",
  "idempotency_key_reuse"
] as const satisfies ReadonlyArray<ErrorCode>

/** Returns the error schemas of an operation: the common codes and the given ones, one schema for each status. */
export const errors = (...codes: ReadonlyArray<ErrorCode>) => {
  const byStatus = new Map<number, Array<ErrorCode>>()
  for (const code of [...commonCodes, ...codes]) {
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code])
  }
  return [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, names]) =>
      ApiError.annotate({ description: names.map((name) => `\`${name}\``).join(", "), [codesKey]: names }).pipe(
        HttpApiSchema.status(status)
      )
    )
}

const codesKey = "@frontdesk/http/ApiError/codes"

const isCodes = Schema.is(Schema.Array(Schema.Literals(allCodes)))

/** Returns the codes of an error schema that {@link errors} has made. */
export const codesOf = (schema: Schema.Top): ReadonlyArray<ErrorCode> => {
  const codes = SchemaAST.resolve(schema.ast)?.[codesKey]
  return isCodes(codes) ? codes : []
}
