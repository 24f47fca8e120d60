import * as Schema from "effect/Schema"
import { CalendarProviderKey, EventId } from "../calendar/CalendarEvent.ts"
import { Notification } from "../notify/Mailer.ts"

/** Database id of a task in the outbox. */
export const OutboxTaskId = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("OutboxTaskId"))

/** Database id of a task in the outbox. */
export type OutboxTaskId = typeof OutboxTaskId.Type

/** Something that must happen outside because of a change: written with the change, done afterwards, at least once. */
export const OutboxWork = Schema.Union([
  Schema.TaggedStruct("SyncEvent", { provider: CalendarProviderKey, eventId: EventId }),
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

/** Which task was taken, and which time: who writes of a task that another has taken since changes nothing. */
export type OutboxLease = Pick<OutboxTask, "id" | "attempts">
