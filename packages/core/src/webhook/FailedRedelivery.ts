import * as Effect from "effect/Effect"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import { DeliveryStore, type FailedDeliveries } from "../delivery/DeliveryStore.ts"
import { Transaction } from "../storage/Transaction.ts"

/** The maximum number of failed deliveries that one step makes due. */
const stepSize = 500

/**
 * Makes the function that makes failed deliveries of a webhook due in one step, a transaction with its entry in the audit log.
 * Pass the same `now` to each step: deliveries that are due at once are sent in the order of their webhook events.
 */
export const make = Effect.gen(function* () {
  const audit = yield* AuditTrail.make
  const store = yield* DeliveryStore
  const transaction = yield* Transaction

  return Effect.fnUntraced(function* (
    which: Omit<FailedDeliveries, "limit">,
    now: Parameters<typeof store.redeliverFailed>[1]
  ) {
    const step = yield* store.redeliverFailed({ ...which, limit: stepSize }, now)
    const audited = { accountId: which.accountId, type: "webhook" as const, id: which.webhookId }
    const facts = FieldChanges.facts({ deliveries: step.count })
    if (step.count > 0) yield* audit.record("webhooks.redeliverFailed", audited, facts)
    return step
  }, transaction.run)
})
