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

/** Port: where tasks wait that a change has left to be done. */
export class OutboxStore extends Context.Service<
  OutboxStore,
  {
    /** Adds tasks, due at an instant. Called in the transaction of the change. */
    readonly add: (work: ReadonlyArray<OutboxWork>, dueAt: DateTime.Utc) => Effect.Effect<void, StorageError>
    /**
     * Takes due tasks, those that are due for the longest first, and makes them due again at the end of the lease; they
     * are answered as they were added. With the name of an owner, so that its successor can `release` them.
     *
     * One that cannot be read is dead-lettered instead, as `unreadable`. None is answered only when none is due.
     */
    readonly claim: (
      now: DateTime.Utc,
      leaseUntil: DateTime.Utc,
      limit: number,
      owner?: string | null
    ) => Effect.Effect<ReadonlyArray<OutboxTask>, StorageError>
    /** Removes a task that is done. */
    readonly complete: (task: OutboxLease) => Effect.Effect<void, StorageError>
    /** Makes a task due at another time. */
    readonly retryAt: (task: OutboxLease, until: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** Does the same with a task that was not tried: as if it had not been taken. */
    readonly postpone: (task: OutboxLease, until: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** Dead-letters a task; it stays to be looked at until it is renewed or swept. */
    readonly deadLetter: (task: OutboxLease, error: string, now: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** Tasks that were dead-lettered, the newest first. */
    readonly deadLettered: (
      filter: DeadLetterFilter,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<DeadLetteredTask>, StorageError>
    /**
     * Puts new tasks in the place of some that were dead-lettered, due at an instant: with other ids, so that nobody who
     * still holds an old one writes of them, in the order of the old ones, their work as it is kept, readable or not.
     * No more than `limit`, the newest first, and only such as were added before a task, unless that is null. Answers
     * the old ids, the newest first.
     */
    readonly renew: (
      filter: DeadLetterFilter,
      before: OutboxTaskId | null,
      limit: number,
      dueAt: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<OutboxTaskId>, StorageError>
    /** Makes everything that an owner has taken due at once: what its predecessor held when it was killed. How many. */
    readonly release: (owner: string, now: DateTime.Utc) => Effect.Effect<number, StorageError>
    /**
     * Deletes some of the tasks that were dead-lettered before an instant, the oldest first, and returns how many; 0 when
     * none is left. The bytes of the limit are those of the stored work.
     */
    readonly sweep: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/outbox/OutboxStore") {}
