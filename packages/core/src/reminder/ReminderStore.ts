import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import type { CalendarEventId } from "../calendar-event/CalendarEvent.ts"

/** A reminder that is due. */
export interface DueReminder {
  readonly eventId: CalendarEventId
  readonly dueAt: DateTime.Utc
}

/** Port: when reminders are due. An event has at most one; a time that has been sent is never sent again. */
export class ReminderStore extends Context.Service<
  ReminderStore,
  {
    /** Sets when the event's reminder is due; a time equal to the one kept, sent or not, changes nothing. */
    readonly schedule: (eventId: CalendarEventId, dueAt: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** The starts of the event that were reminded of; null for one that was not stored. */
    readonly reminded: (eventId: CalendarEventId) => Effect.Effect<ReadonlyArray<DateTime.Utc | null>, StorageError>
    /** Forgets the event's reminder unless it was sent; a sent time stays remembered. */
    readonly drop: (eventId: CalendarEventId) => Effect.Effect<void, StorageError>
    /** Reminders not sent whose time has come, by that time, then event; only those behind `after` if it is given. */
    readonly due: (
      now: DateTime.Utc,
      limit: number,
      after?: DueReminder
    ) => Effect.Effect<ReadonlyArray<DueReminder>, StorageError>
    /** The earliest time after an instant, and not at it, at which a reminder that was not sent is due. */
    readonly nextDue: (after: DateTime.Utc) => Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
    /**
     * Marks a reminder of the event's start sent. False when it was sent, moved or dropped in the meantime: then nothing may be sent. Used
     * in the transaction that writes what the reminder sends.
     */
    readonly markSent: (reminder: DueReminder, startTime: DateTime.Utc) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/reminder/ReminderStore") {}
