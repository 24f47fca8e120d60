import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AuditStore } from "../audit/AuditStore.ts"
import { AccountId } from "../access/Account.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Transaction } from "../storage/Transaction.ts"
import * as Page from "../values/Page.ts"
import type { Outbox } from "./Outbox.ts"
import { OutboxStore } from "./OutboxStore.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import * as OutboxReport from "./OutboxReport.ts"
import * as Renewal from "./Renewal.ts"
import { OutboxTaskId, type OutboxTaskNotFound } from "./OutboxTask.ts"

/** Selects dead-lettered tasks. An absent field matches every task. */
export const OutboxFilter = Schema.Struct({
  accountId: Schema.optional(AccountId),
  kind: Schema.optional(OutboxReport.OutboxKind)
})

/** Selects dead-lettered tasks. */
export type OutboxFilter = typeof OutboxFilter.Type

/** Selects a page of dead-lettered tasks. */
export const OutboxQuery = Schema.Struct({
  ...OutboxFilter.fields,
  ...Page.PageQuery.fields
})

/** Selects a page of dead-lettered tasks. */
export type OutboxQuery = typeof OutboxQuery.Type

const inputs: Input.Inputs<OutboxOperations["Service"]> = {
  list: [{ query: Schema.UndefinedOr(OutboxQuery) }],
  retry: [{ id: OutboxTaskId }],
  retryAll: [{ filter: Schema.UndefinedOr(OutboxFilter) }]
}

/** Lists and retries dead-lettered mails and calendar writes of every account, for an operator. It has no endpoint. */
export class OutboxOperations extends Context.Service<
  OutboxOperations,
  {
    /** Returns a page of dead-lettered tasks, the newest first. */
    readonly list: (
      query?: OutboxQuery
    ) => Effect.Effect<Page.Page<OutboxReport.OutboxReport>, ValidationError | StorageError>
    /**
     * Makes a dead-lettered task due at once, as a new task with another id and the full number of attempts (D-OUT-6).
     * Fails with `OutboxTaskNotFound` when no dead-lettered task has the id.
     *
     * The worker decides what to mail or write when it does the task. It drops a mail that is no longer valid.
     */
    readonly retry: (id: OutboxTaskId) => Effect.Effect<void, OutboxTaskNotFound | ValidationError | StorageError>
    /**
     * Retries all dead-lettered tasks that the filter selects, as `retry` does, and returns how many.
     *
     * A call retries each task once, also when the task is dead-lettered again during the call (D-OUT-7). When the call
     * fails, the tasks that it has made due stay due, and another call retries the rest.
     */
    readonly retryAll: (filter?: OutboxFilter) => Effect.Effect<number, ValidationError | StorageError>
  }
>()("@frontdesk/core/outbox/OutboxOperations") {
  /** The service over the outbox. */
  static readonly layer: Layer.Layer<OutboxOperations, never, AuditStore | Outbox | OutboxStore | Transaction> =
    Layer.effect(
      OutboxOperations,
      Effect.gen(function* () {
        const renewal = yield* Renewal.make
        const store = yield* OutboxStore

        const list: OutboxOperations["Service"]["list"] = Tracing.operation("OutboxOperations.list")(function* (
          query = {}
        ) {
          return Page.map(yield* store.deadLettered(narrowed(query), Page.request(query)), OutboxReport.of)
        })

        const retry = Tracing.operation("OutboxOperations.retry")(function* (id: OutboxTaskId) {
          yield* renewal.one({ id })
        })

        const retryAll = Tracing.operation("OutboxOperations.retryAll")(function* (filter: OutboxFilter = {}) {
          let total = 0
          let before: OutboxTaskId | null = null
          do {
            // New tasks have higher ids than `before`. So this loop does not retry them again when they are dead-lettered
            // again.
            const step: Renewal.RetriedTasks = yield* renewal.step(narrowed(filter), before)
            total += step.retried
            before = step.nextBeforeId
          } while (before !== null)
          return total
        })

        return Input.service(OutboxOperations, inputs, { list, retry, retryAll })
      })
    )
}

const narrowed = ({ accountId, kind }: OutboxFilter) => ({ accountId, tag: OutboxReport.tagOf(kind) })
