import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import type { PatchCalendarEvent } from "@frontdesk/core/calendar-event/CalendarEventInput"
import { ReminderWorker } from "@frontdesk/core/worker/ReminderWorker"
import { CurrentOutboxSettings, defaultSettings, OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import { CalendarPayload } from "@frontdesk/core/calendar-event/CalendarWebhookEvent"
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
import { expect } from "./Expect.ts"

/**
 * Verifies, on a storage, that reminders are sent correctly while parts of the system fail.
 *
 * In random histories calendar events are created, moved, cancelled and scheduled again, and the lead time of their
 * reminders changes. The clock is set forward and back. Stores fail, and the process is killed, at the store methods in
 * `points`. Mail is sent only in some steps, so that a calendar event can change while the mail of its reminder waits.
 *
 * Each history begins with a new storage.
 */
export const reminderCrashSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: Crashes.CrashSuiteOptions = {}
): void =>
  Crashes.historyLaw(
    `${name}: laws of reminders under storage failures and process kills`,
    "each start of a calendar event gets one reminder if it was due while enabled, no other start gets one, and each reminder is mailed once unless the event has changed",
    storage,
    fc.array(step, { minLength: 10, maxLength: 40, size: "max" }),
    play,
    options
  )

const points = [
  "ReminderStore.schedule",
  "ReminderStore.drop",
  "ReminderStore.due",
  "ReminderStore.claim",
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

/**
 * A start time, in units of 20 minutes. There are few of them, so that a calendar event often returns to an earlier
 * time.
 */
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
   * How far the clock is set, in units of five minutes. With `millis` the clock often shows the exact due time of a
   * reminder, or one millisecond more or less.
   */
  fives: fc.constantFrom(-4, -1, 0, 0, 1, 1, 2, 3, 6),
  millis: fc.constantFrom(-1, 0, 0, 1),
  act,
  isWorking: fc.boolean(),
  /** Whether mail is sent at the end of the step. Otherwise it waits, as if the mail server were unreachable. */
  isMailing: fc.boolean(),
  /** Whether the step ends without faults: the worker runs, mail is sent, and no due reminder may be missing. */
  isSettled: fc.nat({ max: 3 }).map((drawn) => drawn === 0),
  fault: fc.option(Crashes.plannedFault(points), { freq: 4 })
})

type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, setClock: SetClock) {
  const account = yield* Samples.makeAccount()
  const calendar = yield* CalendarEvents
  const reminders = yield* ReminderWorker
  const as = Effect.provideService(Principal, { account, apiKeyId: null, permissions: new Set(Permission.all) })
  yield* Samples.makeWebhook(account.id, { subscribedEvents: ["calendar.reminder"] })
  const delivered = yield* collectReminders
  const sendMail = yield* collectMail

  /** Reads the stored calendar events, because the answer to a write may have been lost. */
  const read = Effect.map(calendar.list({}, { page: 1, limit: 100 }), ({ items }) => items).pipe(as)

  /** The starts that have had a reminder. */
  const reminded = new Set<string>()
  /** The starts that need no reminder, because the calendar event was over before the clock was set back. */
  const exempt = new Set<string>()
  /**
   * The starts that get no reminder: a change set them when it was already due, and the calendar event has had a
   * reminder.
   */
  const late = new Set<string>()
  /** The reminders whose mail has not been sent, with the time at which they were raised. */
  const unmailed = new Map<string, DateTime.Utc>()
  let events = yield* read

  /**
   * Checks that every reminder that was raised since the last check is wanted, is due, and is the first for its start.
   */
  const checkRaised = Effect.fnUntraced(function* (before: ReadonlyArray<CalendarEvent>) {
    events = yield* read
    const now = yield* DateTime.now
    const states = [...before, ...events]
    const raised = (yield* delivered).filter((one) => states.some((event) => event.id === one.id))
    for (const event of events) {
      const known = before.find(({ id }) => id === event.id)
      if (!isPlannedAgain(known, event, now)) continue
      const isLate = DateTime.isLessThan(dueAt(event), now)
      // A reminder that arrives in the same step as the change was sent before it, unless it is for the new start.
      const earlier = [...reminded, ...raised.map(keyOf).filter((key) => key !== keyOf(event))]
      if (isLate && earlier.some((key) => key.startsWith(`${event.id} at `))) late.add(keyOf(event))
      else late.delete(keyOf(event))
    }
    for (const one of raised) {
      const key = keyOf(one)
      const event = states.find((event) => event.id === one.id && isWanted(event, now) && keyOf(event) === key)
      expect({ key, isWanted: event !== undefined && !late.has(key), isAgain: reminded.has(key) }).toEqual({
        key,
        isWanted: true,
        isAgain: false
      })
      if (event?.notifyOnCancel === true) unmailed.set(key, now)
      reminded.add(key)
    }
  })

  /**
   * Sends the waiting mail. Checks that there is one for each reminder whose calendar event still wants it and still
   * has the same start. A mail whose time of creation is later than the present time keeps waiting.
   */
  const sendAndCheckMail = Effect.gen(function* () {
    const now = yield* DateTime.now
    const waiting = [...unmailed].filter(([, since]) => DateTime.isLessThanOrEqualTo(since, now)).map(([key]) => key)
    const stillWanted = new Set(events.filter((event) => isWaiting(event, now)).map(keyOf))
    const sent = yield* sendMail
    expect(sent.map(keyOf).toSorted()).toEqual(waiting.filter((key) => stillWanted.has(key)).toSorted())
    for (const key of waiting) unmailed.delete(key)
  })

  for (const [index, { act, fives, isMailing, isSettled, isWorking, millis, fault }] of steps.entries()) {
    const before = yield* DateTime.now
    const next = DateTime.add(before, { minutes: fives * 5, milliseconds: millis })
    if (DateTime.isLessThan(next, before)) {
      for (const event of events) if (DateTime.isLessThanOrEqualTo(event.endTime, before)) exempt.add(keyOf(event))
    }
    setClock(next)
    const work = isWorking ? reminders.runOnce : Effect.void
    yield* Crashes.runUnderFault(fault, [as(perform(act, events)), work])
    yield* checkRaised(events)
    if (isMailing) yield* sendAndCheckMail
    if (!isSettled && index < steps.length - 1) continue
    yield* reminders.runOnce
    yield* checkRaised(events)
    yield* sendAndCheckMail
    const now = yield* DateTime.now
    const due = events.filter((event) => isWanted(event, now)).map(keyOf)
    expect(due.filter((key) => !reminded.has(key) && !exempt.has(key) && !late.has(key))).toEqual([])
  }
}, Effect.scoped)

/** Returns a key for the present start of a calendar event. */
const keyOf = ({ id, startTime }: Pick<CalendarEvent, "id" | "startTime">): string =>
  `${id} at ${DateTime.formatIso(startTime)}`

const dueAt = ({ remindBeforeMinutes, startTime }: CalendarEvent): DateTime.Utc =>
  DateTime.subtract(startTime, { minutes: remindBeforeMinutes })

/** Returns whether a change has made the calendar event wait for another reminder than before. */
const isPlannedAgain = (before: CalendarEvent | undefined, after: CalendarEvent, now: DateTime.Utc): boolean =>
  isWaiting(after, now) &&
  (before === undefined ||
    !isWaiting(before, now) ||
    !DateTime.Equivalence(before.startTime, after.startTime) ||
    !DateTime.Equivalence(dueAt(before), dueAt(after)))

/** Returns whether the calendar event has its reminder enabled, will take place and is not over. */
const isWaiting = (event: CalendarEvent, now: DateTime.Utc): boolean =>
  event.isReminderEnabled &&
  (event.status === "scheduled" || event.status === "confirmed") &&
  DateTime.isGreaterThan(event.endTime, now)

/** Returns whether the calendar event waits for a reminder that is due. */
const isWanted = (event: CalendarEvent, now: DateTime.Utc): boolean =>
  isWaiting(event, now) && DateTime.isLessThanOrEqualTo(dueAt(event), now)

/** Returns the times of a calendar event of one hour that starts `slot` units of 20 minutes after `Samples.now`. */
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

/** Sends all due deliveries. Returns the calendar events of the new reminders, as the webhook events show them. */
const collectReminders = Effect.map(Crashes.collectDeliveries, (delivered) =>
  Effect.map(delivered, (bodies) => bodies.map((body) => decode(body).calendarEvent))
)

/** Sends all waiting mail. Returns the calendar events of the reminders, as the mails show them. */
const collectMail = Effect.gen(function* () {
  const mailer = yield* FakeMailer
  // With more concurrency a second mail of the same calendar event would be postponed, and the clock stands still.
  const context = yield* Layer.build(
    Layer.fresh(OutboxWorker.layer).pipe(
      Layer.provide(Layer.succeed(CurrentOutboxSettings, { ...defaultSettings, concurrency: 1 }))
    )
  )
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
