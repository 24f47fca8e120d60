import { describe, expect, it } from "@effect/vitest"
import * as Acting from "@frontdesk/core/audit/Acting"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { MailerError, type NotificationKind } from "@frontdesk/core/mail/Mailer"
import { Outbox } from "@frontdesk/core/outbox/Outbox"
import { OutboxOperations } from "@frontdesk/core/outbox/OutboxOperations"
import { OutboxTaskId } from "@frontdesk/core/outbox/OutboxTask"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { account, as, hour, inAccount, FakeAdapters } from "../calendar/services.ts"

const body = { ...hour(), customerEmail: "jo@example.com" }

const refused = new CalendarSyncError({ reason: "unauthorized", cause: "revoked" })

const unauthorized = Effect.fail(new MailerError({ reason: "unauthorized", cause: "535" }))

const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)

/** The service over the outbox of the worker. */
const operations = Effect.provide(OutboxOperations, OutboxOperations.layer)

/** Creates events whose mails and writes are dead-lettered. After that the mail server and the calendar work again. */
const deadLettered = Effect.fnUntraced(function* (...bodies: ReadonlyArray<object>) {
  const fakes = yield* FakeAdapters
  const events = yield* CalendarEvents
  fakes.providers = ["google"]
  fakes.onMail = unauthorized
  fakes.onWrite = () => Effect.fail(refused)
  const made = yield* Effect.forEach(bodies, (one) => events.create({ ...body, ...one }))
  yield* drain
  fakes.onMail = Effect.void
  fakes.onWrite = () => Effect.void
  return made
})

/** Returns the mails and the writes to external calendars since it last ran. */
const done = Effect.map(FakeAdapters, ({ mails, written }) =>
  [
    ...written.splice(0).map(({ event, provider }) => `${provider} ${event.title}`),
    ...mails.splice(0).map(({ event, kind }) => `${kind} ${event.title}`)
  ].toSorted()
)

describe("OutboxOperations.list", () => {
  it.effect("returns the dead-lettered tasks, the newest first, without personal data (D-OUT-8)", () =>
    Effect.gen(function* () {
      const { list } = yield* operations
      const [event] = yield* deadLettered({ title: "a" })
      const page = yield* list()
      expect(page).toMatchObject({ count: 2, page: 1, limit: 20 })
      const about = {
        eventId: event?.id,
        accountId: event?.accountId,
        attempts: 1,
        deadLetteredAt: yield* DateTime.now
      }
      expect(page.items.toSorted((a) => (a.kind === "calendar" ? -1 : 1))).toMatchObject([
        { ...about, kind: "calendar", mail: null, provider: "google", reason: "calendar: unauthorized" },
        { ...about, kind: "mail", mail: "created", provider: null, reason: "mail: unauthorized" }
      ])
      expect(JSON.stringify(page)).not.toContain("jo@example.com")
    }).pipe(inAccount())
  )

  it.effect("returns pages, and selects by account and by kind", () =>
    Effect.gen(function* () {
      const { list } = yield* operations
      const other = yield* account()
      yield* deadLettered({}, {}, {})
      yield* deadLettered({}).pipe(as(other))
      expect(yield* list({ page: 3, limit: 3 })).toMatchObject({ count: 8, items: [{}, {}] })
      const mails = (yield* list({ kind: "mail" })).items
      expect(mails.map(({ accountId, kind }) => [accountId === other.id, kind])).toEqual([
        [true, "mail"],
        [false, "mail"],
        [false, "mail"],
        [false, "mail"]
      ])
      expect(yield* list({ accountId: other.id, kind: "calendar" })).toMatchObject({
        count: 1,
        items: [{ kind: "calendar", accountId: other.id }]
      })
    }).pipe(inAccount())
  )
})

describe("the audit log of the outbox (D-AUD-6)", () => {
  it.effect("has each task that is dead-lettered, and who retries it, without personal data", () =>
    Effect.gen(function* () {
      const { list, retry, retryAll } = yield* operations
      const [event] = yield* deadLettered({ title: "a secret title" })
      const { items } = yield* list()
      yield* retry(OutboxTaskId.make(items[0]?.id ?? 0))
      yield* Acting.by("command_line", null)(retryAll())
      const entries = (yield* allEntriesOf(event?.accountId ?? 0)).filter(({ entity }) => entity.type === "task")
      expect(
        entries.toReversed().map(({ actor, entity, operation }) => [actor.type, actor.id, operation, entity.id])
      ).toEqual([
        ...items.toReversed().map(({ id }) => ["worker", "outbox", "tasks.deadLetter", String(id)]),
        ["program", null, "tasks.retry", String(items[0]?.id)],
        ["command_line", null, "tasks.retryAll", null]
      ])
      expect(entries.at(-1)?.changes).toContainEqual({ field: "event_id", after: event?.id })
      expect(entries[0]?.changes).toEqual([{ field: "tasks", after: 1 }])
      const text = JSON.stringify(entries)
      expect([text.includes("jo@example.com"), text.includes("a secret title")]).toEqual([false, false])
    }).pipe(inAccount())
  )
})

describe("OutboxOperations.retry", () => {
  it.effect("makes a running worker do the task at once, and no other dead-lettered task (D-OUT-6)", () =>
    Effect.gen(function* () {
      const { list, retry } = yield* operations
      yield* deadLettered({ title: "a" }, { title: "b" })
      const loop = yield* Effect.forkChild((yield* OutboxWorker).run)
      yield* TestClock.adjust("1 second")
      const [newest] = (yield* list({ kind: "mail" })).items
      yield* retry(OutboxTaskId.make(newest?.id ?? 0))
      yield* TestClock.adjust(0)
      expect(yield* done).toEqual(["created b"])
      expect((yield* list()).items.map(({ id }) => id)).not.toContain(newest?.id)
      expect((yield* list()).count).toBe(3)
      yield* Fiber.interrupt(loop)
    }).pipe(inAccount())
  )

  it.effect("gives the task its full number of attempts again", () =>
    Effect.gen(function* () {
      const { list, retry } = yield* operations
      const fakes = yield* FakeAdapters
      fakes.onMail = Effect.fail(new MailerError({ reason: "transport", cause: "down" }))
      yield* (yield* CalendarEvents).create({ ...body, title: "a" })
      for (let hours = 0; hours < 12; hours += 0.5) yield* Effect.andThen(drain, TestClock.adjust("30 minutes"))
      const [task] = (yield* list()).items
      expect(task?.attempts).toBe(7)
      yield* retry(OutboxTaskId.make(task?.id ?? 0))
      yield* drain
      expect((yield* list()).count).toBe(0)
      fakes.onMail = Effect.void
      yield* TestClock.adjust("10 seconds")
      yield* drain
      expect(yield* done).toEqual(["created a"])
    }).pipe(inAccount())
  )

  it.effect("fails with OutboxTaskNotFound for a task that is not dead-lettered", () =>
    Effect.gen(function* () {
      const { list, retry } = yield* operations
      yield* deadLettered({})
      const [task] = (yield* list({ kind: "mail" })).items
      const id = OutboxTaskId.make(task?.id ?? 0)
      yield* retry(id)
      for (const none of [id, OutboxTaskId.make(999)]) {
        expect(yield* Effect.flip(retry(none))).toMatchObject({ _tag: "OutboxTaskNotFound", taskId: none })
      }
      yield* drain
      expect(yield* done).toEqual(["created Demo"])
    }).pipe(inAccount())
  )

  it.effect.each([
    ["that is still valid is mailed and shows the event as it is", { title: "later" }, ["reminder later"]],
    [
      "of an event that was moved meanwhile is not mailed",
      { startTime: "2026-06-01T12:00", endTime: "2026-06-01T13:00" },
      []
    ],
    ["of an event that was cancelled meanwhile is not mailed", { status: "cancelled" }, []]
  ] as const)("a retried reminder %s", ([, change, mailed]) =>
    Effect.gen(function* () {
      const { retryAll } = yield* operations
      const events = yield* CalendarEvents
      const fakes = yield* FakeAdapters
      const event = yield* events.create({ ...body, isReminderEnabled: true, sendNotifications: false })
      yield* TestClock.setTime(DateTime.toEpochMillis(event.startTime))
      yield* addMail("reminder", event)
      fakes.onMail = unauthorized
      yield* drain
      fakes.onMail = Effect.void
      yield* events.patch({ id: event.id }, { ...change, sendNotifications: false })
      expect(yield* retryAll()).toBe(1)
      yield* drain
      expect(yield* done).toEqual(mailed)
    }).pipe(inAccount())
  )

  it.effect("a retried reminder of an event that has ended is not mailed", () =>
    Effect.gen(function* () {
      const { retryAll } = yield* operations
      const fakes = yield* FakeAdapters
      const event = yield* (yield* CalendarEvents).create({
        ...body,
        isReminderEnabled: true,
        sendNotifications: false
      })
      yield* TestClock.setTime(DateTime.toEpochMillis(event.startTime))
      yield* addMail("reminder", event)
      fakes.onMail = unauthorized
      yield* drain
      fakes.onMail = Effect.void
      yield* TestClock.setTime(DateTime.toEpochMillis(event.endTime))
      expect(yield* retryAll()).toBe(1)
      yield* drain
      expect(yield* done).toEqual([])
    }).pipe(inAccount())
  )
})

describe("OutboxOperations.retryAll", () => {
  it.effect("retries all tasks, or those of one account or one kind", () =>
    Effect.gen(function* () {
      const { list, retryAll } = yield* operations
      const other = yield* account()
      yield* deadLettered({ title: "a" }, { title: "b" })
      yield* deadLettered({ title: "c" }).pipe(as(other))
      expect(yield* retryAll({ accountId: other.id, kind: "mail" })).toBe(1)
      yield* drain
      expect(yield* done).toEqual(["created c"])
      expect(yield* retryAll({ kind: "mail" })).toBe(2)
      yield* drain
      expect(yield* done).toEqual(["created a", "created b"])
      expect(yield* retryAll({ accountId: other.id })).toBe(1)
      expect(yield* retryAll()).toBe(2)
      expect(yield* retryAll()).toBe(0)
      yield* drain
      expect(yield* done).toEqual(["google a", "google b", "google c"])
      expect((yield* list()).count).toBe(0)
    }).pipe(inAccount())
  )

  it.effect("retries each task once, also when tasks are dead-lettered again meanwhile (D-OUT-7)", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const fakes = yield* FakeAdapters
      const worker = yield* OutboxWorker
      const event = yield* (yield* CalendarEvents).create({ ...body, sendNotifications: false })
      // Two steps of 500 tasks, and one task more.
      const count = 1_001
      yield* Effect.replicateEffect(addMail("created", event), count)
      let mails = 0
      fakes.onMail = Effect.andThen(
        Effect.sync(() => void mails++),
        unauthorized
      )
      yield* drain
      const { list, retryAll } = yield* Effect.provide(OutboxOperations, Layer.fresh(OutboxOperations.layer)).pipe(
        Effect.provideService(Outbox, { ...outbox, notify: Effect.orDie(worker.drain) })
      )
      expect(yield* retryAll()).toBe(count)
      expect({ mails, deadLettered: (yield* list()).count }).toEqual({ mails: 2 * count, deadLettered: count })
    }).pipe(inAccount())
  )
})

const addMail = (kind: NotificationKind, event: CalendarEvent) =>
  Effect.flatMap(Outbox, (outbox) => outbox.add(event.accountId, [{ _tag: "Notify", notification: { kind, event } }]))
