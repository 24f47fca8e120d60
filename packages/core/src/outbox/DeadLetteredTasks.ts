import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AuditStore } from "../audit/AuditStore.ts"
import { Principal } from "../access/Principal.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Transaction } from "../storage/Transaction.ts"
import * as Input from "../values/Input.ts"
import * as Page from "../values/Page.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import type { Outbox } from "./Outbox.ts"
import * as OutboxReport from "./OutboxReport.ts"
import * as Renewal from "./Renewal.ts"
import { OutboxStore } from "./OutboxStore.ts"
import { type DeadLetterFilter, OutboxTaskId, type OutboxTaskNotFound } from "./OutboxTask.ts"

/** Selects a page of the account's dead-lettered tasks. */
export const DeadLetterQuery = Schema.Struct({
  kind: Schema.optional(OutboxReport.OutboxKind),
  ...Page.PageQuery.fields
})

/** Selects a page of the account's dead-lettered tasks. */
export type DeadLetterQuery = typeof DeadLetterQuery.Type

/** Selects the tasks that `DeadLetteredTasks.retryAll` retries. An absent field selects every task. */
export const RetryTasks = Schema.Struct({
  kind: Schema.optionalKey(OutboxReport.OutboxKind),
  /** Only tasks with a lower id are retried: the `nextBeforeId` of an earlier call. */
  beforeId: Schema.optionalKey(OutboxTaskId)
})

/** Selects the tasks that `DeadLetteredTasks.retryAll` retries. */
export type RetryTasks = typeof RetryTasks.Type

const inputs: Input.Inputs<DeadLetteredTasks["Service"]> = {
  list: [{ query: Schema.UndefinedOr(DeadLetterQuery) }],
  retry: [{ id: OutboxTaskId }],
  retryAll: [{ body: Schema.UndefinedOr(RetryTasks) }]
}

/**
 * Lists and retries the dead-lettered mails and calendar writes of the caller's account (D-OUT-11). Tasks of other accounts
 * are invisible, and stay as they are. The operator uses `OutboxOperations`.
 */
export class DeadLetteredTasks extends Context.Service<
  DeadLetteredTasks,
  {
    /** Returns a page of the account's dead-lettered tasks, the newest first. */
    readonly list: (
      query?: DeadLetterQuery
    ) => Effect.Effect<Page.Page<OutboxReport.OutboxReport>, ValidationError | StorageError, Principal>
    /**
     * Makes a dead-lettered task due at once, as `OutboxOperations.retry` does. Fails with `OutboxTaskNotFound` when the
     * account has no dead-lettered task with the id.
     */
    readonly retry: (
      id: OutboxTaskId
    ) => Effect.Effect<void, OutboxTaskNotFound | ValidationError | StorageError, Principal>
    /**
     * Retries the account's dead-lettered tasks, the newest first. A call examines at most `Renewal.maxRetried` of them, of any
     * kind. Calls with the `nextBeforeId` of the call before retry all tasks, each of them once.
     */
    readonly retryAll: (
      body?: RetryTasks
    ) => Effect.Effect<Renewal.RetriedTasks, ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/outbox/DeadLetteredTasks") {
  /** The service over the outbox. */
  static readonly layer: Layer.Layer<DeadLetteredTasks, never, AuditStore | Outbox | OutboxStore | Transaction> =
    Layer.effect(
      DeadLetteredTasks,
      Effect.gen(function* () {
        const renewal = yield* Renewal.make
        const store = yield* OutboxStore

        /** Returns the filter of a request. It always has the account of the caller. */
        const filterOf = <Filter extends Omit<DeadLetterFilter, "accountId">>(filter: Filter) =>
          Effect.map(Principal, ({ account }) => ({ ...filter, accountId: account.id }))

        return Input.service(DeadLetteredTasks, inputs, {
          list: Tracing.operation("DeadLetteredTasks.list")(function* (query = {}) {
            const filter = yield* filterOf({ tag: OutboxReport.tagOf(query.kind) })
            return Page.map(yield* store.deadLettered(filter, Page.request(query)), OutboxReport.of)
          }),
          retry: Tracing.operation("DeadLetteredTasks.retry")(function* (id) {
            yield* renewal.one(yield* filterOf({ id }))
          }),
          retryAll: Tracing.operation("DeadLetteredTasks.retryAll")(function* ({ beforeId, kind } = {}) {
            const filter = yield* filterOf({ tag: OutboxReport.tagOf(kind) })
            return yield* renewal.step(filter, beforeId ?? null)
          })
        })
      })
    )
}
