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

/**
 * Port: stores when reminders are due. A calendar event has at most one reminder that waits. A reminder that was sent
 * for a due time is never sent again for the same time.
 */
export class ReminderStore extends Context.Service<
  ReminderStore,
  {
    /** Sets when the event's reminder is due. A time equal to the stored one, sent or not, changes nothing. */
    readonly schedule: (eventId: CalendarEventId, dueAt: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** Returns the start times for which reminders were sent, with null for one that was not stored. */
    readonly reminded: (eventId: CalendarEventId) => Effect.Effect<ReadonlyArray<DateTime.Utc | null>, StorageError>
    /** Deletes the event's reminder that waits. Reminders that were sent stay stored (D-REM-7). */
    readonly drop: (eventId: CalendarEventId) => Effect.Effect<void, StorageError>
    /** Returns at most `limit` due reminders, ordered by due time, then event. With `after`, only those after it. */
    readonly due: (
      now: DateTime.Utc,
      limit: number,
      after?: DueReminder
    ) => Effect.Effect<ReadonlyArray<DueReminder>, StorageError>
    /**
     * Locks the calendar event of one of the given reminders until the transaction ends, and returns the reminder with
     * its present due time. It is the earliest due of those that still wait and are due at `now`. Returns none when
     * no reminder could be claimed.
     *
     * A reminder whose calendar event another transaction has locked is skipped, or waited for if `waits` is true. After
     * a wait, the other transaction may have sent it: then `markSent` returns false.
     */
    readonly claim: (
      now: DateTime.Utc,
      reminders: ReadonlyArray<DueReminder>,
      waits: boolean
    ) => Effect.Effect<Option.Option<DueReminder>, StorageError>
    /** Returns the first due time strictly after an instant among the reminders that wait. */
    readonly nextDue: (after: DateTime.Utc) => Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
    /**
     * Marks a reminder as sent for a start time of the event. Returns false when it was sent, moved or dropped in the
     * meantime: then the caller must not send it. Call it in the transaction that stores what the reminder sends.
     */
    readonly markSent: (reminder: DueReminder, startTime: DateTime.Utc) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/reminder/ReminderStore") {}
