import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import type * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AccountStore } from "../access/AccountStore.ts"
import type { CalendarEvent, EventId, ExternalCopy } from "../calendar/CalendarEvent.ts"
import { CalendarEventStore } from "../calendar/CalendarEventStore.ts"
import { CalendarSync, type CalendarSyncError } from "../calendar/CalendarSync.ts"
import { Mailer, MailerError, type Notification } from "../notify/Mailer.ts"
import * as NotificationRule from "../notify/NotificationRule.ts"
import * as Outage from "../storage/Outage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { CurrentDeliverySettings } from "../webhook/DeliverySettings.ts"
import * as Predecessor from "../worker/Predecessor.ts"
import * as Signal from "../worker/Signal.ts"
import { Outbox } from "./Outbox.ts"
import { anew, defaultPlan, isExhausted, next, type OutboxFailure, type OutboxPlan } from "./OutboxPlan.ts"
import { OutboxStore } from "./OutboxStore.ts"
import type { OutboxTask, OutboxWork } from "./OutboxTask.ts"

type SyncEvent = Extract<OutboxWork, { readonly _tag: "SyncEvent" }>

/** How a worker goes about its tasks. */
export interface OutboxSettings {
  readonly plan: OutboxPlan
  /** How many tasks are done at once. */
  readonly concurrency: number
  /** How long the other side may take for one task; what takes longer has failed and is tried again. */
  readonly timeout: Duration.Duration
  /** How often is looked for tasks when nobody nudges. */
  readonly poll: Duration.Duration
  /** How long tasks that were set aside are kept. */
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

/** How many tasks are removed at once, so that a sweep holds up no one. */
const sweepBatch = 1_000

/**
 * Does what changes have left to be done outside: writes events to outside calendars and mails customers.
 *
 * Each task is done at least once: a process that dies leaves its tasks to whoever looks after their lease, or to its
 * successor under the same name (`DeliverySettings.owner`), which takes them at its start. What may
 * succeed later is tried again as the plan says, everything else is set aside; so is, untried, what was taken too often
 * without a result. An outside calendar that is away is waited for until the event has ended.
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
     * again. Once an hour it removes what was set aside longer ago than it is kept.
     */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/outbox/OutboxWorker") {
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
        const accounts = yield* AccountStore
        const calendars = yield* CalendarSync
        const events = yield* CalendarEventStore
        const mailer = yield* Mailer
        const outbox = yield* Outbox
        const store = yield* OutboxStore
        const transaction = yield* Transaction
        const { owner } = yield* CurrentDeliverySettings

        /** Keeps what the outside calendar has of the event; nothing is raised, and `updatedAt` stays. */
        const keepCopy = Effect.fnUntraced(function* (
          work: SyncEvent,
          written: CalendarEvent,
          copy: ExternalCopy | null
        ) {
          const held = yield* events.findForUpdate({ accountId: written.accountId, teamIds: [] }, { id: work.eventId })
          if (Option.isNone(held)) return
          const event = held.value
          if (copy !== null && !Equal.equals(event.externalCalendars[work.provider], copy)) {
            const externalCalendars = { ...event.externalCalendars, [work.provider]: copy }
            yield* events.update({ ...event, externalCalendars })
          }
          // Two tasks of one event may run side by side; whoever wrote what is old by now has it written again.
          if (!isSame(event, written)) yield* outbox.add([work])
        })

        const sync = Effect.fnUntraced(
          function* (task: OutboxTask, work: SyncEvent) {
            const found = yield* events.findAnywhere({ id: work.eventId })
            if (Option.isSome(found)) {
              const copy = yield* calendars.write(work.provider, found.value)
              const done = Effect.andThen(keepCopy(work, found.value, copy), store.complete(task))
              yield* transaction.run(done)
            } else yield* store.complete(task)
          },
          // Another task of the same event was faster: what is to be written is read anew.
          Effect.retry({
            times: 1,
            while: (error) => error._tag === "CalendarSyncError" && error.reason === "conflict"
          })
        )

        const notify = Effect.fnUntraced(function* (notification: Notification) {
          const account = yield* accounts.find(notification.event.accountId)
          // Nobody is written to in the name of an account that is gone.
          if (Option.isNone(account)) return
          const event = yield* events.findAnywhere({ id: notification.event.id })
          const current = NotificationRule.current(notification, event, yield* DateTime.now)
          if (Option.isNone(current)) return
          // Another node may have mail, or this one soon again: what was promised to a customer is not dropped.
          if (!mailer.enabled) return yield* noMail
          const { name, settings } = account.value
          yield* mailer.send({ ...current.value, account: { name, timeZone: settings.timeZone } })
        })

        /** The events of which a mail is under way. */
        const mailed = new Set<EventId>()

        // One mail of an event at a time: of two side by side the older one could come last.
        const inTurn = Effect.fnUntraced(function* (task: OutboxTask, notification: Notification) {
          const { id } = notification.event
          if (mailed.has(id)) {
            const later = DateTime.addDuration(yield* DateTime.now, settings.poll)
            // As a new task: it was not tried.
            return yield* transaction.run(Effect.andThen(store.add([task.work], later), store.complete(task)))
          }
          mailed.add(id)
          const done = Effect.andThen(notify(notification), store.complete(task))
          yield* Effect.ensuring(
            done,
            Effect.sync(() => mailed.delete(id))
          )
        })

        const perform = (task: OutboxTask): Effect.Effect<void, CalendarSyncError | MailerError | StorageError> => {
          switch (task.work._tag) {
            case "SyncEvent":
              return sync(task, task.work)
            case "Notify":
              return inTurn(task, task.work.notification)
          }
        }

        const fail = Effect.fnUntraced(function* (
          task: OutboxTask,
          failure: OutboxFailure,
          cause: Cause.Cause<unknown>
        ) {
          const now = yield* DateTime.now
          const planned = next(task.attempts, failure, now, settings.plan)
          const begunAnew = planned === null ? anew(failure, now, settings.plan) : null
          const later = begunAnew !== null && (yield* isStillOfUse(task.work, now)) ? begunAnew : null
          yield* Outage.log(
            "Warn",
            (planned ?? later) === null ? setAside : "A task of the outbox has failed and is tried again",
            cause,
            { ...about(task), reason: failure.reason }
          )
          if (planned !== null) return yield* store.postpone(task, planned)
          if (later === null) return yield* store.abandon(task, failure.reason, now)
          // As a new task, so that what was taken often counts only where nothing was ever heard of it.
          yield* transaction.run(Effect.andThen(store.add([task.work], later), store.complete(task)))
        })

        /** Whether it is worth while to write an event to a calendar however late: it has not ended. */
        const isStillOfUse = Effect.fnUntraced(function* (work: OutboxWork, now: DateTime.Utc) {
          if (work._tag !== "SyncEvent") return false
          return Option.exists(yield* events.findAnywhere({ id: work.eventId }), ({ endTime }) =>
            DateTime.isGreaterThan(endTime, now)
          )
        })

        const giveUp = Effect.fnUntraced(function* (task: OutboxTask) {
          const reason = "no try came to a result"
          yield* Effect.logWarning(setAside, { ...about(task), reason })
          yield* store.abandon(task, reason, yield* DateTime.now)
        })

        const process = Effect.fn("OutboxWorker.process")(function* (task: OutboxTask) {
          const tried = perform(task).pipe(
            Effect.timeout(settings.timeout),
            Effect.catchCause((cause) =>
              Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : fail(task, failureOf(cause), cause)
            )
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
          const leaseUntil = DateTime.addDuration(now, Duration.times(settings.timeout, 2))
          const tasks = yield* store.claim(now, leaseUntil, limit, owner)
          yield* Effect.forEach(tasks, process, { concurrency: "unbounded", discard: true })
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

        const sweep = Effect.gen(function* () {
          const before = DateTime.subtractDuration(yield* DateTime.now, settings.retention)
          while ((yield* store.sweep(before, sweepBatch)) === sweepBatch) yield* Effect.yieldNow
        }).pipe(
          Outage.survive("Warn", "Old tasks of the outbox could not be removed"),
          Effect.andThen(Effect.sleep("1 hour")),
          Effect.forever
        )

        return OutboxWorker.of({
          runOnce: take(settings.concurrency),
          drain: drain(settings.concurrency),
          run: Effect.gen(function* () {
            const latch = yield* outbox.listen
            yield* Predecessor.release("tasks", owner, store.release)
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

const noMail = new MailerError({ reason: "transport", cause: new Error("this server sends no mail") })

const setAside = 'A task of the outbox is set aside; "frontdesk outbox retry" has it done again'

/** Which task it is, for the log: nothing of the people it is about. */
const about = ({ id, work }: OutboxTask) =>
  work._tag === "SyncEvent"
    ? { task: id, work: work._tag, event: work.eventId, provider: work.provider }
    : { task: id, work: work._tag, event: work.notification.event.id, mail: work.notification.kind }

/** Whether two states of an event differ in nothing that an outside calendar could show. */
const isSame = (a: CalendarEvent, b: CalendarEvent): boolean =>
  Equal.equals({ ...a, externalCalendars: {} }, { ...b, externalCalendars: {} })

const failureOf = (
  cause: Cause.Cause<CalendarSyncError | MailerError | StorageError | Cause.TimeoutError>
): OutboxFailure => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (error === undefined) return { reason: "defect", isRetryable: true, isOutage: false, retryAfterMillis: null }
  switch (error._tag) {
    case "TimeoutError":
      return { reason: "timeout", isRetryable: true, isOutage: true, retryAfterMillis: null }
    case "StorageError":
      return { reason: "storage", isRetryable: true, isOutage: false, retryAfterMillis: null }
    case "CalendarSyncError":
      return {
        reason: `calendar: ${error.reason}`,
        isRetryable: error.isRetryable,
        isOutage: error.reason === "transport" || error.reason === "rate_limited",
        retryAfterMillis: error.retryAfterMillis
      }
    case "MailerError":
      return {
        reason: `mail: ${error.reason}`,
        isRetryable: error.isRetryable,
        isOutage: false,
        retryAfterMillis: null
      }
  }
}
