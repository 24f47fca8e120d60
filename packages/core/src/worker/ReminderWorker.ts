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
import type { CalendarEventKey } from "../calendar-event/CalendarEventKey.ts"
import * as CalendarEventMail from "../mail/CalendarEventMail.ts"
import * as ReminderMetrics from "../reminder/ReminderMetrics.ts"
import * as ReminderRule from "../reminder/ReminderRule.ts"
import { poll, ReminderSignal } from "../reminder/ReminderSignal.ts"
import { type DueReminder, ReminderStore } from "../reminder/ReminderStore.ts"

/** How many are read at once. */
const batch = 50

/** Sends the reminders of events when they are due (D-REM-1). */
export class ReminderWorker extends Context.Service<
  ReminderWorker,
  {
    /**
     * Sends what is due now, the longest due first, and answers how many it dealt with; 0 when nothing is due.
     *
     * A reminder raises `calendar.reminder`, and is mailed to the customer if `send_notifications` was on at creation.
     * Both are written in the transaction that marks it sent. One whose event has changed is not sent but put right;
     * one that fails is passed over and stays due.
     */
    readonly runOnce: Effect.Effect<number, StorageError>
    /**
     * Sends reminders for as long as it runs, each when it is due. One that fails, and a store that fails, is tried
     * again at the next poll.
     */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/ReminderWorker") {
  /** The service on the stores. */
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

      const tell = Effect.fnUntraced(function* (event: CalendarEvent) {
        yield* publisher.publish(CalendarWebhookEvent.make("calendar.reminder", event, links))
        if (mailer.enabled && ReminderRule.isMailed(event)) {
          yield* outbox.add([{ _tag: "Notify", notification: CalendarEventMail.reminder(event) }])
        }
      })

      /** The event, held: no change of it comes between the rule and the mark. */
      const hold = Effect.fnUntraced(function* (key: CalendarEventKey) {
        const event = yield* events.findAnywhere(key)
        if (Option.isNone(event)) return event
        return yield* events.findForUpdate({ accountId: event.value.accountId, teamIds: [] }, key)
      })

      /** The event as it was reminded of; none when nothing was sent. */
      const send = Effect.fn("ReminderWorker.send")(function* (reminder: DueReminder) {
        const event = yield* hold({ id: reminder.eventId })
        const now = yield* DateTime.now
        // The clock may have been set back since it was read as due.
        if (DateTime.isGreaterThan(reminder.dueAt, now)) return Option.none<CalendarEvent>()
        const wanted = Option.flatMap(event, (event) => ReminderRule.dueAt(event, now))
        if (Option.isSome(event) && Option.exists(wanted, (due) => DateTime.Equivalence(due, reminder.dueAt))) {
          const isSent = yield* reminders.markSent(reminder, event.value.startTime)
          if (isSent) yield* tell(event.value)
          return Option.filter(event, () => isSent)
        }
        const reminded = yield* reminders.reminded(reminder.eventId)
        // The event was changed by another program, which planned no reminder.
        yield* Option.match(
          Option.flatMap(event, (event) => ReminderRule.next(event, reminded, now)),
          {
            onNone: () => reminders.drop(reminder.eventId),
            onSome: (dueAt) => reminders.schedule(reminder.eventId, dueAt)
          }
        )
        return Option.none<CalendarEvent>()
      }, transaction.run)

      /**
       * Whether it was dealt with. One that cannot be sent does not hold up the others, not even when it meets a bug.
       */
      const attempt = Effect.fnUntraced(
        function* (reminder: DueReminder) {
          const event = yield* send(reminder)
          if (Option.isSome(event)) {
            const wantedAt = DateTime.max(reminder.dueAt, event.value.updatedAt)
            yield* ReminderMetrics.wasSent(wantedAt, yield* DateTime.now)
          }
          return true
        },
        Effect.catch(notSent),
        Effect.catchDefect(notSent)
      )

      /** Deals with what is due now, but for what has failed a short while ago; answers with how many. */
      const work = Effect.fnUntraced(function* (now: DateTime.Utc, failed: Failed) {
        let total = 0
        // From page to page, so that those that fail each time never fill the only page that is read.
        let due = yield* reminders.due(now, batch)
        for (let last = due.at(-1); last !== undefined; last = due.at(-1)) {
          for (const reminder of due) {
            if (isResting(failed, reminder, now)) continue
            const isDone = yield* attempt(reminder)
            if (isDone) total += 1
            else failed.set(reminder.eventId, { reminder, at: now })
          }
          yield* Effect.andThen(publisher.notify, outbox.notify)
          due = yield* reminders.due(now, batch, last)
        }
        return total
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

/** Reminders that could not be sent, by event, and when they were tried. */
type Failed = Map<CalendarEvent["id"], { readonly reminder: DueReminder; readonly at: DateTime.Utc }>

/** Whether the reminder failed so short a while ago that it is not tried yet; a clock that was set back is no reason. */
const isResting = (failed: Failed, { dueAt, eventId }: DueReminder, now: DateTime.Utc): boolean => {
  const failure = failed.get(eventId)
  if (failure === undefined || !DateTime.Equivalence(failure.reminder.dueAt, dueAt)) return false
  const since = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(failure.at)
  return since >= 0 && since < Duration.toMillis(poll)
}

const notSent = (error: unknown) =>
  Effect.as(Outage.log("Warn", "A reminder could not be sent and is tried again", error), false)

const notRead = (error: unknown) =>
  Effect.as(Outage.log("Warn", "Reminders could not be read and are tried again", error), Option.none<DateTime.Utc>())
