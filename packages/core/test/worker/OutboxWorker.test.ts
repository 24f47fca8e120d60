import { describe, expect, it } from "@effect/vitest"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { MailerError } from "@frontdesk/core/mail/Mailer"
import { Outbox } from "@frontdesk/core/outbox/Outbox"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { CurrentOutboxSettings, defaultSettings, OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { hour, inAccount, FakeAdapters, published } from "../calendar/services.ts"

const body = { ...hour(), customerEmail: "jo@example.com" }

const transport = new CalendarSyncError({ reason: "transport", cause: "down" })

const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)

/** Returns the writes to external calendars and the kinds of the mails since it last ran. */
const done = Effect.map(FakeAdapters, ({ mails, written }) => [
  ...written.splice(0).map(({ event, provider }) => `${provider} ${event.status}`),
  ...mails.splice(0).map(({ kind }) => kind)
])

const note = (notes: Array<string>, text: string) => Effect.sync(() => void notes.push(text))

/** Creates a calendar event, with these external calendars connected. */
const make = (...providers: FakeAdapters["Service"]["providers"]) =>
  Effect.gen(function* () {
    const fakes = yield* FakeAdapters
    fakes.providers = providers
    return yield* (yield* CalendarEvents).create(body)
  })

describe("OutboxWorker", () => {
  it.effect(
    "a calendar event is written to each external calendar, and only its copies, their status and its invitation change",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const made = yield* make("google", "apple")
        yield* TestClock.adjust("1 minute")
        yield* drain
        expect((yield* done).toSorted()).toEqual(["apple scheduled", "created", "google scheduled"])
        const externalCalendars = {
          google: { id: `google-${made.id}`, revision: null },
          apple: { id: `apple-${made.id}`, revision: null }
        }
        const synced = { status: "synced", at: yield* DateTime.now }
        const externalCalendarsStatus = { google: synced, apple: synced }
        const invitation = { email: "jo@example.com", isSent: true, isAccepted: true, status: "scheduled", told: {} }
        expect(yield* events.get({ id: made.id })).toEqual({
          ...made,
          externalCalendars,
          externalCalendarsStatus,
          invitation
        })
        expect(yield* published).toEqual(["calendar.created"])
        yield* drain
        expect(yield* done).toEqual([])
      }).pipe(inAccount())
  )

  it.effect("an external calendar and a mail receive the present calendar event", () =>
    Effect.gen(function* () {
      const made = yield* make("google")
      yield* (yield* CalendarEvents).cancel({ id: made.id }, {})
      yield* drain
      expect((yield* FakeAdapters).mails.map(({ event, kind }) => [kind, event.status])).toEqual([
        ["cancelled", "cancelled"]
      ])
      expect((yield* FakeAdapters).written.every(({ event }) => event.status === "cancelled")).toBe(true)
    }).pipe(inAccount())
  )

  it.effect("a calendar event that changes during its write is written again (D-OUT-4)", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const events = yield* CalendarEvents
      const principal = yield* Principal
      const made = yield* make("google")
      fakes.onWrite = (event) =>
        event.status === "scheduled"
          ? events
              .patch({ id: made.id }, { status: "confirmed", syncExternalCalendars: false })
              .pipe(Effect.provideService(Principal, principal), Effect.orDie)
          : Effect.void
      yield* drain
      expect((yield* done).filter((entry) => entry.startsWith("google"))).toEqual([
        "google scheduled",
        "google confirmed"
      ])
    }).pipe(inAccount())
  )

  it.effect("a failure that may pass is retried at the time of the plan", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      yield* make("google")
      fakes.onWrite = () => Effect.fail(transport)
      yield* drain
      expect(yield* done).toEqual(["created"])
      fakes.onWrite = () => Effect.void
      yield* TestClock.adjust("9 seconds")
      yield* drain
      expect(yield* done).toEqual([])
      yield* TestClock.adjust("1 second")
      yield* drain
      expect(yield* done).toEqual(["google scheduled"])
    }).pipe(inAccount())
  )

  it.effect("a task without an answer fails after its timeout and is retried, and so is a task that dies", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      yield* make("google")
      fakes.onWrite = () => Effect.never
      fakes.onMail = Effect.die("bug")
      const draining = yield* Effect.forkChild(drain)
      yield* TestClock.adjust("29 seconds")
      fakes.onWrite = () => Effect.void
      fakes.onMail = Effect.void
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(draining)
      expect(yield* done).toEqual(["created"])
      yield* TestClock.adjust("10 seconds")
      yield* drain
      expect(yield* done).toEqual(["google scheduled"])
    }).pipe(inAccount())
  )

  it.effect("a task that cannot succeed, or has failed too often, is dead-lettered with its reason", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const deadLettered: Array<string> = []
      const store = yield* OutboxStore
      yield* make("google")
      fakes.onWrite = () => Effect.fail(new CalendarSyncError({ reason: "conflict", cause: "by hand" }))
      fakes.onMail = Effect.fail(new MailerError({ reason: "invalid", cause: "no such mailbox" }))
      const watched = OutboxStore.of({
        ...store,
        deadLetter: (task, error, now) => Effect.andThen(note(deadLettered, error), store.deadLetter(task, error, now))
      })
      const drainWatched = drain.pipe(
        Effect.provide(Layer.fresh(OutboxWorker.layer)),
        Effect.provideService(OutboxStore, watched)
      )
      yield* drainWatched
      expect(deadLettered).toEqual(["mail: invalid"])
      for (let hours = 0; hours < 10; hours++) {
        yield* TestClock.adjust("1 hour")
        yield* drainWatched
      }
      yield* TestClock.adjust("1 day")
      yield* drainWatched
      expect(deadLettered).toEqual(["mail: invalid", "calendar: conflict"])
    }).pipe(inAccount())
  )

  it.effect("a write to an unreachable calendar is retried for days, and is then done once (D-EXT-14)", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const { id } = yield* make("google")
      for (const [hours, reason] of [
        [20, "transport"],
        [100, "rate_limited"]
      ] as const) {
        yield* (yield* CalendarEvents).patch({ id }, { title: reason })
        fakes.onWrite = () => Effect.fail(new CalendarSyncError({ reason, cause: "down" }))
        for (let minutes = 0; minutes < hours * 60; minutes += 10) {
          yield* drain
          yield* TestClock.adjust("10 minutes")
        }
        yield* done
        fakes.onWrite = () => Effect.void
        yield* TestClock.adjust("6 hours")
        yield* drain
        // In the first round the write of the creation waits too.
        const expected = reason === "transport" ? 2 : 1
        expect(yield* done).toEqual(Array.from({ length: expected }, () => "google scheduled"))
        yield* TestClock.adjust("1 day")
        yield* drain
        expect(yield* done).toEqual([])
      }
    }).pipe(inAccount())
  )

  it.effect("a write to an unreachable calendar is not retried after the calendar event has ended (D-EXT-14)", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const { endTime } = yield* make("google")
      fakes.onWrite = () => Effect.fail(transport)
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.subtract(endTime, { hours: 20 })))
      for (let minutes = 0; minutes < 40 * 60; minutes += 10) {
        yield* drain
        yield* TestClock.adjust("10 minutes")
      }
      fakes.onWrite = () => Effect.void
      yield* done
      yield* TestClock.adjust("1 day")
      yield* drain
      expect(yield* done).toEqual([])
    }).pipe(inAccount())
  )

  it.effect(
    "the log line of a failed task has the calendar event and the calendar, and no data of the customer",
    () => {
      const lines: Array<string> = []
      const logging = LogCapture.layer(({ json }) => void lines.push(json), "Info")
      return Effect.gen(function* () {
        const fakes = yield* FakeAdapters
        const { id } = yield* make("google")
        fakes.onWrite = () => Effect.fail(transport)
        fakes.onMail = Effect.fail(new MailerError({ reason: "invalid", cause: "no such mailbox" }))
        yield* drain
        expect(lines.some((line) => line.includes(`"event":${id},"provider":"google"`))).toBe(true)
        expect(lines.some((line) => line.includes(`"event":${id},"mail":"created"`))).toBe(true)
        expect(lines.join()).not.toContain("jo@example.com")
      }).pipe(inAccount(), Effect.provide(logging))
    }
  )

  it.effect("a task of a process that died is done when its lease ends", () =>
    Effect.gen(function* () {
      yield* make()
      const now = yield* DateTime.now
      yield* (yield* OutboxStore).claim(now, DateTime.add(now, { seconds: 60 }), 10)
      yield* drain
      expect(yield* done).toEqual([])
      yield* TestClock.adjust("60 seconds")
      yield* drain
      expect(yield* done).toEqual(["created"])
    }).pipe(inAccount())
  )

  it.effect("a task with ten claims without a result is dead-lettered without another try (D-OUT-3)", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const deadLettered: Array<string> = []
      const watched = OutboxStore.of({
        ...store,
        deadLetter: (task, error, now) => Effect.andThen(note(deadLettered, error), store.deadLetter(task, error, now))
      })
      yield* make()
      for (let claims = 0; claims < 10; claims++) {
        const now = yield* DateTime.now
        expect(yield* store.claim(now, DateTime.add(now, { seconds: 60 }), 10)).toHaveLength(1)
        yield* TestClock.adjust("60 seconds")
      }
      yield* drain.pipe(Effect.provide(Layer.fresh(OutboxWorker.layer)), Effect.provideService(OutboxStore, watched))
      expect(yield* done).toEqual([])
      expect(deadLettered).toEqual(["no try came to a result"])
      yield* TestClock.adjust("1 day")
      yield* drain
      expect(yield* done).toEqual([])
    }).pipe(inAccount())
  )

  it.effect("seven tasks that hang do not delay others, because one of the eight lanes is free", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const loop = yield* Effect.forkChild((yield* OutboxWorker).run)
      fakes.onWrite = () => Effect.never
      for (let times = 0; times < 7; times++) yield* make("google")
      yield* TestClock.adjust("6 seconds")
      expect((yield* done).filter((entry) => entry === "created")).toHaveLength(7)
      yield* make()
      yield* TestClock.adjust(0)
      expect(yield* done).toEqual(["created"])
      const stopped = yield* Effect.forkChild(Fiber.interrupt(loop))
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.join(stopped)
    }).pipe(inAccount())
  )

  it.effect("a worker that is stopped finishes its task and begins no other (D-OUT-5)", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const worker = Layer.fresh(OutboxWorker.layer).pipe(
        Layer.provide(Layer.succeed(CurrentOutboxSettings, { ...defaultSettings, concurrency: 1 }))
      )
      yield* make()
      yield* make()
      fakes.onMail = Effect.sleep("3 seconds")
      const loop = yield* Effect.flatMap(OutboxWorker, ({ run }) => Effect.forkChild(run)).pipe(Effect.provide(worker))
      yield* TestClock.adjust("2 seconds")
      const stopped = yield* Effect.forkChild(Fiber.interrupt(loop))
      yield* TestClock.adjust("999 millis")
      expect([yield* done, stopped.pollUnsafe()]).toEqual([[], undefined])
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(stopped)
      expect(yield* done).toEqual(["created"])
      const now = DateTime.add(yield* DateTime.now, { minutes: 10 })
      expect(yield* (yield* OutboxStore).claim(now, now, 10)).toHaveLength(1)
    }).pipe(inAccount())
  )

  it.effect("a stop waits at most for the timeout of a task, which is then retried", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      yield* make()
      fakes.onMail = Effect.never
      const loop = yield* Effect.forkChild((yield* OutboxWorker).run)
      yield* TestClock.adjust("10 seconds")
      const stopped = yield* Effect.forkChild(Fiber.interrupt(loop))
      yield* TestClock.adjust("20 seconds")
      yield* Fiber.join(stopped)
      fakes.onMail = Effect.void
      yield* TestClock.adjust("10 seconds")
      yield* drain
      expect(yield* done).toEqual(["created"])
    }).pipe(inAccount())
  )

  it.effect("a dead-lettered task is deleted after 30 days, although an earlier sweep has failed (D-OUT-6)", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const store = yield* OutboxStore
      const swept: Array<number> = []
      const faults = [Effect.die(new Error("a test"))]
      const watched = OutboxStore.of({
        ...store,
        sweep: (before, limit) =>
          faults.shift() ?? Effect.tap(store.sweep(before, limit), (count) => Effect.sync(() => swept.push(count)))
      })
      yield* make()
      fakes.onMail = Effect.fail(new MailerError({ reason: "invalid", cause: "no such mailbox" }))
      const loop = yield* Effect.flatMap(OutboxWorker, ({ run }) => Effect.forkChild(run)).pipe(
        Effect.provide(
          Layer.fresh(OutboxWorker.layer).pipe(
            Layer.provide(
              Layer.succeed(CurrentOutboxSettings, { ...defaultSettings, concurrency: 1, poll: Duration.hours(1) })
            )
          )
        ),
        Effect.provideService(OutboxStore, watched)
      )
      yield* TestClock.adjust("30 days")
      expect(new Set(swept)).toEqual(new Set([0]))
      yield* TestClock.adjust("2 hours")
      expect(swept.filter((count) => count > 0)).toEqual([1])
      yield* Fiber.interrupt(loop)
    }).pipe(inAccount())
  )

  it.effect("run continues after failures and defects of the store", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const broken = Effect.die(new Error("a test"))
      const unavailable = Effect.fail(new StorageError({ reason: "unavailable", operation: "claim", cause: "a test" }))
      const claims = [broken, unavailable]
      const completions = [broken]
      const postponements = [broken]
      const faulty = OutboxStore.of({
        ...store,
        claim: (...args) => claims.shift() ?? store.claim(...args),
        complete: (task) => completions.shift() ?? store.complete(task),
        retryAt: (task, until) => postponements.shift() ?? store.retryAt(task, until)
      })
      yield* make()
      const loop = yield* Effect.flatMap(OutboxWorker, ({ run }) => Effect.forkChild(run)).pipe(
        Effect.provide(
          Layer.fresh(OutboxWorker.layer).pipe(
            Layer.provide(Layer.succeed(CurrentOutboxSettings, { ...defaultSettings, concurrency: 1 }))
          )
        ),
        Effect.provideService(OutboxStore, faulty)
      )
      yield* TestClock.adjust("2 minutes")
      expect([claims, completions, postponements]).toEqual([[], [], []])
      // The mail server had accepted the invitation when the task could not be completed.
      expect(yield* done).toEqual(["created"])
      yield* Fiber.interrupt(loop)
    }).pipe(inAccount())
  )

  it.effect("run does a task at once after a notification, and at the next poll without one", () =>
    Effect.gen(function* () {
      const loop = yield* Effect.forkChild((yield* OutboxWorker).run)
      yield* TestClock.adjust("1 second")
      const event = yield* make()
      yield* TestClock.adjust(0)
      expect(yield* done).toEqual(["created"])
      yield* (yield* CalendarEvents).patch({ id: event.id }, { title: "Second", sendNotifications: false })
      yield* TestClock.adjust(0)
      const outbox = yield* Outbox
      yield* outbox.add(event.accountId, [{ _tag: "Notify", notification: { kind: "updated", event } }])
      yield* TestClock.adjust("5 seconds")
      expect(yield* done).toEqual(["updated"])
      yield* Fiber.interrupt(loop)
    }).pipe(inAccount())
  )
})
