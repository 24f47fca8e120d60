import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { StepLimit } from "../background/Steps.ts"
import type * as Page from "../values/Page.ts"
import type * as FairShare from "../background/FairShare.ts"
import type {
  DeadLetterFilter,
  DeadLetteredTask,
  OutboxLease,
  OutboxTask,
  OutboxTaskId,
  RenewalStep,
  OutboxWork
} from "./OutboxTask.ts"

/**
 * The places of a process that are taken, and how many of them one line of an account may have. Lines are named by their
 * keys (`lineKey`).
 */
export type TakenPlaces = Omit<FairShare.Places<AccountId, string>, "free">

/** The state of a process that does no task and limits no line. */
export const nothingTaken: TakenPlaces = {
  perLine: Number.MAX_SAFE_INTEGER,
  takenByAccount: new Map(),
  takenByLine: new Map()
}

/** How many tasks of all accounts the outbox has. */
export interface OutboxCounts {
  /** The tasks that are neither done nor dead-lettered: due, due later, or claimed. */
  readonly waiting: number
  /** The dead-lettered tasks by the tag of their work. A tag without such a task is absent. */
  readonly deadLettered: ReadonlyMap<string, number>
}

/** Port: where the tasks that follow from changes are stored. */
export class OutboxStore extends Context.Service<
  OutboxStore,
  {
    /**
     * Adds tasks that are due at `dueAt`. `accountId` is the account that owns their calendar events. Called in the
     * transaction of the change.
     */
    readonly add: (
      accountId: AccountId,
      work: ReadonlyArray<OutboxWork>,
      dueAt: DateTime.Utc
    ) => Effect.Effect<void, StorageError>
    /**
     * Claims up to `limit` due tasks, and returns them by id, in the order in which they were added. They are due again when
     * the lease ends, or when `release` is called for their owner.
     *
     * `limit` is also the number of free places. They are shared by account first, then by the line of the task
     * (`FairShare`), and within a line the longest due task comes first. So a claim may leave places free for accounts that
     * have none. By default no place is taken.
     *
     * A task that cannot be read is dead-lettered with the error `unreadable`. The result is empty only when no task is
     * due, or when no account with due tasks may have another place.
     */
    readonly claim: (
      now: DateTime.Utc,
      leaseUntil: DateTime.Utc,
      limit: number,
      owner?: string | null,
      taken?: TakenPlaces
    ) => Effect.Effect<ReadonlyArray<OutboxTask>, StorageError>
    /** Deletes a completed task. */
    readonly complete: (task: OutboxLease) => Effect.Effect<void, StorageError>
    /** Makes a task due at `until` after a failed attempt. */
    readonly retryAt: (task: OutboxLease, until: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** Makes a claimed task due at `until`. Its claim does not count as an attempt. */
    readonly postpone: (task: OutboxLease, until: DateTime.Utc) => Effect.Effect<void, StorageError>
    /**
     * Dead-letters a task. Returns false, and changes nothing, when the claim is stale. The task stays in the list of
     * dead-lettered tasks until `renew` or `sweep` deletes it.
     */
    readonly deadLetter: (task: OutboxLease, error: string, now: DateTime.Utc) => Effect.Effect<boolean, StorageError>
    /** Returns a page of dead-lettered tasks, the newest first. */
    readonly deadLettered: (
      filter: DeadLetterFilter,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<DeadLetteredTask>, StorageError>
    /**
     * Counts the waiting tasks of all accounts, and the dead-lettered ones of all kinds together, each up to `max`. For
     * operators.
     */
    readonly count: (max: number) => Effect.Effect<OutboxCounts, StorageError>
    /**
     * Replaces dead-lettered tasks with new tasks that are due at `dueAt`. Returns the old tasks, the newest first, and where
     * the next step continues.
     *
     * It examines up to `limit` tasks of the account, or of all accounts, whatever their kind is: the newest first, and only
     * tasks with a lower id than `before` unless that is null. So a step takes equally long when few tasks have the kind. The
     * new tasks have other ids, so that a write with an old claim has no effect. They keep their order and their stored
     * work, also work that cannot be read.
     */
    readonly renew: (
      filter: DeadLetterFilter,
      before: OutboxTaskId | null,
      limit: number,
      dueAt: DateTime.Utc
    ) => Effect.Effect<RenewalStep, StorageError>
    /**
     * Makes all tasks that an owner has claimed due at once, and returns how many. Lease recovery uses it after a crash.
     */
    readonly release: (owner: string, now: DateTime.Utc) => Effect.Effect<number, StorageError>
    /**
     * Deletes tasks that were dead-lettered before an instant, the oldest first, up to the limit. Returns how many; 0 when
     * none is left. The limit's bytes count the stored work.
     */
    readonly sweep: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/outbox/OutboxStore") {}
