import type { CalendarSyncError, CalendarSyncReason } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import type { Answer } from "../request/Exchange.ts"
import { isAccepted, reasonOf, refusal } from "../request/ErrorResponse.ts"
import * as Multistatus from "./Multistatus.ts"

/** Conditions that are more precise than the status of the answer (RFC 4918 16, RFC 4791 5.3.2.1, 7.8, RFC 3744 7.1.1). */
const reasons: { readonly [condition: string]: CalendarSyncReason } = {
  "need-privileges": "unauthorized",
  "no-uid-conflict": "conflict",
  "lock-token-submitted": "conflict",
  "quota-not-exceeded": "invalid",
  "sufficient-disk-space": "invalid",
  "supported-calendar-data": "invalid",
  "valid-calendar-data": "invalid",
  "valid-calendar-object-resource": "invalid",
  "supported-calendar-component": "invalid",
  "supported-filter": "invalid",
  "valid-filter": "invalid",
  "min-date-time": "invalid",
  "max-date-time": "invalid",
  "max-instances": "invalid",
  "number-of-matches-within-limits": "invalid",
  "max-resource-size": "invalid"
}

const byCondition = (conditions: ReadonlyArray<string>): CalendarSyncReason | undefined =>
  conditions.map((condition) => reasons[condition]).find((reason) => reason !== undefined)

/** Fails with the error for an answer of a WebDAV server. */
export const davRefusal = (answer: Answer): Effect.Effect<never, CalendarSyncError> =>
  refusal(answer, byCondition(Multistatus.conditionsIn(answer.body)) ?? reasonOf(answer.status))

/** Returns the resources of a 207 answer. Fails with the error for a status other than 2xx. */
export const resourcesOf = (answer: Answer): Effect.Effect<ReadonlyArray<Multistatus.Resource>, CalendarSyncError> =>
  isAccepted(answer) ? Multistatus.parse(answer) : davRefusal(answer)

/**
 * Returns the one resource of a 207 answer. Fails also when the resource has an error status of its own: Xandikos reports a
 * missing resource in that way.
 */
export const resourceOf = Effect.fnUntraced(function* (
  answer: Answer
): Effect.fn.Return<Multistatus.Resource, CalendarSyncError> {
  const [resource] = yield* resourcesOf(answer)
  if (resource !== undefined && (resource.status ?? 200) < 300) return resource
  return yield* refusal(answer, reasonOf(resource?.status ?? 400))
})

/**
 * Returns the answer to a PUT that took effect. Fails also for a 207, which reports inside that the write failed
 * (RFC 4918 13).
 */
export const acceptedWrite = Effect.fnUntraced(function* (answer: Answer): Effect.fn.Return<Answer, CalendarSyncError> {
  if (!isAccepted(answer)) return yield* davRefusal(answer)
  if (answer.status !== 207) return answer
  const [resource] = yield* Multistatus.parse(answer)
  const reason = byCondition(resource?.conditions ?? []) ?? reasonOf(resource?.status ?? 400)
  return yield* refusal(answer, reason)
})
