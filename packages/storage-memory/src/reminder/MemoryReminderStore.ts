import type { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { type DueReminder, ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { ReminderRow, State } from "../storage/State.ts"

const rowOf = (state: State, eventId: CalendarEventId): ReminderRow =>
  Option.getOrElse(HashMap.get(state.reminders, eventId), () => ({ eventId, dueAt: null, sent: [], reminded: [] }))

const put = (state: State, row: ReminderRow): State => ({
  ...state,
  reminders: HashMap.set(state.reminders, row.eventId, row)
})

const byDue = (a: DueReminder, b: DueReminder): number => DateTime.Order(a.dueAt, b.dueAt) || a.eventId - b.eventId

/** The `ReminderStore` in memory. */
export const layer: Layer.Layer<ReminderStore, never, Database> = Layer.effect(
  ReminderStore,
  Effect.map(Database, (database) =>
    ReminderStore.of({
      schedule: (eventId, dueAt) =>
        database.modify((state) => {
          const row = rowOf(state, eventId)
          const wasSent = row.sent.includes(DateTime.toEpochMillis(dueAt))
          return changed(undefined, put(state, { ...row, dueAt: wasSent ? null : dueAt }))
        }),
      reminded: (eventId) => database.read((state) => rowOf(state, eventId).reminded),
      drop: (eventId) =>
        database.modify((state) => changed(undefined, put(state, { ...rowOf(state, eventId), dueAt: null }))),
      due: (now, limit, after) =>
        database.read((state) =>
          HashMap.toValues(state.reminders)
            .flatMap(({ eventId, dueAt }) =>
              dueAt !== null && DateTime.isLessThanOrEqualTo(dueAt, now) ? [{ eventId, dueAt }] : []
            )
            .filter((reminder) => after === undefined || byDue(reminder, after) > 0)
            .toSorted(byDue)
            .slice(0, limit)
        ),
      // Transactions run one after the other, so no other one has locked a calendar event.
      claim: (now, reminders) =>
        database.read((state) =>
          Option.fromUndefinedOr(
            reminders
              .map(({ eventId }) => rowOf(state, eventId))
              .flatMap(({ eventId, dueAt }) =>
                dueAt !== null && DateTime.isLessThanOrEqualTo(dueAt, now) ? [{ eventId, dueAt }] : []
              )
              .toSorted(byDue)[0]
          )
        ),
      nextDue: (after) =>
        database.read((state) =>
          HashMap.reduce(state.reminders, Option.none<DateTime.Utc>(), (next, { dueAt }) =>
            dueAt === null ||
            DateTime.isLessThanOrEqualTo(dueAt, after) ||
            Option.exists(next, DateTime.isLessThanOrEqualTo(dueAt))
              ? next
              : Option.some(dueAt)
          )
        ),
      markSent: ({ eventId, dueAt }, startTime) =>
        database.modify((state) => {
          const row = rowOf(state, eventId)
          return row.dueAt === null || !DateTime.Equivalence(row.dueAt, dueAt)
            ? changed(false, state)
            : changed(
                true,
                put(state, {
                  eventId,
                  dueAt: null,
                  sent: [...row.sent, DateTime.toEpochMillis(dueAt)],
                  reminded: [...row.reminded, startTime]
                })
              )
        })
    })
  )
)
