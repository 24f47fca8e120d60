import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { StorageError } from "../storage/StorageError.ts"
import type { OutboxLease, OutboxTask, OutboxWork } from "./OutboxTask.ts"

/** Port: where tasks wait that a change has left to be done. */
export class OutboxStore extends Context.Service<
  OutboxStore,
  {
    /** Adds tasks, due at an instant. Called in the transaction of the change. */
    readonly add: (work: ReadonlyArray<OutboxWork>, dueAt: DateTime.Utc) => Effect.Effect<void, StorageError>
    /**
     * Takes due tasks, the oldest first, and makes them due again at the end of the lease. With the name of an owner, so
     * that its successor can `release` them.
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
    readonly postpone: (task: OutboxLease, until: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** Sets a task aside for good; it stays to be looked at until it is swept. */
    readonly abandon: (task: OutboxLease, error: string) => Effect.Effect<void, StorageError>
    /** Makes everything that an owner has taken due at once: what its predecessor held when it was killed. How many. */
    readonly release: (owner: string, now: DateTime.Utc) => Effect.Effect<number, StorageError>
    /** Removes tasks that were set aside and whose last lease ended before an instant, no more than `limit`; how many. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/outbox/OutboxStore") {}
