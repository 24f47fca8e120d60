import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import * as Effect from "effect/Effect"
import * as Samples from "./Samples.ts"

/** Returns a task that updates a calendar event in external calendars. */
export const sync = (event: number): OutboxWork => ({
  _tag: "SyncEvent",
  provider: "google",
  eventId: CalendarEventId.make(event)
})

const farFuture = Samples.at("2200-01-01T00:00:00.000Z")

/** Deletes every task that an earlier test left. Returns the outbox. */
export const emptyOutbox = Effect.gen(function* () {
  const outbox = yield* OutboxStore
  const rest = outbox.claim(farFuture, farFuture, 20)
  for (let tasks = yield* rest; tasks.length > 0; tasks = yield* rest) {
    yield* Effect.forEach(tasks, outbox.complete, { discard: true })
  }
  yield* Samples.sweepAll(outbox, farFuture)
  return outbox
})
