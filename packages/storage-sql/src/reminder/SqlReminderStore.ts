import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"

const DueRow = Schema.Struct({ eventId: CalendarEventId, dueAt: Column.Time })

const RemindedRow = Schema.Struct({ startTime: Schema.NullOr(Column.Time) })

const dueText = (behind: string): string =>
  `SELECT event_id, due_at FROM reminder WHERE NOT is_sent AND due_at <= ?1 ${behind} ORDER BY due_at, event_id LIMIT ?2`

/**
 * Returns the `SELECT` that locks the calendar event of a reminder and returns the reminder. The due time is a subquery
 * for each of the given calendar events. For a join, PostgreSQL may read the index of due reminders from its beginning,
 * where reminders that were sent leave entries until the next vacuum.
 */
const claimText = (dialect: Dialect, waits: boolean): string => {
  const dueAt = "(SELECT min(due_at) FROM reminder WHERE event_id = calendar_event.id AND NOT is_sent)"
  return `SELECT calendar_event.id AS event_id, ${dueAt} AS due_at FROM calendar_event
    WHERE ${dialect.isOneOf("calendar_event.id", "?1")} AND ${dueAt} <= ?2
    ORDER BY ${dueAt}, calendar_event.id
    LIMIT 1${dialect.forUpdate("calendar_event")}${dialect.isConcurrent && !waits ? " SKIP LOCKED" : ""}`
}

/**
 * The `ReminderStore` in a SQL database. A calendar event has at most one row for its next reminder, with the due time.
 * It has another row for each reminder that was sent (D-REM-7).
 */
export const layer: Layer.Layer<ReminderStore, never, Database> = Layer.effect(
  ReminderStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const schedule = database.send("ReminderStore.schedule")
    const reminded = database.all("ReminderStore.reminded", RemindedRow)
    const drop = database.send("ReminderStore.drop")
    const due = database.all("ReminderStore.due", DueRow)
    const claimed = database.first("ReminderStore.claim", DueRow)
    const [claimFree, claimWaiting] = [claimText(dialect, false), claimText(dialect, true)]
    const nextDue = database.one("ReminderStore.nextDue", Column.Due)
    const marked = database.first("ReminderStore.markSent", Column.Found)

    return ReminderStore.of({
      schedule: (eventId, dueAt) =>
        database.inTransaction("ReminderStore.schedule")(
          Effect.andThen(
            schedule("DELETE FROM reminder WHERE event_id = ?1 AND due_at <> ?2 AND NOT is_sent", [
              eventId,
              dialect.time(dueAt)
            ]),
            schedule(
              `INSERT INTO reminder (account_id, event_id, due_at, is_sent)
                SELECT account_id, id, ${dialect.instant("?2")}, FALSE FROM calendar_event WHERE id = ?1
                ON CONFLICT (event_id, due_at) DO NOTHING`,
              [eventId, dialect.time(dueAt)]
            )
          )
        ),
      reminded: (eventId) =>
        Effect.map(reminded("SELECT start_time FROM reminder WHERE event_id = ?1 AND is_sent", [eventId]), (rows) =>
          rows.map(({ startTime }) => startTime)
        ),
      drop: (eventId) => drop("DELETE FROM reminder WHERE event_id = ?1 AND NOT is_sent", [eventId]),
      due: (now, limit, after) =>
        after === undefined
          ? due(dueText(""), [dialect.time(now), limit])
          : due(dueText("AND (due_at, event_id) > (?3, ?4)"), [
              dialect.time(now),
              limit,
              dialect.time(after.dueAt),
              after.eventId
            ]),
      claim: (now, reminders, waits) =>
        claimed(waits ? claimWaiting : claimFree, [
          JSON.stringify(reminders.map(({ eventId }) => eventId)),
          dialect.time(now)
        ]),
      nextDue: (after) =>
        Effect.map(
          nextDue("SELECT min(due_at) AS due_at FROM reminder WHERE NOT is_sent AND due_at > ?1", [
            dialect.time(after)
          ]),
          (row) => Option.fromNullOr(row.dueAt)
        ),
      markSent: ({ dueAt, eventId }, startTime) =>
        Effect.map(
          marked(
            `UPDATE reminder SET is_sent = TRUE, start_time = ?3
              WHERE event_id = ?1 AND due_at = ?2 AND NOT is_sent RETURNING event_id`,
            [eventId, dialect.time(dueAt), dialect.time(startTime)]
          ),
          Option.isSome
        )
    })
  })
)
