import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Mailer } from "../notify/Mailer.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { EventPublisher } from "../webhook/EventPublisher.ts"
import { type CalendarEvent, hasContactData } from "./CalendarEvent.ts"
import { CalendarEventStore, type EventKey } from "./CalendarEventStore.ts"
import * as ReminderRule from "./ReminderRule.ts"
import { type DueReminder, ReminderStore } from "./ReminderStore.ts"

const batch = 50
const pause = "10 seconds"

const notSent = (error: unknown) =>
  Effect.as(Effect.logWarning("A reminder could not be sent and is tried again", error), 0)

const notRead = (error: unknown) =>
  Effect.as(Effect.logWarning("Reminders could not be read and are tried again", error), 0)

/** Sends the reminders of events when they are due (Decisions 7). */
export class Reminders extends Context.Service<
  Reminders,
  {
    /**
     * Sends what is due now, the longest due first, and answers how many it dealt with; 0 when nothing is due.
     *
     * A reminder raises `calendar.reminder`, and is mailed to the customer if `send_notifications` was on at creation.
     * Both are written in the transaction that marks it sent. One whose event has changed is not sent but put right;
     * one that fails is passed over and stays due.
     */
    readonly runOnce: Effect.Effect<number, StorageError>
    /** Sends reminders for as long as it runs; a failing store is tried again. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/calendar/Reminders") {
  /** The service on the stores. */
  static readonly layer: Layer.Layer<
    Reminders,
    never,
    ReminderStore | CalendarEventStore | Transaction | EventPublisher | Outbox | Mailer
  > = Layer.effect(
    Reminders,
    Effect.gen(function* () {
      const events = yield* CalendarEventStore
      const mailer = yield* Mailer
      const outbox = yield* Outbox
      const publisher = yield* EventPublisher
      const reminders = yield* ReminderStore
      const transaction = yield* Transaction

      const tell = Effect.fnUntraced(function* (event: CalendarEvent) {
        yield* publisher.publish({ name: "calendar.reminder", event })
        if (mailer.enabled && event.notifyOnCancel && hasContactData(event)) {
          yield* outbox.add([{ _tag: "Notify", notification: { kind: "reminder", event } }])
        }
      })

      /** The event, held: no change of it comes between the rule and the mark. */
      const hold = Effect.fnUntraced(function* (key: EventKey) {
        const event = yield* events.findAnywhere(key)
        if (Option.isNone(event)) return event
        return yield* events.findForUpdate({ accountId: event.value.accountId, teamIds: [] }, key)
      })

      const send = Effect.fn("Reminders.send")(function* (reminder: DueReminder) {
        const event = yield* hold({ id: reminder.eventId })
        const now = yield* DateTime.now
        const wanted = Option.flatMap(event, (event) => ReminderRule.dueAt(event, now))
        if (Option.isNone(event) || Option.isNone(wanted)) yield* reminders.drop(reminder.eventId)
        else if (!DateTime.Equivalence(wanted.value, reminder.dueAt)) {
          yield* reminders.schedule(reminder.eventId, wanted.value)
        } else if (yield* reminders.markSent(reminder)) yield* tell(event.value)
      }, transaction.run)

      const runOnce = Effect.gen(function* () {
        const now = yield* DateTime.now
        let total = 0
        // From page to page, so that those that fail each time never fill the only page that is read.
        let due = yield* reminders.due(now, batch)
        for (let last = due.at(-1); last !== undefined; last = due.at(-1)) {
          const dealtWith = yield* Effect.forEach(due, (reminder) =>
            send(reminder).pipe(
              Effect.as(1),
              // One that cannot be sent does not hold up the others, not even when it meets a bug.
              Effect.catch(notSent),
              Effect.catchDefect(notSent)
            )
          )
          yield* Effect.andThen(publisher.nudge, outbox.nudge)
          total += dealtWith.reduce<number>((sum, one) => sum + one, 0)
          due = yield* reminders.due(now, batch, last)
        }
        return total
      })

      const run = runOnce.pipe(
        Effect.catch(notRead),
        Effect.catchDefect(notRead),
        Effect.tap((count) => (count === 0 ? Effect.sleep(pause) : Effect.void)),
        Effect.forever
      )

      return Reminders.of({ runOnce, run })
    })
  )
}
