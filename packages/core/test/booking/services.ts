import type { Account } from "@frontdesk/core/access/Account"
import { Availability } from "@frontdesk/core/availability/Availability"
import type { Recording } from "@frontdesk/core/booking/BookingInput"
import { Bookings } from "@frontdesk/core/booking/Bookings"
import * as Conversation from "@frontdesk/core/call/Conversation"
import { SlotIds } from "@frontdesk/core/booking/SlotIds"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { Principal } from "@frontdesk/core/access/Principal"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { account, as, services } from "../calendar/services.ts"

const all = Layer.mergeAll(Bookings.layer, Availability.layer).pipe(
  Layer.provideMerge(SlotIds.layer),
  Layer.provideMerge(services)
)

/** The settings of an account that works on Mondays. */
const mondays = { workingHours: { mon: [["09:00", "17:00"] as const] } }

/** Runs an effect with a new account as caller that works on Mondays, on Friday 2026-05-29 at 16:00 UTC. */
export const inAccount =
  (settings: Partial<Account["settings"]> = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-05-29T16:00:00Z")))
      return yield* as(yield* account({ ...mondays, ...settings }))(effect)
    }).pipe(Effect.provide(all))

/** The conversation of an API key. */
export const key = (id: number): Conversation.Conversation => Conversation.ofApiKey(ApiKeyId.make(id))

/** Returns the instant of a time on Monday 2026-06-01. */
const instant = (time: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(`2026-06-01T${time}:00Z`))

/** Returns the id of a slot of 30 minutes on Monday 2026-06-01. */
export const slotId = Effect.fnUntraced(function* (time: string, conversation: Conversation.Conversation) {
  const ids = yield* SlotIds
  const { account } = yield* Principal
  const start = instant(time)
  return yield* ids.make({ accountId: account.id, agentId: conversation.agentId }, { start, end: start + 30 * 60_000 })
})

/** Returns the recording of a tool call, whose answer has the id and the start of the event. */
export const recording = Effect.fnUntraced(function* (
  conversation: Conversation.Conversation,
  tool: string,
  given: Recording["arguments"]
) {
  const answerOf = ({ id, startTime, status }: CalendarEvent) => ({
    id,
    start: DateTime.formatIso(startTime).slice(11, 16),
    status
  })
  return { conversation, tool, arguments: given, startedAt: yield* DateTime.now, answerOf } satisfies Recording
})

/** Books a slot of Monday with a title, and returns the answer. */
export const book = Effect.fnUntraced(function* (
  conversation: Conversation.Conversation,
  time: string,
  title: string = "Visit"
) {
  const bookings = yield* Bookings
  const id = yield* slotId(time, conversation)
  return yield* bookings.book(yield* recording(conversation, "book", { slot_id: id, title }), id, { title })
})

/** Holds a slot of Monday. */
export const hold = Effect.fnUntraced(function* (conversation: Conversation.Conversation, time: string) {
  const bookings = yield* Bookings
  return yield* bookings.hold(conversation, yield* slotId(time, conversation))
})
