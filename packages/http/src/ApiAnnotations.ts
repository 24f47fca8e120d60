import type { Operation } from "@frontdesk/core/access/Permission"
import * as Context from "effect/Context"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { ErrorCode } from "./ErrorCode.ts"
import * as RequestCost from "./request/RequestCost.ts"

/** The operation of an endpoint. It decides which permission a request needs. */
export class OperationName extends Context.Service<OperationName, Operation>()(
  "@frontdesk/http/ApiAnnotations/OperationName"
) {}

/** Another path of an endpoint (D-HOOK-1). */
export interface Alias {
  readonly path: `/${string}`
  /** Whether answers have a `Deprecation` header, which asks clients to use the first path. */
  readonly deprecated: boolean
}

/** The other paths of an endpoint. Default: none. */
export const Aliases = Context.Reference<ReadonlyArray<Alias>>("@frontdesk/http/ApiAnnotations/Aliases", {
  defaultValue: () => []
})

/** The error codes for invalid values of certain fields, by the field's JSON name. Default: none. */
export const FieldCodes = Context.Reference<{ readonly [field: string]: ErrorCode }>(
  "@frontdesk/http/ApiAnnotations/FieldCodes",
  {
    defaultValue: () => ({})
  }
)

/**
 * Whether the changes of a request with an `Idempotency-Key` and its answer are committed in one transaction. Default:
 * true.
 *
 * False for an endpoint that calls an external system, because no transaction may be open meanwhile. Once its request
 * is recorded as executed, the answer is stored, even when it is a failure (D-IDEM-6).
 */
export const Atomic = Context.Reference<boolean>("@frontdesk/http/ApiAnnotations/Atomic", { defaultValue: () => true })

/**
 * Whether a POST takes an `Idempotency-Key`. Default: true. False for an endpoint whose repeat is harmless and whose body or
 * answer has a secret (D-EXT-22). Nothing of such a request is stored, not even the digest of its body, from which a short password
 * could be guessed.
 */
export const TakesIdempotencyKey = Context.Reference<boolean>("@frontdesk/http/ApiAnnotations/TakesIdempotencyKey", {
  defaultValue: () => true
})

/**
 * Whether a body with a field that the endpoint does not know is refused (D-HTTP-2). Default: false. True for an endpoint whose
 * body selects what is ended or repeated: with a misspelled field it would act on everything.
 */
export const OnlyKnownFields = Context.Reference<boolean>("@frontdesk/http/ApiAnnotations/OnlyKnownFields", {
  defaultValue: () => false
})

/**
 * The path parameter with the account to which an `Idempotency-Key` belongs (D-IDEM-2). Default: null, for the account of the
 * caller. A parameter for an endpoint of the operator, who may repeat a request while signed in to another account.
 */
export const KeyAccount = Context.Reference<string | null>("@frontdesk/http/ApiAnnotations/KeyAccount", {
  defaultValue: () => null
})

/** Returns whether an endpoint takes an `Idempotency-Key`. */
export const takesIdempotencyKey = ({ annotations, method }: HttpApiEndpoint.Top): boolean =>
  method === "POST" && Context.get(annotations, TakesIdempotencyKey)

/** The query parameter with a signature that replaces the API key (D-ICS-1, `ics_url`). Default: null, for none. */
export const SignedBy = Context.Reference<string | null>("@frontdesk/http/ApiAnnotations/SignedBy", {
  defaultValue: () => null
})

/** The media type of an answer that is text. Default: null, for JSON. */
export const TextAnswer = Context.Reference<string | null>("@frontdesk/http/ApiAnnotations/TextAnswer", {
  defaultValue: () => null
})

/** Computes the cost of a request. Default: 1. */
export const CostOf = Context.Reference<RequestCost.Cost>("@frontdesk/http/ApiAnnotations/CostOf", {
  defaultValue: () => RequestCost.ordinary
})

/** The JSON names of the fields of an answer that contain a secret. They are null in a replay. Default: none. */
export const SecretFields = Context.Reference<ReadonlyArray<string>>("@frontdesk/http/ApiAnnotations/SecretFields", {
  defaultValue: () => []
})
