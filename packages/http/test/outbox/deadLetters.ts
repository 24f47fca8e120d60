import type { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import type { OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** When {@link deadLetter} dead-letters its tasks. */
export const deadLetteredAt = "2026-03-02T09:00:00.123Z"

/**
 * Adds a mail and a write to Google for a calendar event, and dead-letters them. Returns their ids, that of the mail first.
 * Other tasks of the outbox are completed.
 */
export const deadLetter = Effect.fnUntraced(function* (id: CalendarEventId) {
  const store = yield* OutboxStore
  const event = Option.getOrThrow(yield* (yield* CalendarEventStore).findAnywhere({ id }))
  const now = DateTime.makeUnsafe(deadLetteredAt)
  const claim = Effect.flatMap(DateTime.now, (at) => store.claim(at, DateTime.add(at, { hours: 1 }), 1_000))
  yield* Effect.flatMap(claim, Effect.forEach(store.complete))
  const work: ReadonlyArray<OutboxWork> = [
    { _tag: "Notify", notification: { kind: "created", event } },
    { _tag: "SyncEvent", provider: "google", eventId: id }
  ]
  yield* store.add(event.accountId, work, now)
  const tasks = yield* claim
  const reasons = { Notify: "mail: unauthorized", SyncEvent: "calendar: gone", SignIn: "mail: invalid" }
  for (const task of tasks) yield* store.deadLetter(task, reasons[task.work._tag], now)
  return tasks.map((task) => task.id)
})

/** Returns how many tasks of the outbox are due, and completes them. */
export const completeDue = Effect.gen(function* () {
  const store = yield* OutboxStore
  const now = yield* DateTime.now
  const tasks = yield* store.claim(now, DateTime.add(now, { hours: 1 }), 1_000)
  yield* Effect.forEach(tasks, store.complete)
  return tasks.length
})
