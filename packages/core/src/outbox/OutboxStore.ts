import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { StorageError } from "../storage/StorageError.ts"
import type { StepLimit } from "../background/Steps.ts"
import type * as Page from "../values/Page.ts"
import type {
  DeadLetterFilter,
  DeadLetteredTask,
  OutboxLease,
  OutboxTask,
  OutboxTaskId,
  OutboxWork
} from "./OutboxTask.ts"

/** Port: stores the tasks that follow from changes. */
export class OutboxStore extends Context.Service<
  OutboxStore,
  {
    /** Adds tasks, due at an instant. Called in the transaction of the change. */
    readonly add: (work: ReadonlyArray<OutboxWork>, dueAt: DateTime.Utc) => Effect.Effect<void, StorageError>
    /**
     * Claims due tasks, those that are due for the longest time first, and returns them as they were added. They are due again
     * at the end of the lease. With an owner, `release` of that owner makes them due before.
     *
     * A task that cannot be read is dead-lettered as `unreadable`. Returns an empty list only when no task is due.
     */
    readonly claim: (
      now: DateTime.Utc,
      leaseUntil: DateTime.Utc,
      limit: number,
      owner?: string | null
    ) => Effect.Effect<ReadonlyArray<OutboxTask>, StorageError>
    /** Deletes a completed task. */
    readonly complete: (task: OutboxLease) => Effect.Effect<void, StorageError>
    /** Makes a task due again after a failed attempt. */
    readonly retryAt: (task: OutboxLease, until: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** Makes a claimed task due again without an attempt: the claim does not count. */
    readonly postpone: (task: OutboxLease, until: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** Dead-letters a task. It stays in the list of dead-lettered tasks until `renew` or `sweep` deletes it. */
    readonly deadLetter: (task: OutboxLease, error: string, now: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** Returns a page of dead-lettered tasks, the newest first. */
    readonly deadLettered: (
      filter: DeadLetterFilter,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<DeadLetteredTask>, StorageError>
    /**
     * Replaces dead-lettered tasks with new ones that are due at an instant, and returns the old ids, the newest first.
     *
     * The new tasks have other ids, so that a write with an old claim has no effect. They keep the order and the stored work,
     * readable or not. At most `limit` tasks are replaced, the newest first. With `before`, only tasks with a lower id.
     */
    readonly renew: (
      filter: DeadLetterFilter,
      before: OutboxTaskId | null,
      limit: number,
      dueAt: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<OutboxTaskId>, StorageError>
    /** Makes all tasks that an owner has claimed due at once, and returns how many. For lease recovery after a crash. */
    readonly release: (owner: string, now: DateTime.Utc) => Effect.Effect<number, StorageError>
    /**
     * Deletes tasks that were dead-lettered before an instant, the oldest first, and returns how many; 0 when none is left. The
     * limit counts the bytes of the stored work.
     */
    readonly sweep: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/outbox/OutboxStore") {}
