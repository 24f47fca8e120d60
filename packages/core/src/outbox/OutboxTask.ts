import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import type { AccountId } from "../access/Account.ts"
import { CalendarProviderKey, CopyResolution, CalendarEventId } from "../calendar-event/CalendarEvent.ts"
import { MemberId } from "../access/Person.ts"
import { Notification, SignInMailKind } from "../mail/Mailer.ts"

/** Database id of a task in the outbox. */
export const OutboxTaskId = DatabaseId.pipe(Schema.brand("OutboxTaskId"))

/** Database id of a task in the outbox. */
export type OutboxTaskId = typeof OutboxTaskId.Type

/** The work of a task: what must happen outside Frontdesk because of a change. A worker does it at least once. */
export const OutboxWork = Schema.Union([
  Schema.TaggedStruct("SyncEvent", {
    provider: CalendarProviderKey,
    eventId: CalendarEventId,
    /** How to resolve a conflict in the external calendar. When absent, a conflict stays unresolved. */
    resolution: Schema.optionalKey(CopyResolution)
  }),
  Schema.TaggedStruct("Notify", { notification: Notification }),
  Schema.TaggedStruct("SignIn", { memberId: MemberId, kind: SignInMailKind, requestedAt: Schema.DateTimeUtc })
])

/** The work of a task. */
export type OutboxWork = typeof OutboxWork.Type

/** A claimed task. No other process claims it until its lease ends. */
export interface OutboxTask {
  readonly id: OutboxTaskId
  /** The account that owns the event. */
  readonly accountId: AccountId
  readonly work: OutboxWork
  /** How many times the task was claimed before. */
  readonly attempts: number
}

/** A dead-lettered task. */
export interface DeadLetteredTask {
  readonly id: OutboxTaskId
  /** Null when the stored work cannot be read, because it is damaged or a later version wrote it. */
  readonly work: OutboxWork | null
  /** Null for a task that is about no event. */
  readonly eventId: CalendarEventId | null
  /** The account that owns the event. */
  readonly accountId: AccountId
  /** How many times the task was claimed. */
  readonly attempts: number
  /** Why the task was dead-lettered, without internal detail. */
  readonly error: string
  readonly deadLetteredAt: DateTime.Utc
}

/** A dead-lettered task that a new task has replaced. */
export interface RenewedTask {
  readonly id: OutboxTaskId
  /** The account that owns the event. */
  readonly accountId: AccountId
}

/** What one step of a retry of several tasks has done. */
export interface RenewalStep {
  /** The tasks that new ones have replaced, the newest first. */
  readonly renewed: ReadonlyArray<RenewedTask>
  /** The `before` of the next step. Null when there are no older tasks. */
  readonly before: OutboxTaskId | null
}

/** Returns the result of a step that has examined these tasks, the newest first. With fewer than `limit` it is the last. */
export const stepOver = (
  examined: ReadonlyArray<OutboxTaskId>,
  limit: number,
  renewed: ReadonlyArray<RenewedTask>
): RenewalStep => ({ renewed, before: examined.length < limit ? null : (examined.at(-1) ?? null) })

/** Selects dead-lettered tasks. An absent field matches every task. */
export interface DeadLetterFilter {
  readonly id?: OutboxTaskId | undefined
  readonly tag?: OutboxWork["_tag"] | undefined
  /** The account that owns the event. */
  readonly accountId?: AccountId | undefined
}

/** The error of a task that is dead-lettered because its work cannot be read (D-OUT-9). */
export const unreadable = "unreadable"

/** Returns the event that the work is about. A mail with a sign-in link is about none. */
export const eventIdOf = (work: OutboxWork): CalendarEventId | null => {
  switch (work._tag) {
    case "SyncEvent":
      return work.eventId
    case "Notify":
      return work.notification.event.id
    case "SignIn":
      return null
  }
}

/**
 * Returns the line of the work, which is its kind and provider. Tasks of one line reach the same external system, so they
 * share places (D-OUT-10).
 */
export const lineOf = (work: OutboxWork): string =>
  work._tag === "SyncEvent" ? `${work._tag} ${work.provider}` : work._tag

/** Returns a key for a line of an account. */
export const lineKey = (accountId: AccountId, line: string): string => `${accountId} ${line}`

/** Identifies one claim of a task. A write with a stale claim has no effect. */
export type OutboxLease = Pick<OutboxTask, "id" | "attempts">

/** No task with this id was dead-lettered. */
export class OutboxTaskNotFound extends Schema.TaggedError<OutboxTaskNotFound>(
  "@frontdesk/core/outbox/OutboxTaskNotFound"
)("OutboxTaskNotFound", { taskId: Schema.Int }) {}
