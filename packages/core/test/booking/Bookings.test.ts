import { describe, expect, it } from "@effect/vitest"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { Principal } from "@frontdesk/core/access/Principal"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { Availability } from "@frontdesk/core/availability/Availability"
import type { BookedFields } from "@frontdesk/core/booking/BookingInput"
import { Bookings } from "@frontdesk/core/booking/Bookings"
import * as Conversation from "@frontdesk/core/call/Conversation"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CallId } from "@frontdesk/core/call/Call"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { FakeAdapters, hour, published } from "../calendar/services.ts"
import { book, hold, inAccount, key, recording, slotId } from "./services.ts"

const [ann, bob] = [key(1), key(2)]

const taken = { _tag: "SlotUnavailable", rule: "require_available" }

/** Returns the starts of the free slots of Monday. */
const offered = Effect.gen(function* () {
  const monday = CalendarDate.make("2026-06-01")
  const { slots } = yield* (yield* Availability).find({ startDate: monday, endDate: monday })
  return slots.map(({ start }) => DateTime.formatIso(DateTime.makeUnsafe(start)).slice(11, 16))
})

const idOf = (answer: unknown): CalendarEventId =>
  CalendarEventId.make(Number(typeof answer === "object" && answer !== null && "id" in answer ? answer.id : Number.NaN))

describe("Bookings.book (D-AGT-1)", () => {
  it.effect(
    "a repeat in the same conversation books once and returns the first answer, also after the id has expired",
    () =>
      Effect.gen(function* () {
        const bookings = yield* Bookings
        const id = yield* slotId("10:00", ann)
        const call = yield* recording(ann, "book", { slot_id: id, title: "Visit" })
        const first = yield* bookings.book(call, id, { title: "Visit" })
        yield* TestClock.adjust("1 hour")
        expect(yield* bookings.book(call, id, { title: "Visit" })).toEqual(first)
        expect(yield* published).toEqual(["calendar.created"])
        const late = yield* recording(bob, "book", { slot_id: id, title: "Visit" })
        expect(yield* Effect.flip(bookings.book(late, id, { title: "Visit" }))).toMatchObject({ _tag: "SlotIdExpired" })
      }).pipe(inAccount())
  )

  it.effect("in a call, a slot that was found again has another id, and is a repeat too", () =>
    Effect.gen(function* () {
      const call = Conversation.ofCall(CallId.make(1), AgentId.make(1))
      const first = yield* book(call, "10:00")
      yield* TestClock.adjust("1 minute")
      expect(yield* book(call, "10:00", "Other words")).toEqual(first)
      expect(yield* published).toEqual(["calendar.created", "call.tool", "call.tool"])
    }).pipe(inAccount())
  )

  it.effect("an event has the contact for whom it was booked, or none, and a PUT, a PATCH and a move keep it", () =>
    Effect.gen(function* () {
      const [bookings, events] = [yield* Bookings, yield* CalendarEvents]
      const { account } = yield* Principal
      const contactId = (yield* Samples.makeContact(account.id)).id
      const bookFor = Effect.fnUntraced(function* (time: string, fields: Pick<BookedFields, "contactId">) {
        const id = yield* slotId(time, ann)
        const call = yield* recording(ann, "book", { slot_id: id })
        return idOf(yield* bookings.book(call, id, { title: "Visit", ...fields }))
      })
      const contactOf = (id: CalendarEventId) => Effect.map(events.get({ id }), (event) => event.contactId)
      const id = yield* bookFor("10:00", { contactId })
      expect(yield* contactOf(id)).toBe(contactId)
      expect(yield* contactOf(yield* bookFor("11:00", {}))).toBe(null)
      expect(yield* contactOf(yield* bookFor("12:00", { contactId: null }))).toBe(null)
      yield* events.put({ id }, { title: "Replaced" })
      yield* events.patch({ id }, { status: "confirmed" })
      const target = yield* slotId("14:00", ann)
      yield* bookings.move(yield* recording(ann, "move", { slot_id: target }), { id }, target)
      expect(yield* events.get({ id })).toMatchObject({ title: "Replaced", status: "confirmed", contactId })
      expect((yield* events.create(hour("16:00"))).contactId).toBe(null)
    }).pipe(inAccount())
  )

  it.effect("a booking for a contact that was deleted meanwhile has no contact", () =>
    Effect.gen(function* () {
      const bookings = yield* Bookings
      const id = yield* slotId("10:00", ann)
      const call = yield* recording(ann, "book", { slot_id: id })
      const booked = idOf(yield* bookings.book(call, id, { title: "Visit", contactId: ContactId.make(999) }))
      expect((yield* (yield* CalendarEvents).get({ id: booked })).contactId).toBe(null)
    }).pipe(inAccount())
  )

  it.effect("a change that leaves the time as it is does not end the first answer", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const first = yield* book(ann, "10:00")
      yield* events.patch({ id: idOf(first) }, { status: "confirmed", title: "Confirmed" })
      expect(yield* book(ann, "10:00")).toEqual(first)
    }).pipe(inAccount())
  )

  it.effect(
    "without a call, other arguments are another booking, and so is another id of the slot: it may be for another customer",
    () =>
      Effect.gen(function* () {
        yield* book(ann, "10:00", "Ann")
        expect(yield* Effect.flip(book(ann, "10:00", "Bea"))).toMatchObject(taken)
        yield* TestClock.adjust("1 second")
        expect(yield* Effect.flip(book(ann, "10:00", "Ann"))).toMatchObject(taken)
      }).pipe(inAccount())
  )

  it.effect("another conversation is refused the slot, with the nearest free ones", () =>
    Effect.gen(function* () {
      yield* book(ann, "10:00")
      const refused = yield* Effect.flip(book(bob, "10:00"))
      expect(refused).toMatchObject({ ...taken, nearest: [{}, {}, {}] })
    }).pipe(inAccount())
  )

  it.effect("after the booking was moved or cancelled, the same arguments book again", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const first = yield* book(ann, "10:00")
      yield* TestClock.adjust("1 second")
      yield* events.cancel({ id: idOf(first) }, {})
      const second = yield* book(ann, "10:00")
      expect(idOf(second)).not.toBe(idOf(first))
      yield* TestClock.adjust("1 second")
      yield* events.patch({ id: idOf(second) }, hour("12:00"))
      expect(idOf(yield* book(ann, "10:00"))).not.toBe(idOf(second))
    }).pipe(inAccount())
  )

  it.effect("a copy in an external calendar does not count as a change of the booking", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const call = Conversation.ofCall(CallId.make(1), AgentId.make(1))
      fakes.providers = ["google"]
      const first = yield* book(call, "10:00")
      yield* TestClock.adjust("1 second")
      yield* Effect.flatMap(OutboxWorker, (worker) => worker.drain)
      expect(fakes.written).toHaveLength(1)
      expect(yield* book(call, "10:00")).toEqual(first)
    }).pipe(inAccount())
  )

  it.effect("concurrent repeats and rivals book the slot once, and each repeat returns the booking", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.all(
        [ann, bob, ann, bob, ann].map((who) => Effect.result(book(who, "10:00"))),
        { concurrency: "unbounded" }
      )
      expect(yield* published).toEqual(["calendar.created"])
      const [first, second] = answers
      const [winners, losers] =
        first?._tag === "Success"
          ? [
              [0, 2, 4],
              [1, 3]
            ]
          : [
              [1, 3],
              [0, 2, 4]
            ]
      expect(second?._tag).not.toBe(first?._tag)
      for (const index of winners) expect(answers[index]).toEqual(answers[winners[0] ?? 0])
      for (const index of losers) expect(answers[index]).toMatchObject({ _tag: "Failure", failure: taken })
    }).pipe(inAccount())
  )

  it.effect("a slot id of another agent is invalid", () =>
    Effect.gen(function* () {
      const bookings = yield* Bookings
      const id = yield* slotId("10:00", ann)
      const call = Conversation.ofCall(CallId.make(1), AgentId.make(1))
      const forged = bookings.book(yield* recording(call, "book", {}), id, { title: "Visit" })
      expect(yield* Effect.flip(forged)).toMatchObject({ _tag: "InvalidSlotId" })
      expect(Conversation.ofApiKey(ApiKeyId.make(1)).holder).not.toBe(call.holder)
    }).pipe(inAccount())
  )
})

describe("Bookings.hold (D-AGT-2)", () => {
  it.effect("keeps the slot from others for three minutes, and its holder can book it", () =>
    Effect.gen(function* () {
      const { expiresAt } = yield* hold(ann, "10:00")
      expect(DateTime.formatIso(expiresAt)).toBe("2026-05-29T16:03:00.000Z")
      expect(yield* offered).not.toContain("10:00")
      expect(yield* Effect.flip(book(bob, "10:00"))).toMatchObject(taken)
      expect(yield* Effect.flip(hold(bob, "10:00"))).toMatchObject(taken)
      expect(yield* book(ann, "10:00")).toMatchObject({ start: "10:00" })
    }).pipe(inAccount())
  )

  it.effect("its holder can book it when the minimum notice has passed meanwhile, until it starts", () =>
    Effect.gen(function* () {
      const clock = (time: string) =>
        TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(`2026-06-01T${time}Z`)))
      yield* clock("09:28:30")
      yield* hold(ann, "09:30")
      yield* clock("09:29:30")
      expect(yield* Effect.flip(hold(bob, "09:30"))).toMatchObject(taken)
      expect(yield* book(ann, "09:30")).toMatchObject({ start: "09:30" })
      expect(yield* Effect.flip(book(ann, "09:30", "Another"))).toMatchObject(taken)
      yield* clock("10:28:30")
      yield* hold(ann, "10:30")
      yield* clock("10:30:01")
      expect(yield* Effect.flip(book(ann, "10:30"))).toMatchObject(taken)
    }).pipe(inAccount({ minimumNoticeMinutes: 1 }))
  )

  it.effect("ends by itself, and a repeat holds the slot for three minutes more", () =>
    Effect.gen(function* () {
      yield* hold(ann, "10:00")
      yield* TestClock.adjust("2 minutes")
      yield* hold(ann, "10:00")
      yield* TestClock.adjust("179 seconds")
      expect(yield* Effect.flip(hold(bob, "10:00"))).toMatchObject(taken)
      yield* TestClock.adjust("1 second")
      yield* hold(bob, "10:00")
      expect(yield* Effect.flip(book(ann, "10:00"))).toMatchObject(taken)
    }).pipe(inAccount())
  )

  it.effect("a conversation holds at most two slots; a booked or expired one counts no more", () =>
    Effect.gen(function* () {
      yield* hold(ann, "10:00")
      yield* hold(ann, "11:00")
      yield* hold(ann, "11:00")
      expect(yield* Effect.flip(hold(ann, "12:00"))).toMatchObject({ _tag: "HoldLimitReached", limit: 2 })
      yield* hold(bob, "12:00")
      yield* book(ann, "10:00")
      yield* hold(ann, "13:00")
      yield* TestClock.adjust("3 minutes")
      yield* hold(ann, "14:00")
      yield* hold(ann, "15:00")
    }).pipe(inAccount())
  )

  it.effect("blocks a booking by reject_conflicts, and none by a person without it", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      yield* hold(ann, "10:00")
      const overlapping = { ...hour("10:15"), rejectConflicts: true }
      expect(yield* Effect.flip(events.create(overlapping))).toMatchObject({ _tag: "SlotUnavailable" })
      yield* events.create(hour("10:15"))
    }).pipe(inAccount())
  )

  it.effect("tells the conversation that has booked the slot apart from others, until the booking is cancelled", () =>
    Effect.gen(function* () {
      const booked = yield* book(ann, "10:00")
      expect(yield* Effect.flip(hold(ann, "10:00"))).toMatchObject({ ...taken, reason: "already_booked" })
      expect(yield* Effect.flip(book(ann, "10:00", "Other"))).toMatchObject({ ...taken, reason: "already_booked" })
      expect(yield* Effect.flip(hold(bob, "10:00"))).toMatchObject({ ...taken, reason: "not_free" })
      yield* (yield* CalendarEvents).cancel({ id: idOf(booked) }, { reason: null })
      expect(yield* hold(ann, "10:00")).toMatchObject({ holder: ann.holder })
    }).pipe(inAccount())
  )

  it.effect("tells that a slot begins too soon when its minimum notice has passed", () =>
    Effect.gen(function* () {
      const late = { ...taken, reason: "too_late" }
      yield* TestClock.adjust("1 minute")
      expect(yield* Effect.flip(hold(ann, "10:00"))).toMatchObject(late)
      expect(yield* Effect.flip(book(ann, "10:00"))).toMatchObject(late)
      // From Friday at 16:00 to Monday at 10:00.
    }).pipe(inAccount({ minimumNoticeMinutes: 66 * 60 }))
  )

  it.effect("refuses a slot that is not free", () =>
    Effect.gen(function* () {
      yield* book(ann, "10:00")
      expect(yield* Effect.flip(hold(ann, "10:00"))).toMatchObject(taken)
      expect(yield* Effect.flip(hold(ann, "17:00"))).toMatchObject({ ...taken, nearest: [{}, {}, {}] })
    }).pipe(inAccount())
  )
})

describe("Bookings.move and cancel (D-AGT-1)", () => {
  const move = Effect.fnUntraced(function* (id: CalendarEventId, time: string) {
    const bookings = yield* Bookings
    const slot = yield* slotId(time, ann)
    const call = yield* recording(ann, "move", { event_id: id, slot_id: slot })
    return yield* bookings.move(call, { id }, slot)
  })

  it.effect("an event moves to a free slot once, and a repeat returns the first answer", () =>
    Effect.gen(function* () {
      const id = idOf(yield* book(ann, "10:00"))
      yield* hold(ann, "10:30")
      const moved = yield* move(id, "10:30")
      expect(moved).toEqual({ id, start: "10:30", status: "scheduled" })
      expect(yield* move(id, "10:30")).toEqual(moved)
      expect(yield* published).toEqual(["calendar.created", "calendar.updated"])
      yield* book(bob, "12:00")
      expect(yield* Effect.flip(move(id, "12:00"))).toMatchObject(taken)
      // The hold ended with the move.
      yield* hold(ann, "14:00")
      yield* hold(ann, "15:00")
    }).pipe(inAccount())
  )

  it.effect("a cancelled event frees its slot, and a repeat returns the first answer", () =>
    Effect.gen(function* () {
      const bookings = yield* Bookings
      const id = idOf(yield* book(ann, "10:00"))
      const call = yield* recording(ann, "cancel", { event_id: id })
      const first = yield* bookings.cancel(call, { id }, "ill")
      expect(first).toEqual({ id, start: "10:00", status: "cancelled" })
      expect(yield* bookings.cancel(call, { id }, "ill")).toEqual(first)
      expect((yield* (yield* CalendarEvents).get({ id })).customer.notes).toBe("ill")
      yield* book(bob, "10:00")
    }).pipe(inAccount())
  )
})
