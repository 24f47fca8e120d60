import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Page from "../values/Page.ts"
import { Outbox } from "./Outbox.ts"
import { OutboxStore } from "./OutboxStore.ts"
import { type DeadLetterFilter, type OutboxTaskId, OutboxTaskNotFound } from "./OutboxTask.ts"

/** The maximum number of tasks that one request retries (D-OUT-11). */
export const maxRetried = 500

/** What a request that retries several tasks has done. */
export interface RetriedTasks {
  /** How many tasks the request has made due. */
  readonly retried: number
  /** How many tasks of the filter are dead-lettered after the request, also those that were dead-lettered again. */
  readonly remaining: number
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
    const renewed = yield* store.renew(filter, before, limit, yield* DateTime.now)
    if (renewed.length > 0) yield* outbox.notify
    return renewed
  })

  /** Retries one task. Fails with `OutboxTaskNotFound` when the filter selects none. */
  const one = Effect.fnUntraced(function* (filter: DeadLetterFilter & { readonly id: OutboxTaskId }) {
    const [renewed] = yield* renew(filter, null, 1)
    if (renewed === undefined) return yield* new OutboxTaskNotFound({ taskId: filter.id })
    yield* audit.record("tasks.retry", { accountId: renewed.accountId, type: "task", id: filter.id })
  }, transaction.run)

  /** Retries several tasks, and returns the old ones. Each account gets an entry with the number of its tasks. */
  const several = Effect.fnUntraced(function* (filter: DeadLetterFilter, before: OutboxTaskId | null, limit: number) {
    const renewed = yield* renew(filter, before, limit)
    const counts = new Map<AccountId, number>()
    for (const { accountId } of renewed) counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
    for (const [accountId, tasks] of counts)
      yield* audit.record("tasks.retryAll", { accountId, type: "task", id: null }, FieldChanges.facts({ tasks }))
    return renewed
  }, transaction.run)

  /** Retries the newest {@link maxRetried} tasks of those with a lower id than `before`. */
  const step = Effect.fnUntraced(function* (filter: DeadLetterFilter, before: OutboxTaskId | null) {
    const renewed = yield* several(filter, before, maxRetried)
    const { count } = yield* store.deadLettered(filter, Page.onlyCount)
    const oldest = renewed.length === maxRetried ? renewed.at(-1)?.id : undefined
    return { retried: renewed.length, remaining: count, nextBeforeId: oldest ?? null } satisfies RetriedTasks
  })

  return { one, several, step }
})
