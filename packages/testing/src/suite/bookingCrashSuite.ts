import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import { Bookings } from "@frontdesk/core/booking/Bookings"
import * as Conversation from "@frontdesk/core/call/Conversation"
import { SlotIds } from "@frontdesk/core/booking/SlotIds"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { blocks } from "@frontdesk/core/calendar-event/CalendarEventStatus"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as fc from "fast-check"
import * as Crashes from "./Crashes.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer } from "./Storage.ts"
import { expect } from "./Expect.ts"

/** What a conversation does with a slot. `move` and `cancel` change the last booking that it was answered. */
interface Action {
  readonly kind: "hold" | "book" | "move" | "cancel"
  readonly slot: number
  /** Whether a copy of the tool call arrives at the same time, as after a timeout. */
  readonly isTwice: boolean
}

/** Actions that happen at the same time, one of each conversation, and how many seconds later than the last ones. */
interface Step {
  readonly seconds: number
  readonly actions: ReadonlyArray<Action | null>
  readonly fault: Crashes.PlannedFault | null
}

/** The number of conversations of API keys. One more is the conversation of a call. */
const keyCount = 2

const conversationCount = keyCount + 1

const slots = [0, 1, 2].map((index) => {
  const start = DateTime.toEpochMillis(Samples.later(24 * 60)) - 123 + index * 30 * 60_000
  return { start, end: start + 30 * 60_000 }
})

const points = ["Transaction.run", "CalendarEventStore.insert", "CalendarEventStore.busy", "CalendarEventStore.update"]

const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom("hold", "book", "book", "book", "move", "cancel"),
  slot: fc.nat({ max: slots.length - 1 }),
  isTwice: fc.boolean()
})

const step: fc.Arbitrary<Step> = fc.record({
  seconds: fc.constantFrom(0, 1, 60, 181),
  actions: fc.array(fc.option(action, { freq: 4 }), {
    minLength: conversationCount,
    maxLength: conversationCount
  }),
  fault: fc.option(Crashes.plannedFault(points), { freq: 3 })
})

/**
 * Verifies, on a storage, what an agent that books may rely on (D-AGT-1, D-AGT-2), also when the storage fails or the
 * process is killed at any point and the agent repeats its tool call. Two conversations are those of API keys, and one is that
 * of a call:
 *
 * - Two events never block one slot.
 * - A conversation that holds a slot is never refused it, and neither is one that has booked it.
 * - A booking that was answered exists, once.
 */
export const bookingCrashSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: Crashes.CrashSuiteOptions = {}
): void =>
  Crashes.historyLaw(
    `${name}: bookings of agents`,
    "no slot is booked twice, its holder always gets it, and a repeat finds the booking whose answer was lost",
    storage,
    fc.array(step, { minLength: 3, maxLength: 25, size: "max" }),
    play,
    options
  )

/** What a conversation was answered. */
interface Known {
  /** The slots that it holds, by their index, and when each hold ends. */
  readonly holds: Map<number, number>
  /** The booking that was answered last, unless it was changed since. */
  booking: { readonly id: CalendarEventId; readonly slot: number; readonly isMoved: boolean } | null
}

const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, set: (now: DateTime.Utc) => void) {
  const day = [["00:00", "24:00"] as const]
  const workingHours = { mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day }
  const { settings } = Samples.newAccount()
  const account = yield* Samples.makeAccount({ settings: { ...settings, workingHours } })
  const agent = yield* Samples.makeAgent(account.id)
  const call = yield* Samples.makeCall(account.id, agent, { status: "in_progress" })
  const conversations = [
    ...Array.from({ length: keyCount }, (_, index) => Conversation.ofApiKey(ApiKeyId.make(index + 1))),
    Conversation.ofCall(call.id, agent.id)
  ]
  const principal = { account, apiKeyId: null, permissions: new Set(Permission.all) }
  const bookings = yield* Bookings
  const events = yield* CalendarEvents
  const slotIds = yield* SlotIds
  const known = conversations.map((): Known => ({ holds: new Map(), booking: null }))
  let now = DateTime.toEpochMillis(Samples.now)

  let calls = 0

  /** In the call, a repeat has other arguments than the first tool call. */
  const recordingOf = (conversation: Conversation.Conversation, tool: string, startedAt: DateTime.Utc) => ({
    conversation,
    tool,
    arguments: conversation.callId === null ? {} : { notes: `Words ${++calls}` },
    startedAt,
    answerOf: ({ id }: CalendarEvent) => id
  })

  /** Carries an action out, and remembers its answer. Returns whether the slot was refused. */
  const act = Effect.fnUntraced(function* (index: number, { kind, slot }: Action) {
    const [conversation, mine] = [conversations[index], known[index]]
    if (conversation === undefined || mine === undefined) return false
    const { agentId } = conversation
    const slotId = yield* slotIds.make({ accountId: account.id, agentId }, slots[slot] ?? { start: 0, end: 0 })
    const recording = recordingOf(conversation, kind, yield* DateTime.now)
    const attempt = Effect.gen(function* () {
      if (kind === "hold") {
        const { expiresAt } = yield* bookings.hold(conversation, slotId)
        mine.holds.set(slot, DateTime.toEpochMillis(expiresAt))
        return
      }
      const { booking } = mine
      if (kind === "book") {
        const id = CalendarEventId.make(Number(yield* bookings.book(recording, slotId, { title: `of ${index}` })))
        mine.booking = { id, slot, isMoved: false }
        mine.holds.delete(slot)
        return
      }
      if (booking === null) return
      // An answer that is lost leaves it open whether the event has changed.
      mine.booking = null
      if (kind === "cancel") return void (yield* bookings.cancel(recording, { id: booking.id }, null))
      yield* bookings.move(recording, { id: booking.id }, slotId)
      mine.booking = { id: booking.id, slot, isMoved: true }
      mine.holds.delete(slot)
    })
    const exit = yield* Effect.exit(attempt)
    return Exit.isFailure(exit) && Predicate.isTagged(Cause.squash(exit.cause), "SlotUnavailable")
  })

  const blocking = Effect.gen(function* () {
    const { items } = yield* events.list({}, { page: 1, limit: 100 })
    return items.filter(({ status }) => blocks(status))
  })

  /** Returns whether an action must get its slot, because its conversation holds the slot or repeats its booking. */
  const isSure = (index: number, { kind, slot }: Action): boolean => {
    const mine = known[index]
    if (mine === undefined) return false
    const isRepeat = kind === "book" && mine.booking?.slot === slot && !mine.booking.isMoved
    return isRepeat || (mine.holds.get(slot) ?? 0) > now
  }

  /** Returns the slots of the bookings that actions move or cancel. */
  const slotsLeft = (actions: Step["actions"]): ReadonlySet<number> =>
    new Set(
      actions.flatMap((action, index) => {
        const booking = known[index]?.booking ?? null
        return booking !== null && (action?.kind === "move" || action?.kind === "cancel") ? [booking.slot] : []
      })
    )

  const verify = Effect.gen(function* () {
    const present = yield* blocking
    const times = present.map(({ startTime }) => DateTime.toEpochMillis(startTime))
    expect(new Set(times).size).toBe(times.length)
    for (const { booking } of known) {
      if (booking === null) continue
      expect(present.filter(({ id }) => id === booking.id)).toMatchObject([
        { startTime: DateTime.makeUnsafe(slots[booking.slot]?.start ?? 0) }
      ])
    }
  })

  const run = Effect.gen(function* () {
    for (const { actions, fault, seconds } of steps) {
      now += seconds * 1_000
      set(DateTime.makeUnsafe(now))
      const refused: Array<number> = []
      const sure = actions.flatMap((action, index) => (action !== null && isSure(index, action) ? [index] : []))
      const left = slotsLeft(actions)
      const running = actions.flatMap((action, index) =>
        Array.from({ length: action === null ? 0 : action.isTwice ? 2 : 1 }, () =>
          Effect.map(action === null ? Effect.succeed(false) : act(index, action), (isRefused) => {
            if (isRefused) refused.push(index)
          })
        )
      )
      yield* Crashes.runUnderFault(fault, running)
      expect(sure.filter((index) => refused.includes(index))).toEqual([])
      // Both copies of a tool call get the slot, or neither does, unless another conversation leaves it between them.
      const isAlone = (index: number) => refused.filter((other) => other === index).length === 1
      const isPair = (index: number) => {
        const action = actions[index] ?? null
        return action !== null && action.isTwice && action.kind !== "move" && !left.has(action.slot)
      }
      if (fault === null) expect(refused.filter((index) => isPair(index) && isAlone(index))).toEqual([])
      yield* verify
      // The agents repeat what they may not have been answered. A booking whose answer was lost is found again.
      for (const [index, action] of actions.entries()) {
        if (fault === null || action?.kind !== "book") continue
        const start = slots[action.slot]?.start
        const mine = (yield* blocking).find(
          ({ startTime, title }) => title === `of ${index}` && DateTime.toEpochMillis(startTime) === start
        )
        const isRefused = yield* act(index, action)
        if (mine !== undefined && isLast(mine, index)) expect(isRefused).toBe(false)
      }
      yield* verify
    }
  })

  /** Returns whether the event is the booking that the conversation made, and did not move to its slot. */
  const isLast = ({ createdAt, updatedAt }: CalendarEvent, index: number): boolean =>
    index < conversations.length && DateTime.Equivalence(createdAt, updatedAt)

  yield* Effect.provideService(run, Principal, principal)
})
