import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Mailer } from "../mail/Mailer.ts"
import { Outbox } from "../outbox/Outbox.ts"
import * as Outage from "../storage/Outage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { CalendarLinks } from "../calendar-event/CalendarLinks.ts"
import * as CalendarWebhookEvent from "../calendar-event/CalendarWebhookEvent.ts"
import { WebhookEventPublisher } from "../webhook-event/WebhookEventPublisher.ts"
import * as Signal from "../background/Signal.ts"
import type { CalendarEvent } from "../calendar-event/CalendarEvent.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import * as CalendarEventMail from "../mail/CalendarEventMail.ts"
import * as ReminderMetrics from "../reminder/ReminderMetrics.ts"
import * as ReminderRule from "../reminder/ReminderRule.ts"
import { poll, ReminderSignal } from "../reminder/ReminderSignal.ts"
import { type DueReminder, ReminderStore } from "../reminder/ReminderStore.ts"
import * as Tracing from "../values/Tracing.ts"

/** The number of due reminders that are read at once. */
const pageSize = 50

/** Sends the reminders of calendar events when they are due (D-REM-1). */
export class ReminderWorker extends Context.Service<
  ReminderWorker,
  {
    /**
     * Sends the reminders that are due now, the earliest due time first. Returns how many were sent, rescheduled or
     * dropped.
     *
     * A reminder publishes `calendar.reminder`. If the calendar event was created with `send_notifications`, it is also
     * mailed to a customer with an address. Webhook event and mail are stored in the transaction that marks the
     * reminder as sent. When the calendar event has changed, the reminder is rescheduled or dropped instead. A reminder
     * that fails is logged and stays due.
     *
     * Several nodes share the due reminders: each claims those that no other node is sending (D-REM-8).
     */
    readonly runOnce: Effect.Effect<number, StorageError>
    /**
     * Sends each reminder when it is due, until it is interrupted. A reminder that fails is retried at the next poll
     * (D-REM-4), and so is a read that fails.
     */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/ReminderWorker") {
  /** The worker on the stores. */
  static readonly layer: Layer.Layer<
    ReminderWorker,
    never,
    ReminderStore | CalendarEventStore | Transaction | CalendarLinks | WebhookEventPublisher | Outbox | Mailer
  > = Layer.effect(
    ReminderWorker,
    Effect.gen(function* () {
      const events = yield* CalendarEventStore
      const mailer = yield* Mailer
      const outbox = yield* Outbox
      const links = yield* CalendarLinks
      const publisher = yield* WebhookEventPublisher
      const reminders = yield* ReminderStore
      const signal = yield* ReminderSignal
      const transaction = yield* Transaction

      const publishReminder = Effect.fnUntraced(function* (event: CalendarEvent) {
        yield* publisher.publish(CalendarWebhookEvent.make("calendar.reminder", event, links))
        if (mailer.enabled && ReminderRule.isMailed(event)) {
          yield* outbox.add(event.accountId, [{ _tag: "Notify", notification: CalendarEventMail.reminder(event) }])
        }
      })

      /**
       * Sends a claimed reminder, or reschedules or drops it if it does not fit its calendar event. Does nothing when
       * another process has sent it.
       */
      const send = Tracing.operation("ReminderWorker.send")(function* (
        reminder: DueReminder
      ): Effect.fn.Return<Outcome, StorageError> {
        const event = yield* events.findAnywhere({ id: reminder.eventId })
        const now = yield* DateTime.now
        // The clock may have been set back since the reminder was read as due.
        if (DateTime.isGreaterThan(reminder.dueAt, now)) return nothingDone
        const wanted = Option.flatMap(event, (event) => ReminderRule.dueAt(event, now))
        if (Option.isSome(event) && Option.exists(wanted, (due) => DateTime.Equivalence(due, reminder.dueAt))) {
          const isSent = yield* reminders.markSent(reminder, event.value.startTime)
          if (!isSent) return nothingDone
          yield* publishReminder(event.value)
          return { ...done, sent: event }
        }
        const reminded = yield* reminders.reminded(reminder.eventId)
        // Another program has changed the calendar event without planning its reminder.
        yield* Option.match(
          Option.flatMap(event, (event) => ReminderRule.next(event, reminded, now)),
          {
            onNone: () => reminders.drop(reminder.eventId),
            onSome: (dueAt) => reminders.schedule(reminder.eventId, dueAt)
          }
        )
        return done
      })

      /**
       * Claims one of the due reminders and handles it, in one transaction. Returns the reminder and its outcome, or none
       * when none could be claimed. A failure or a defect after the claim is logged, so that the others are still sent.
       */
      const claimAndSend = Effect.fnUntraced(function* (
        now: DateTime.Utc,
        due: ReadonlyArray<DueReminder>,
        waits: boolean
      ) {
        let claimed = Option.none<DueReminder>()
        const outcome = yield* Effect.gen(function* () {
          claimed = yield* reminders.claim(now, due, waits)
          return Option.isSome(claimed) ? yield* send(claimed.value) : nothingDone
        }).pipe(
          transaction.run,
          Effect.catch((error) => (Option.isSome(claimed) ? notSent(error) : Effect.fail(error))),
          Effect.catchDefect((defect) => (Option.isSome(claimed) ? notSent(defect) : Effect.die(defect)))
        )
        if (Option.isNone(claimed)) return Option.none()
        if (Option.isSome(outcome.sent)) yield* measure(claimed.value, outcome.sent.value)
        return Option.some({ reminder: claimed.value, outcome })
      })

      const measure = Effect.fnUntraced(function* (reminder: DueReminder, event: CalendarEvent) {
        const wantedAt = DateTime.max(reminder.dueAt, event.updatedAt)
        yield* ReminderMetrics.reminderSent(wantedAt, yield* DateTime.now)
      })

      /**
       * Handles the due reminders, except those in `failed` that rest. Returns how many, and whether some could not be
       * claimed. Adds new failures to `failed`.
       */
      const pass = Effect.fnUntraced(function* (now: DateTime.Utc, failed: Failed, waits: boolean) {
        let total = 0
        let wereSkipped = false
        // Page by page: reminders that always fail could otherwise fill the first page and block all others.
        let due = yield* reminders.due(now, pageSize)
        for (let last = due.at(-1); last !== undefined; last = due.at(-1)) {
          let open = due.filter((reminder) => !isResting(failed, reminder, now))
          while (open.length > 0) {
            const handled = yield* claimAndSend(now, open, waits)
            if (Option.isNone(handled)) break
            const { outcome, reminder } = handled.value
            if (outcome.isDone) total += 1
            if (outcome.hasFailed) failed.set(reminder.eventId, { reminder, at: now })
            open = open.filter(({ eventId }) => eventId !== reminder.eventId)
          }
          wereSkipped ||= open.length > 0
          yield* Effect.andThen(publisher.notify, outbox.notify)
          due = yield* reminders.due(now, pageSize, last)
        }
        return { total, wereSkipped }
      })

      /** Handles the due reminders, except those in `failed` that rest. Returns how many, and adds new failures. */
      const work = Effect.fnUntraced(function* (now: DateTime.Utc, failed: Failed) {
        const first = yield* pass(now, failed, false)
        if (!first.wereSkipped) return first.total
        // Other nodes have sent most of the skipped reminders. Those that are left wait for a node or a request that
        // still locks their calendar event, and must not wait until the next poll (D-REM-8).
        const second = yield* pass(now, failed, true)
        return first.total + second.total
      })

      const run = Effect.gen(function* () {
        const latch = yield* signal.listen
        const failed: Failed = new Map()
        const step = Effect.gen(function* () {
          latch.closeUnsafe()
          const now = yield* DateTime.now
          for (const { reminder } of failed.values()) {
            if (!isResting(failed, reminder, now)) failed.delete(reminder.eventId)
          }
          yield* work(now, failed)
          return yield* reminders.nextDue(now)
        }).pipe(
          Effect.catch(notRead),
          Effect.catchDefect(notRead),
          Effect.flatMap((nextDue) => Signal.wait(latch, nextDue, poll))
        )
        return yield* Effect.forever(step)
      }).pipe(Effect.scoped)

      return ReminderWorker.of({
        runOnce: Effect.flatMap(DateTime.now, (now) => work(now, new Map())),
        run
      })
    })
  ).pipe(Layer.provide(ReminderSignal.layer))
}

/** Reminders that could not be sent, with the time of the failure, by the id of their calendar event. */
type Failed = Map<CalendarEvent["id"], { readonly reminder: DueReminder; readonly at: DateTime.Utc }>

/**
 * Returns whether a reminder failed less than a poll interval ago and is not retried yet. It is retried at once when
 * the clock was set back, because it would otherwise rest for longer.
 */
const isResting = (failed: Failed, { dueAt, eventId }: DueReminder, now: DateTime.Utc): boolean => {
  const failure = failed.get(eventId)
  if (failure === undefined || !DateTime.Equivalence(failure.reminder.dueAt, dueAt)) return false
  const since = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(failure.at)
  return since >= 0 && since < Duration.toMillis(poll)
}

/** What has become of a claimed reminder. */
interface Outcome {
  /** Whether it was sent, rescheduled or dropped. */
  readonly isDone: boolean
  readonly hasFailed: boolean
  /** The calendar event of a reminder that was sent. */
  readonly sent: Option.Option<CalendarEvent>
}

const done: Outcome = { isDone: true, hasFailed: false, sent: Option.none() }

/** The outcome of a reminder that another process has sent, or that is not due after all. */
const nothingDone: Outcome = { isDone: false, hasFailed: false, sent: Option.none() }

const notSent = (error: unknown): Effect.Effect<Outcome> =>
  Effect.as(Outage.log("Warn", "A reminder could not be sent, and is retried", error), {
    ...nothingDone,
    hasFailed: true
  })

const notRead = (error: unknown) =>
  Effect.as(
    Outage.log("Warn", "Due reminders could not be read, and are read again later", error),
    Option.none<DateTime.Utc>()
  )
