import * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import type { AuditTrail } from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { RenewedTask } from "./OutboxTask.ts"

/** Records how many dead-lettered tasks of each account were retried together. Call it in the transaction of the retry. */
export const record = (audit: AuditTrail, renewed: ReadonlyArray<RenewedTask>): Effect.Effect<void, StorageError> => {
  const counts = new Map<AccountId, number>()
  for (const { accountId } of renewed) counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
  return Effect.forEach(
    counts,
    ([accountId, tasks]) =>
      audit.record("tasks.retryAll", { accountId, type: "task", id: null }, FieldChanges.facts({ tasks })),
    { discard: true }
  )
}
