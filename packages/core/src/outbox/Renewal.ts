import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import { Transaction } from "../storage/Transaction.ts"
import { Outbox } from "./Outbox.ts"
import { OutboxStore } from "./OutboxStore.ts"
import { type DeadLetterFilter, type OutboxTaskId, OutboxTaskNotFound } from "./OutboxTask.ts"

/** The maximum number of tasks that one request examines and retries (D-OUT-11). */
export const maxRetried = 500

/** What a request that retries several tasks has done. */
export interface RetriedTasks {
  /** How many tasks the request has made due. */
  readonly retried: number
  /** The `beforeId` of the next request, which retries the older tasks. Null when there are no older tasks. */
  readonly nextBeforeId: OutboxTaskId | null
}

/**
 * Makes the functions that make dead-lettered tasks due at once, record it in the audit log and notify the worker. Each call
 * is one transaction. See `OutboxStore.renew`.
 */
export const make = Effect.gen(function* () {
  const audit = yield* AuditTrail.make
  const outbox = yield* Outbox
  const store = yield* OutboxStore
  const transaction = yield* Transaction

  const renew = Effect.fnUntraced(function* (filter: DeadLetterFilter, before: OutboxTaskId | null, limit: number) {
    const step = yield* store.renew(filter, before, limit, yield* DateTime.now)
    if (step.renewed.length > 0) yield* outbox.notify
    return step
  })

  /** Retries one task. Fails with `OutboxTaskNotFound` when the filter selects none. */
  const one = Effect.fnUntraced(function* (filter: DeadLetterFilter & { readonly id: OutboxTaskId }) {
    const [renewed] = (yield* renew(filter, null, 1)).renewed
    if (renewed === undefined) return yield* new OutboxTaskNotFound({ taskId: filter.id })
    yield* audit.record("tasks.retry", { accountId: renewed.accountId, type: "task", id: filter.id })
  }, transaction.run)

  /**
   * Retries the tasks of the filter among the newest {@link maxRetried} with a lower id than `before`. Each account gets an entry
   * with the number of its tasks.
   */
  const step = Effect.fnUntraced(function* (filter: DeadLetterFilter, before: OutboxTaskId | null) {
    const { before: nextBeforeId, renewed } = yield* renew(filter, before, maxRetried)
    const counts = new Map<AccountId, number>()
    for (const { accountId } of renewed) counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
    for (const [accountId, tasks] of counts)
      yield* audit.record("tasks.retryAll", { accountId, type: "task", id: null }, FieldChanges.facts({ tasks }))
    return { retried: renewed.length, nextBeforeId } satisfies RetriedTasks
  }, transaction.run)

  return { one, step }
})
