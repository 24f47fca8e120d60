import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as Acting from "../audit/Acting.ts"
import * as LogEvent from "../values/LogEvent.ts"
import type { AccountStore } from "../access/AccountStore.ts"
import type { MemberStore } from "../access/MemberStore.ts"
import type { SignInLinkStore } from "../access/SignInLinkStore.ts"
import type { Crypto } from "../crypto/Crypto.ts"
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
import * as Tracing from "../values/Tracing.ts"
import * as CalendarTask from "../outbox/CalendarTask.ts"
import * as MailTask from "../outbox/MailTask.ts"
import { Outbox } from "../outbox/Outbox.ts"
import * as OutboxFailure from "../outbox/OutboxFailure.ts"
import * as OutboxPlaces from "../outbox/OutboxPlaces.ts"
import * as OutboxPlan from "../outbox/OutboxPlan.ts"
import { OutboxStore } from "../outbox/OutboxStore.ts"
import * as SignInMailTask from "../people/SignInMailTask.ts"
import { eventIdOf, lineOf, type OutboxTask, type OutboxWork } from "../outbox/OutboxTask.ts"

/** The settings of the outbox worker. */
export interface OutboxSettings {
  readonly plan: OutboxPlan.OutboxPlan
  /**
   * The maximum number of tasks that the worker does at once. One line of an account may have at most half of the
   * places (D-OUT-10).
   */
  readonly concurrency: number
  /** The timeout of one task. A task that takes longer has failed and is retried. */
  readonly timeout: Duration.Duration
  /** Poll interval: how often the worker looks for due tasks without a signal. */
  readonly poll: Duration.Duration
  /** How long dead-lettered tasks are stored (D-OUT-6). */
  readonly retention: Duration.Duration
}

/** The settings of an outbox worker for which a program provides no others. */
export const defaultSettings: OutboxSettings = {
  plan: OutboxPlan.defaultPlan,
  concurrency: 16,
  timeout: Duration.seconds(30),
  poll: Duration.seconds(5),
  retention: Duration.days(30)
}

/** The settings in use; {@link defaultSettings} unless a program provides others. */
export const CurrentOutboxSettings = Context.Reference<OutboxSettings>(
  "@frontdesk/core/worker/OutboxWorker/CurrentOutboxSettings",
  { defaultValue: () => defaultSettings }
)

/**
 * Does the tasks of the outbox: writes calendar events to external calendars and mails customers.
 *
 * Each task is done at least once. When a process dies, another process claims its tasks after their lease. A process
 * with the same name (`DeliverySettings.owner`) recovers the leases when it starts.
 *
 * A failure that may pass is retried by the plan. A task is dead-lettered after any other failure, and after too many
 * claims without a result. A write to an unreachable external calendar is retried until the calendar event has ended
 * (D-EXT-14).
 */
export class OutboxWorker extends Context.Service<
  OutboxWorker,
  {
    /** Claims due tasks and does them. Returns how many it claimed; 0 when none is due. */
    readonly runOnce: Effect.Effect<number, StorageError>
    /** Repeats `runOnce` until no task is due. */
    readonly drain: Effect.Effect<void, StorageError>
    /**
     * Does due tasks until it is interrupted. Then it finishes the tasks that it has begun before it ends, as `runOnce`
     * and `drain` do. A failure of the store is logged and retried. Once an hour it deletes old dead-lettered tasks.
     */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/OutboxWorker") {
  /** The worker, which does nothing until one of its members runs. Reads `CurrentOutboxSettings` once. */
  static readonly layer: Layer.Layer<
    OutboxWorker,
    never,
    | AccountStore
    | AuditStore
    | OutboxStore
    | Outbox
    | CalendarEventStore
    | CalendarSync
    | Mailer
    | MemberStore
    | SignInLinkStore
    | Crypto
    | Transaction
  > = Layer.effect(
    OutboxWorker,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const settings = yield* CurrentOutboxSettings
      const events = yield* CalendarEventStore
      const outbox = yield* Outbox
      const store = yield* OutboxStore
      const transaction = yield* Transaction
      const { owner } = yield* CurrentDeliverySettings

      const sync = yield* CalendarTask.make
      const failed = yield* CalendarTask.makeFailed
      const mail = yield* MailTask.make(settings.poll)
      const signIn = yield* SignInMailTask.make

      const perform = (task: OutboxTask): Effect.Effect<void, CalendarSyncError | MailerError | StorageError> => {
        switch (task.work._tag) {
          case "SyncEvent":
            return sync(task, task.work)
          case "Notify":
            return mail(task, task.work.notification)
          case "SignIn":
            return signIn(task, task.work)
        }
      }

      /**
       * Returns whether a late write to an external calendar is still useful, because the calendar event has not
       * ended.
       */
      const isStillUseful = Effect.fnUntraced(function* (work: OutboxWork, now: DateTime.Utc) {
        if (work._tag !== "SyncEvent") return false
        return Option.exists(yield* events.findAnywhere({ id: work.eventId }), ({ endTime }) =>
          DateTime.isGreaterThan(endTime, now)
        )
      })

      // A new task has no claims. With the claims of the old one it would soon be dead-lettered as a task without a
      // result.
      const restart = (task: OutboxTask, dueAt: DateTime.Utc) =>
        transaction.run(Effect.andThen(store.add(task.accountId, [task.work], dueAt), store.complete(task)))

      /** Dead-letters a task. A write to an external calendar also gets the status `failed` on its calendar event. */
      const deadLetter = Effect.fnUntraced(function* (task: OutboxTask, reason: string, now: DateTime.Utc) {
        const isDeadLettered = yield* store.deadLetter(task, reason, now)
        if (task.work._tag === "SyncEvent") yield* failed(task.work)
        if (isDeadLettered)
          yield* audit.record("tasks.deadLetter", auditedOf(task), FieldChanges.facts(factsOf(task, reason)))
      }, transaction.run)

      const fail = Effect.fnUntraced(function* (task: OutboxTask, cause: OutboxFailure.TaskCause) {
        const failure = OutboxFailure.fromCause(cause)
        const now = yield* DateTime.now
        const retryAt = OutboxPlan.retryAt(task.attempts, failure, now, settings.plan)
        const possible = retryAt === null ? OutboxPlan.restartAt(failure, now, settings.plan) : null
        const restartAt = possible !== null && (yield* isStillUseful(task.work, now)) ? possible : null
        const isDeadLettered = retryAt === null && restartAt === null
        yield* Outage.log(
          "Warn",
          isDeadLettered ? deadLettered : "A task of the outbox has failed, and is retried",
          cause,
          { ...about(task), reason: failure.reason }
        ).pipe(LogEvent.annotate(isDeadLettered ? "task.dead_lettered" : "task.retried"))
        if (retryAt !== null) yield* store.retryAt(task, retryAt)
        else if (restartAt !== null) yield* restart(task, restartAt)
        else yield* deadLetter(task, failure.reason, now)
      })

      const endWithoutResult = Effect.fnUntraced(function* (task: OutboxTask) {
        const reason = "no try came to a result"
        yield* Effect.logWarning(deadLettered, { ...about(task), reason }).pipe(LogEvent.annotate("task.dead_lettered"))
        yield* deadLetter(task, reason, yield* DateTime.now)
      })

      const postpone = (task: OutboxTask) =>
        Effect.flatMap(DateTime.now, (now) => store.postpone(task, now)).pipe(Outage.survive("Warn", taskNotUpdated))

      const process = Tracing.operation("OutboxWorker.process")(
        function* (task: OutboxTask, lease: Lease.Lease) {
          // The process was paused after its claim. Another process may have claimed the task, and it must not be done
          // twice (D-OUT-1).
          if (!lease.hasTime()) return yield* postpone(task)
          const tried = perform(task).pipe(
            Effect.timeout(settings.timeout),
            Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : fail(task, cause)))
          )
          yield* (OutboxPlan.isExhausted(task.attempts, settings.plan) ? endWithoutResult(task) : tried).pipe(
            Outage.survive("Warn", taskNotUpdated)
          )
        },
        Acting.by("worker", "outbox")
      )

      const places = OutboxPlaces.make(settings.concurrency)

      /** Claims up to `limit` tasks, which have places from then on. Returns an effect for each that does it. */
      const claim = Effect.fnUntraced(function* (limit: number) {
        const now = yield* DateTime.now
        // The lease is longer than the task: after the timeout the worker only writes the result.
        const length = Duration.times(settings.timeout, 2)
        const lease = yield* Lease.begin(now, { length, timeout: settings.timeout })
        const tasks = yield* store.claim(now, Timestamp.after(now, length), limit, owner, places.taken())
        return tasks.map((task) => {
          const free = places.take(task)
          return Effect.ensuring(process(task, lease), Effect.sync(free))
        })
      })

      // An interrupted task may have been done and would be done again. So a stop waits for it, at most for the timeout
      // (D-OUT-5).
      const runOnce = claim(settings.concurrency).pipe(
        Effect.flatMap((tasks) => Effect.as(Effect.all(tasks, { concurrency: "unbounded" }), tasks.length)),
        Effect.uninterruptible
      )

      const drain: Effect.Effect<void, StorageError> = Effect.flatMap(runOnce, (count) =>
        count === 0 ? Effect.void : drain
      )

      /** Begins due tasks while there are places. Each task that ends opens the latch, because its place is free. */
      const begin = (latch: Latch.Latch): Effect.Effect<void, StorageError, Scope.Scope> =>
        Effect.suspend(() => (places.free() === 0 ? Effect.succeed([]) : claim(places.free()))).pipe(
          Effect.tap((tasks) =>
            Effect.forEach(
              tasks,
              (task) =>
                Effect.forkScoped(Effect.uninterruptible(Effect.ensuring(task, latch.open)), {
                  startImmediately: true
                }),
              { discard: true }
            )
          ),
          Effect.uninterruptible,
          Effect.flatMap((tasks) => (tasks.length === 0 ? Effect.void : begin(latch)))
        )

      const loop = (latch: Latch.Latch) =>
        Effect.andThen(latch.close, begin(latch)).pipe(
          Outage.survive("Warn", "The outbox could not be read, and is read again later"),
          Effect.andThen(Signal.wait(latch, Option.none(), settings.poll)),
          Effect.forever
        )

      const sweep = Loop.forever(
        Effect.gen(function* () {
          const before = Timestamp.before(yield* DateTime.now, settings.retention)
          yield* Steps.sweepBefore(before, store.sweep)
        }),
        {
          pause: Duration.hours(1),
          level: "Warn",
          failure: "Old dead-lettered tasks of the outbox could not be deleted"
        }
      )

      return OutboxWorker.of({
        runOnce,
        drain,
        run: Effect.gen(function* () {
          const latch = yield* outbox.listen
          yield* LeaseRecovery.release("tasks", owner, store.release)
          yield* Effect.all([loop(latch), sweep], { concurrency: "unbounded", discard: true })
          return yield* Effect.never
        }).pipe(Effect.scoped)
      })
    })
  )
}

const auditedOf = ({ accountId, id }: OutboxTask) => ({ accountId, type: "task" as const, id })

/** Returns what the audit log states of a dead-lettered task: its kind, its calendar event, and why it was given up. */
const factsOf = ({ work }: OutboxTask, reason: string) => ({ kind: lineOf(work), event_id: eventIdOf(work), reason })

const deadLettered = 'A task of the outbox is dead-lettered; "frontdesk outbox retry" retries it'

const taskNotUpdated = "A task of the outbox could not be updated, and is due again when its lease ends"

/** Returns the properties that identify a task in the log, without personal data. */
const about = ({ id, work }: OutboxTask) => {
  switch (work._tag) {
    case "SyncEvent":
      return { task: id, work: work._tag, event: work.eventId, provider: work.provider }
    case "Notify":
      return { task: id, work: work._tag, event: work.notification.event.id, mail: work.notification.kind }
    case "SignIn":
      return { task: id, work: work._tag, member: work.memberId, mail: work.kind }
  }
}
