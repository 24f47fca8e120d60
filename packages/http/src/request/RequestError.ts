import { FieldProblem } from "@frontdesk/core/values/FieldProblem"
import * as Schema from "effect/Schema"
import { allCodes } from "../ErrorCode.ts"

const id = (name: string): string => `@frontdesk/http/request/${name}`

/** No route has this path (D-ERR-6: 404 `not_found`). */
export class RouteNotFound extends Schema.TaggedError<RouteNotFound>(id("RouteNotFound"))("RouteNotFound", {}) {}

/** The program that serves the API knows no caller for the request (401 `authentication_required`). */
export class CallerUnknown extends Schema.TaggedError<CallerUnknown>(id("CallerUnknown"))("CallerUnknown", {}) {}

/** A page of another site may have sent a change to the dashboard (D-MEM-11: 403 `cross_site_request`). */
export class CrossSiteRequest extends Schema.TaggedError<CrossSiteRequest>(id("CrossSiteRequest"))(
  "CrossSiteRequest",
  {}
) {}

/** The path does not have the method of the request (D-ERR-7: 405 `method_not_allowed`). */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>(id("MethodNotAllowed"))("MethodNotAllowed", {
  /** The value of the `Allow` header: the methods of the path. */
  allow: Schema.String
}) {}

/** The bucket of the key or address has less left than the request costs (D-ERR-12: 429 `rate_limited`). */
export class RateLimited extends Schema.TaggedError<RateLimited>(id("RateLimited"))("RateLimited", {
  retryAfterSeconds: Schema.Int
}) {}

/** Too many requests wait, or too many bytes of bodies are arriving (503 `service_unavailable`). */
export class Overloaded extends Schema.TaggedError<Overloaded>(id("Overloaded"))("Overloaded", {}) {}

/** The body has more than `maxBytes` bytes (D-ERR-9: 413 `payload_too_large`). */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>(id("PayloadTooLarge"))("PayloadTooLarge", {
  maxBytes: Schema.Int
}) {}

/** The headers do not declare the body as uncompressed JSON in UTF-8 (D-ERR-10: 415 `unsupported_media_type`). */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>(id("UnsupportedMediaType"))(
  "UnsupportedMediaType",
  {}
) {}

/** The body is not a JSON object in UTF-8 (C-7-2, D-ERR-2: 400 `invalid_json`). */
export class InvalidJson extends Schema.TaggedError<InvalidJson>(id("InvalidJson"))("InvalidJson", {
  reason: Schema.String
}) {}

/**
 * Values are invalid. The code is the fields' own (`FieldCodes`), or `invalid_parameter` for a path, query or header value
 * without a code of its own.
 */
export class InvalidFields extends Schema.TaggedError<InvalidFields>(id("InvalidFields"))("InvalidFields", {
  code: Schema.Literals(allCodes),
  problems: Schema.NonEmptyArray(FieldProblem)
}) {}

/** The errors of this module. `HttpError` has them and those that core declares. */
export type RequestError =
  | RouteNotFound
  | CallerUnknown
  | CrossSiteRequest
  | MethodNotAllowed
  | RateLimited
  | Overloaded
  | PayloadTooLarge
  | UnsupportedMediaType
  | InvalidJson
  | InvalidFields
