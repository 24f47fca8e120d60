import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as LogEvent from "../values/LogEvent.ts"
import type { AccountStore } from "../access/AccountStore.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import type { CalendarSync, CalendarSyncError } from "../external-calendar/CalendarSync.ts"
import type { Mailer, MailerError } from "../mail/Mailer.ts"
import * as Outage from "../storage/Outage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { CurrentDeliverySettings } from "../delivery/DeliverySettings.ts"
import * as Lease from "../background/Lease.ts"
import * as Loop from "../background/Loop.ts"
import * as LeaseRecovery from "../background/LeaseRecovery.ts"
import * as Signal from "../background/Signal.ts"
import * as Steps from "../background/Steps.ts"
import * as Timestamp from "../values/Timestamp.ts"
import * as CalendarTask from "../outbox/CalendarTask.ts"
import * as MailTask from "../outbox/MailTask.ts"
import { Outbox } from "../outbox/Outbox.ts"
import * as OutboxFailure from "../outbox/OutboxFailure.ts"
import { anew, defaultPlan, isExhausted, next, type OutboxPlan } from "../outbox/OutboxPlan.ts"
import { OutboxStore } from "../outbox/OutboxStore.ts"
import type { OutboxTask, OutboxWork } from "../outbox/OutboxTask.ts"

/** How a worker goes about its tasks. */
export interface OutboxSettings {
  readonly plan: OutboxPlan
  /** How many tasks are done at once. */
  readonly concurrency: number
  /** How long the other side may take for one task; what takes longer has failed and is tried again. */
  readonly timeout: Duration.Duration
  /** How often is looked for tasks when nobody notifies. */
  readonly poll: Duration.Duration
  /** How long tasks that were dead-lettered are kept. */
  readonly retention: Duration.Duration
}

/** What a worker does unless it is told otherwise. */
export const defaultSettings: OutboxSettings = {
  plan: defaultPlan,
  concurrency: 8,
  timeout: Duration.seconds(30),
  poll: Duration.seconds(5),
  retention: Duration.days(30)
}

/**
 * Does what changes have left to be done outside: writes events to outside calendars and mails customers.
 *
 * Each task is done at least once: a process that dies leaves its tasks to whoever looks after their lease, or to its
 * successor under the same name (`DeliverySettings.owner`), which takes them at its start. What may succeed later is
 * tried again as the plan says, everything else is dead-lettered; so is, untried, what was taken too often without a result.
 * An outside calendar that is away is waited for until the event has ended.
 */
export class OutboxWorker extends Context.Service<
  OutboxWorker,
  {
    /** Takes some due tasks and does them; answers how many, 0 when none was due. */
    readonly runOnce: Effect.Effect<number, StorageError>
    /** Does tasks until none is due. */
    readonly drain: Effect.Effect<void, StorageError>
    /**
     * Does tasks until it is interrupted; what it has begun is finished first, as these all do. A failing store is tried
     * again. Once an hour it removes what was dead-lettered longer ago than it is kept.
     */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/OutboxWorker") {
  /** A worker with settings of its own. */
  static readonly layerWith = (
    settings: OutboxSettings
  ): Layer.Layer<
    OutboxWorker,
    never,
    AccountStore | OutboxStore | Outbox | CalendarEventStore | CalendarSync | Mailer | Transaction
  > =>
    Layer.effect(
      OutboxWorker,
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const outbox = yield* Outbox
        const store = yield* OutboxStore
        const transaction = yield* Transaction
        const { owner } = yield* CurrentDeliverySettings

        const sync = yield* CalendarTask.make
        const failed = yield* CalendarTask.makeFailed
        const mail = yield* MailTask.make(settings.poll)

        const perform = (task: OutboxTask): Effect.Effect<void, CalendarSyncError | MailerError | StorageError> => {
          switch (task.work._tag) {
            case "SyncEvent":
              return sync(task, task.work)
            case "Notify":
              return mail(task, task.work.notification)
          }
        }

        /** Whether it is worth while to write an event to a calendar however late: it has not ended. */
        const isStillOfUse = Effect.fnUntraced(function* (work: OutboxWork, now: DateTime.Utc) {
          if (work._tag !== "SyncEvent") return false
          return Option.exists(yield* events.findAnywhere({ id: work.eventId }), ({ endTime }) =>
            DateTime.isGreaterThan(endTime, now)
          )
        })

        // As a new task: that it was taken often counts only where nothing was ever heard of it.
        const startAnew = (task: OutboxTask, dueAt: DateTime.Utc) =>
          transaction.run(Effect.andThen(store.add([task.work], dueAt), store.complete(task)))

        /** Dead-letters a task; a write to a calendar is shown on its event as failed. */
        const deadLetter = Effect.fnUntraced(function* (task: OutboxTask, reason: string, now: DateTime.Utc) {
          yield* store.deadLetter(task, reason, now)
          if (task.work._tag === "SyncEvent") yield* failed(task.work)
        }, transaction.run)

        const fail = Effect.fnUntraced(function* (task: OutboxTask, cause: OutboxFailure.TaskCause) {
          const failure = OutboxFailure.fromCause(cause)
          const now = yield* DateTime.now
          const retryAt = next(task.attempts, failure, now, settings.plan)
          const possible = retryAt === null ? anew(failure, now, settings.plan) : null
          const anewAt = possible !== null && (yield* isStillOfUse(task.work, now)) ? possible : null
          const isSetAside = retryAt === null && anewAt === null
          yield* Outage.log(
            "Warn",
            isSetAside ? setAside : "A task of the outbox has failed and is tried again",
            cause,
            { ...about(task), reason: failure.reason }
          ).pipe(LogEvent.annotate(isSetAside ? "task.dead_lettered" : "task.retried"))
          if (retryAt !== null) yield* store.retryAt(task, retryAt)
          else if (anewAt !== null) yield* startAnew(task, anewAt)
          else yield* deadLetter(task, failure.reason, now)
        })

        const giveUp = Effect.fnUntraced(function* (task: OutboxTask) {
          const reason = "no try came to a result"
          yield* Effect.logWarning(setAside, { ...about(task), reason }).pipe(LogEvent.annotate("task.dead_lettered"))
          yield* deadLetter(task, reason, yield* DateTime.now)
        })

        const leave = (task: OutboxTask) =>
          Effect.flatMap(DateTime.now, (now) => store.postpone(task, now)).pipe(
            Outage.survive("Warn", "The outbox could not be written")
          )

        const process = Effect.fn("OutboxWorker.process")(function* (task: OutboxTask, lease: Lease.Lease) {
          // The process stood still since its claim, and others may have the task by now: nobody does it twice.
          if (!lease.hasTime()) return yield* leave(task)
          const tried = perform(task).pipe(
            Effect.timeout(settings.timeout),
            Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : fail(task, cause)))
          )
          yield* (isExhausted(task.attempts, settings.plan) ? giveUp(task) : tried).pipe(
            // The task comes back when its lease ends.
            Outage.survive("Warn", "The outbox could not be written")
          )
        })

        // What is cut off midway may have been done, and would be done again: a stop waits, no longer than the timeout.
        const take = Effect.fnUntraced(function* (limit: number) {
          const now = yield* DateTime.now
          // A lease outlives its task: after the timeout only the store is left to answer.
          const length = Duration.times(settings.timeout, 2)
          const lease = yield* Lease.begin(now, { length, timeout: settings.timeout })
          const tasks = yield* store.claim(now, Timestamp.after(now, length), limit, owner)
          yield* Effect.forEach(tasks, (task) => process(task, lease), { concurrency: "unbounded", discard: true })
          return tasks.length
        }, Effect.uninterruptible)

        const drain = (limit: number): Effect.Effect<void, StorageError> =>
          Effect.flatMap(take(limit), (count) => (count === 0 ? Effect.void : drain(limit)))

        // Each lane has one task at a time, so that what hangs keeps its own lane busy and no other waits for it.
        const lane = (latch: Latch.Latch) =>
          Effect.andThen(latch.close, drain(1)).pipe(
            Outage.survive("Warn", "The outbox could not be read; trying again"),
            Effect.andThen(Signal.wait(latch, Option.none(), settings.poll)),
            Effect.forever
          )

        const sweep = Loop.forever(
          Effect.gen(function* () {
            const before = Timestamp.before(yield* DateTime.now, settings.retention)
            yield* Steps.sweepBefore(before, store.sweep)
          }),
          { pause: Duration.hours(1), level: "Warn", failure: "Old tasks of the outbox could not be removed" }
        )

        return OutboxWorker.of({
          runOnce: take(settings.concurrency),
          drain: drain(settings.concurrency),
          run: Effect.gen(function* () {
            const latch = yield* outbox.listen
            yield* LeaseRecovery.release("tasks", owner, store.release)
            const lanes = Array.from({ length: settings.concurrency }, () => lane(latch))
            yield* Effect.all([...lanes, sweep], { concurrency: "unbounded", discard: true })
            return yield* Effect.never
          }).pipe(Effect.scoped)
        })
      })
    )

  /** A worker with {@link defaultSettings}. */
  static readonly layer = OutboxWorker.layerWith(defaultSettings)
}

const setAside = 'A task of the outbox is set aside; "frontdesk outbox retry" has it done again'

/** Which task it is, for the log: nothing of the people it is about. */
const about = ({ id, work }: OutboxTask) =>
  work._tag === "SyncEvent"
    ? { task: id, work: work._tag, event: work.eventId, provider: work.provider }
    : { task: id, work: work._tag, event: work.notification.event.id, mail: work.notification.kind }
