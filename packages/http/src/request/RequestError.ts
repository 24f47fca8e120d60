import { FieldProblem } from "@frontdesk/core/values/ValidationError"
import * as Schema from "effect/Schema"
import { allCodes } from "../ErrorCode.ts"

const id = (name: string): string => `@frontdesk/http/request/${name}`

/** No route has this path (D-ERR-6: 404 `not_found`). */
export class RouteNotFound extends Schema.TaggedError<RouteNotFound>(id("RouteNotFound"))("RouteNotFound", {}) {}

/** The path has other methods (D-ERR-7: 405 `method_not_allowed`). */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>(id("MethodNotAllowed"))("MethodNotAllowed", {
  /** What `Allow` says. */
  allow: Schema.String
}) {}

/** The key has used up its requests (D-ERR-12: 429 `rate_limited`). */
export class RateLimited extends Schema.TaggedError<RateLimited>(id("RateLimited"))("RateLimited", {
  retryAfterSeconds: Schema.Int
}) {}

/** As many requests are being answered as the server takes at once (503 `service_unavailable`). */
export class Overloaded extends Schema.TaggedError<Overloaded>(id("Overloaded"))("Overloaded", {}) {}

/** The body is too large (D-ERR-9: 413 `payload_too_large`). */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>(id("PayloadTooLarge"))("PayloadTooLarge", {
  maxBytes: Schema.Int
}) {}

/** The body is no JSON by its header (D-ERR-10: 415 `unsupported_media_type`). */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>(id("UnsupportedMediaType"))(
  "UnsupportedMediaType",
  {}
) {}

/** The body is not a JSON object in UTF-8 (C-7-2, D-ERR-2: 400 `invalid_json`). */
export class InvalidJson extends Schema.TaggedError<InvalidJson>(id("InvalidJson"))("InvalidJson", {
  reason: Schema.String
}) {}

/** Values that cannot be, under a code of the endpoint or the generic one of paths and queries. Never empty. */
export class InvalidFields extends Schema.TaggedError<InvalidFields>(id("InvalidFields"))("InvalidFields", {
  code: Schema.Literals(allCodes),
  problems: Schema.NonEmptyArray(FieldProblem)
}) {}

/** Why a request is refused before anything is done. */
export type RequestError =
  | RouteNotFound
  | MethodNotAllowed
  | RateLimited
  | Overloaded
  | PayloadTooLarge
  | UnsupportedMediaType
  | InvalidJson
  | InvalidFields
