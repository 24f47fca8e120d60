import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import type { PatchCalendarEvent } from "@frontdesk/core/calendar-event/CalendarEventInput"
import { ReminderWorker } from "@frontdesk/core/worker/ReminderWorker"
import { defaultSettings, OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import { CalendarPayload } from "@frontdesk/core/calendar-event/CalendarWebhookEvent"
import { expect } from "@effect/vitest"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { FakeMailer } from "../fake/FakeMailer.ts"
import * as Crashes from "./Crashes.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer } from "./Storage.ts"
import type { SetClock } from "./WallClock.ts"

/**
 * Holds a storage, with the services over it, to what is promised of reminders whatever breaks: random histories of
 * events that are made, moved, cancelled and revived, and whose reminders are wanted earlier and later, beside a clock
 * that is set forward and back, in a process that is killed and stores that fail, at any call. Mail is sent only at some
 * of the steps, so that events change while their reminder's mail waits.
 *
 * The storage is built anew for each history.
 */
export const reminderCrashSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: Crashes.CrashSuiteOptions = {}
): void =>
  Crashes.law(
    `${name}: laws of reminders whose process or storage breaks at any moment`,
    "each start of an event whose reminder became due while it was wanted is reminded of once, no other is, and each reminder's mail is sent once unless the event is another one by then",
    storage,
    fc.array(step, { minLength: 10, maxLength: 40, size: "max" }),
    play,
    options
  )

const points = [
  "ReminderStore.schedule",
  "ReminderStore.drop",
  "ReminderStore.due",
  "ReminderStore.markSent",
  "CalendarEventStore.insert",
  "CalendarEventStore.update",
  "CalendarEventStore.findAnywhere",
  "CalendarEventStore.findForUpdate",
  "WebhookStore.subscribers",
  "DeliveryStore.add",
  "OutboxStore.add",
  "Transaction.run"
]

const which = fc.nat({ max: 5 })

/** A third of an hour: few, so that an event often comes back to where it was. */
const slot = fc.nat({ max: 8 })

const act = fc.oneof(
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Create" as const), slot, isMailed: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Move" as const), which, slot }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("SetStatus" as const),
      which,
      status: fc.constantFrom("confirmed", "confirmed", "cancelled", "completed", "no_show")
    })
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Enable" as const), which, isReminderEnabled: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("SetLead" as const),
      which,
      remindBeforeMinutes: fc.constantFrom(5, 30, 60)
    })
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Cancel" as const), which }) },
  { weight: 2, arbitrary: fc.constant({ _tag: "Nothing" as const }) }
)

const step = fc.record({
  /**
   * How far the clock is set, in steps of five minutes, so that the very moment is met, and the milliseconds around it.
   */
  fives: fc.constantFrom(-4, -1, 0, 0, 1, 1, 2, 3, 6),
  millis: fc.constantFrom(-1, 0, 0, 1),
  act,
  isWorking: fc.boolean(),
  /** Whether mail is sent at the end of the step; otherwise it waits, as while the mail server is away. */
  isMailing: fc.boolean(),
  isSettled: fc.nat({ max: 3 }).map((drawn) => drawn === 0),
  strike: fc.option(Crashes.strike(points), { freq: 4 })
})

type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, setClock: SetClock) {
  const account = yield* Samples.makeAccount()
  const calendar = yield* CalendarEvents
  const reminders = yield* ReminderWorker
  const as = Effect.provideService(Principal, { account, apiKeyId: null, permissions: new Set(Permission.all) })
  yield* Samples.makeWebhook(account.id, { subscribedEvents: ["calendar.reminder"] })
  const delivered = yield* watch
  const sendMail = yield* watchMail

  /** What is kept, whatever the writer was told. */
  const read = Effect.map(calendar.list({}, { page: 1, limit: 100 }), ({ items }) => items).pipe(as)

  /** What has been reminded of, and what may not be: it was over before the clock was set back. */
  const told = new Set<string>()
  const excused = new Set<string>()
  /** Starts that came too late: their reminder was due before the change, of an event that had been reminded of. */
  const late = new Set<string>()
  /** The mails of reminders that wait, and since when. */
  const owed = new Map<string, DateTime.Utc>()
  let events = yield* read

  /** Nothing arrives that was not wanted, none early, none twice. */
  const look = Effect.fnUntraced(function* (before: ReadonlyArray<CalendarEvent>) {
    events = yield* read
    const now = yield* DateTime.now
    const states = [...before, ...events]
    const raised = (yield* delivered).filter((one) => states.some((event) => event.id === one.id))
    for (const event of events) {
      const known = before.find(({ id }) => id === event.id)
      if (!isPlannedAnew(known, event, now)) continue
      const isLate = DateTime.isLessThan(dueAt(event), now)
      // A reminder that arrives with the change was sent before it, unless it is of the start that the change made.
      const reminded = [...told, ...raised.map(keyOf).filter((key) => key !== keyOf(event))]
      if (isLate && reminded.some((key) => key.startsWith(`${event.id} at `))) late.add(keyOf(event))
      else late.delete(keyOf(event))
    }
    for (const one of raised) {
      const key = keyOf(one)
      const event = states.find((event) => event.id === one.id && isWanted(event, now) && keyOf(event) === key)
      expect({ key, isWanted: event !== undefined && !late.has(key), isAgain: told.has(key) }).toEqual({
        key,
        isWanted: true,
        isAgain: false
      })
      if (event?.notifyOnCancel === true) owed.set(key, now)
      told.add(key)
    }
  })

  /**
   * Sends the mail that waits: one for each reminder that was raised, of an event that still wants it and has the start
   * that was reminded of. A mail that was written later than the clock says waits on.
   */
  const mail = Effect.gen(function* () {
    const now = yield* DateTime.now
    const waiting = [...owed].filter(([, since]) => DateTime.isLessThanOrEqualTo(since, now)).map(([key]) => key)
    const stillTrue = new Set(events.filter((event) => isWaiting(event, now)).map(keyOf))
    const sent = yield* sendMail
    expect(sent.map(keyOf).toSorted()).toEqual(waiting.filter((key) => stillTrue.has(key)).toSorted())
    for (const key of waiting) owed.delete(key)
  })

  for (const [index, { act, fives, isMailing, isSettled, isWorking, millis, strike }] of steps.entries()) {
    const before = yield* DateTime.now
    const next = DateTime.add(before, { minutes: fives * 5, milliseconds: millis })
    if (DateTime.isLessThan(next, before)) {
      for (const event of events) if (DateTime.isLessThanOrEqualTo(event.endTime, before)) excused.add(keyOf(event))
    }
    setClock(next)
    const work = isWorking ? reminders.runOnce : Effect.void
    yield* Crashes.struckBy(strike, [as(perform(act, events)), work])
    yield* look(events)
    if (isMailing) yield* mail
    if (!isSettled && index < steps.length - 1) continue
    yield* reminders.runOnce
    yield* look(events)
    yield* mail
    const now = yield* DateTime.now
    const due = events.filter((event) => isWanted(event, now)).map(keyOf)
    expect(due.filter((key) => !told.has(key) && !excused.has(key) && !late.has(key))).toEqual([])
  }
}, Effect.scoped)

/** Names the start of an event. */
const keyOf = ({ id, startTime }: Pick<CalendarEvent, "id" | "startTime">): string =>
  `${id} at ${DateTime.formatIso(startTime)}`

const dueAt = ({ remindBeforeMinutes, startTime }: CalendarEvent): DateTime.Utc =>
  DateTime.subtract(startTime, { minutes: remindBeforeMinutes })

/** Whether a change has made the event wait for another reminder than before. */
const isPlannedAnew = (before: CalendarEvent | undefined, after: CalendarEvent, now: DateTime.Utc): boolean =>
  isWaiting(after, now) &&
  (before === undefined ||
    !isWaiting(before, now) ||
    !DateTime.Equivalence(before.startTime, after.startTime) ||
    !DateTime.Equivalence(dueAt(before), dueAt(after)))

/** Whether the event wants a reminder, is to take place and is not over. */
const isWaiting = (event: CalendarEvent, now: DateTime.Utc): boolean =>
  event.isReminderEnabled &&
  (event.status === "scheduled" || event.status === "confirmed") &&
  DateTime.isGreaterThan(event.endTime, now)

/** Whether a reminder of the event is due: it wants one, it is to take place, its time has come, and it is not over. */
const isWanted = (event: CalendarEvent, now: DateTime.Utc): boolean =>
  isWaiting(event, now) && DateTime.isLessThanOrEqualTo(dueAt(event), now)

/** An hour that begins so many thirds of an hour after the first time. */
const timesOf = (slot: number) => {
  const start = DateTime.add(Samples.now, { minutes: slot * 20 })
  return { startTime: DateTime.formatIso(start), endTime: DateTime.formatIso(DateTime.add(start, { hours: 1 })) }
}

const perform = (act: Act, events: ReadonlyArray<CalendarEvent>) =>
  Effect.flatMap(CalendarEvents, (calendar): Effect.Effect<unknown, unknown, Principal> => {
    if (act._tag === "Create") {
      return calendar.create({
        title: "Demo",
        ...timesOf(act.slot),
        customerEmail: "jo@example.com",
        isReminderEnabled: true,
        sendNotifications: act.isMailed
      })
    }
    const event = "which" in act ? events[act.which % events.length] : undefined
    if (event === undefined) return Effect.void
    const patch = (body: PatchCalendarEvent) => calendar.patch({ id: event.id }, { ...body, sendNotifications: false })
    switch (act._tag) {
      case "Move":
        return patch(timesOf(act.slot))
      case "SetStatus":
        return patch({ status: act.status })
      case "Enable":
        return patch({ isReminderEnabled: act.isReminderEnabled })
      case "SetLead":
        return patch({ remindBeforeMinutes: act.remindBeforeMinutes })
      case "Cancel":
        return calendar.cancel({ id: event.id }, {})
      default:
        return Effect.void
    }
  })

/** Delivers the webhooks that wait; returns the reminders among them, as they were raised. */
const watch = Effect.map(Crashes.watch, (delivered) =>
  Effect.map(delivered, (bodies) => bodies.map((body) => decode(body).calendarEvent))
)

/** Sends the mail that waits; returns the events of the reminders among it, as the mails show them. */
const watchMail = Effect.gen(function* () {
  const mailer = yield* FakeMailer
  // One at a time: a second mail of the same event would be put back, and the clock stands.
  const context = yield* Layer.build(Layer.fresh(OutboxWorker.layerWith({ ...defaultSettings, concurrency: 1 })))
  const worker = Context.get(context, OutboxWorker)
  let seen = 0
  return Effect.gen(function* () {
    yield* worker.drain
    const sent = (yield* mailer.sent).slice(seen)
    seen += sent.length
    return sent.flatMap(({ event, kind }) => (kind === "reminder" ? [event] : []))
  })
})

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(CalendarPayload))
