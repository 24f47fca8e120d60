import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import type { AccountId } from "../access/Account.ts"
import { CalendarProviderKey, CopyResolution, CalendarEventId } from "../calendar-event/CalendarEvent.ts"
import { Notification } from "../mail/Mailer.ts"

/** Database id of a task in the outbox. */
export const OutboxTaskId = DatabaseId.pipe(Schema.brand("OutboxTaskId"))

/** Database id of a task in the outbox. */
export type OutboxTaskId = typeof OutboxTaskId.Type

/** Something that must happen outside because of a change: written with the change, done afterwards, at least once. */
export const OutboxWork = Schema.Union([
  Schema.TaggedStruct("SyncEvent", {
    provider: CalendarProviderKey,
    eventId: CalendarEventId,
    /** What becomes of a change by hand; without it such a change is a conflict. */
    resolution: Schema.optionalKey(CopyResolution)
  }),
  Schema.TaggedStruct("Notify", { notification: Notification })
])

/** Something that must happen outside because of a change. */
export type OutboxWork = typeof OutboxWork.Type

/** A task taken from the outbox: nobody else has it until its lease ends. */
export interface OutboxTask {
  readonly id: OutboxTaskId
  readonly work: OutboxWork
  /** How often it was taken before. */
  readonly attempts: number
}

/** A task that was dead-lettered. */
export interface DeadLetteredTask {
  readonly id: OutboxTaskId
  /** Null when it cannot be read: what is kept is damaged, or of a later version. */
  readonly work: OutboxWork | null
  readonly eventId: CalendarEventId
  /** Whose event it is about; null when there is no such event any more. */
  readonly accountId: AccountId | null
  /** How often it was taken. */
  readonly attempts: number
  /** Why it was dead-lettered; without internal detail. */
  readonly error: string
  readonly deadLetteredAt: DateTime.Utc
}

/** Which of the tasks that were dead-lettered; what is left out narrows nothing. */
export interface DeadLetterFilter {
  readonly id?: OutboxTaskId | undefined
  readonly tag?: OutboxWork["_tag"] | undefined
  /** Whose event it is about. */
  readonly accountId?: AccountId | undefined
}

/** Why a task is dead-lettered whose work cannot be read. */
export const unreadable = "unreadable"

/** The event that work is about. */
export const eventIdOf = (work: OutboxWork): CalendarEventId =>
  work._tag === "SyncEvent" ? work.eventId : work.notification.event.id

/** Which task was taken, and which time: who writes of a task that another has taken since changes nothing. */
export type OutboxLease = Pick<OutboxTask, "id" | "attempts">

/** No task with this id was dead-lettered. */
export class OutboxTaskNotFound extends Schema.TaggedError<OutboxTaskNotFound>(
  "@frontdesk/core/outbox/OutboxTaskNotFound"
)("OutboxTaskNotFound", { taskId: Schema.Int }) {}
