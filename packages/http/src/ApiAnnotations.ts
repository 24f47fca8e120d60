import type { Operation } from "@frontdesk/core/access/Permission"
import * as Context from "effect/Context"
import type { ErrorCode } from "./ErrorCode.ts"
import * as RequestCost from "./request/RequestCost.ts"

/** The operation of an endpoint, which decides the permission it needs. */
export class OperationName extends Context.Service<OperationName, Operation>()(
  "@frontdesk/http/ApiAnnotations/OperationName"
) {}

/** A further path of an endpoint (D-HOOK-1). */
export interface Alias {
  readonly path: `/${string}`
  /** The answer says with a `Deprecation` header that the path should no longer be used. */
  readonly deprecated: boolean
}

/** Further paths under which an endpoint answers alike. */
export const Aliases = Context.Reference<ReadonlyArray<Alias>>("@frontdesk/http/ApiAnnotations/Aliases", {
  defaultValue: () => []
})

/** Fields, by their name on the wire, whose wrong values have a code of their own. */
export const FieldCodes = Context.Reference<{ readonly [field: string]: ErrorCode }>(
  "@frontdesk/http/ApiAnnotations/FieldCodes",
  {
    defaultValue: () => ({})
  }
)

/**
 * Whether what an endpoint does and its answer are committed together under an `Idempotency-Key`. False where something
 * outside is asked in between: there an answer is stored once the request is recorded as executed, also a failure.
 */
export const Atomic = Context.Reference<boolean>("@frontdesk/http/ApiAnnotations/Atomic", { defaultValue: () => true })

/** The query parameter that stands in for a key, where there is one (D-ICS-1, `ics_url`). */
export const SignedBy = Context.Reference<string | null>("@frontdesk/http/ApiAnnotations/SignedBy", {
  defaultValue: () => null
})

/** The media type of an answer that is text; null where it is JSON. */
export const TextAnswer = Context.Reference<string | null>("@frontdesk/http/ApiAnnotations/TextAnswer", {
  defaultValue: () => null
})

/** What a request takes from the bucket of its caller; 1 unless set. */
export const CostOf = Context.Reference<RequestCost.Cost>("@frontdesk/http/ApiAnnotations/CostOf", {
  defaultValue: () => RequestCost.ordinary
})

/** Fields of an answer, by their name on the wire, that show a secret: a replay of the answer has null in their place. */
export const SecretFields = Context.Reference<ReadonlyArray<string>>("@frontdesk/http/ApiAnnotations/SecretFields", {
  defaultValue: () => []
})
