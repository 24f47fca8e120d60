import { AccountId } from "@frontdesk/core/access/Account"
import { type CalendarEvent, CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
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

/** The account of tasks without a calendar event. */
export const owner = AccountId.make(999_999_999)

/** The id of a calendar event that does not exist, in the one task that is not dead-lettered. */
export const pendingEventId = 999_999_998

/** Returns the fields of a calendar event that the task of a mail stores. */
export const basicsOf = ({ accountId, customer, id, startTime }: CalendarEvent) => ({
  id,
  accountId,
  startTime,
  customer: { email: customer.email }
})

/**
 * Adds four tasks that are dead-lettered one minute apart: a write and a mail of one account, a write of another
 * account, and a write of a calendar event that does not exist, of `owner`. A fifth task is not dead-lettered.
 */
export const addDeadLettered = Effect.gen(function* () {
  const outbox = yield* OutboxStore
  const account = yield* Samples.makeAccount()
  const event = yield* Samples.makeCalendarEvent(account.id)
  const other = yield* Samples.makeAccount()
  const mail: OutboxWork = { _tag: "Notify", notification: { kind: "reminder", event: basicsOf(event) } }
  const others = { accountId: other.id, write: sync((yield* Samples.makeCalendarEvent(other.id)).id) }
  const gone = sync(999_999_999)
  const work = [sync(event.id), mail, others.write, gone] as const
  yield* outbox.add(account.id, [work[0], mail], Samples.now)
  yield* outbox.add(other.id, [others.write], Samples.now)
  yield* outbox.add(owner, [gone, sync(pendingEventId)], Samples.now)
  const tasks = yield* outbox.claim(Samples.now, Samples.later(9), 4)
  yield* Effect.forEach(tasks, (task, index) => outbox.deadLetter(task, `reason ${index + 1}`, Samples.later(index)))
  return { own: account.id, mail, others, gone, work }
})

/** Claims up to 20 tasks that are due some minutes after the start of a test. */
export const claim = (minutes: number, leaseMinutes = 1) =>
  Effect.flatMap(OutboxStore, (outbox) =>
    outbox.claim(Samples.later(minutes), Samples.later(minutes + leaseMinutes), 20)
  )
