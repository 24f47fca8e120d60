import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Timestamp from "../values/Timestamp.ts"
import { AccountStore } from "../access/AccountStore.ts"
import type { EventId } from "../calendar/CalendarEvent.ts"
import { CalendarEventStore } from "../calendar/CalendarEventStore.ts"
import { Mailer, MailerError, type Notification } from "../notify/Mailer.ts"
import * as NotificationRule from "../notify/NotificationRule.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { OutboxStore } from "./OutboxStore.ts"
import type { OutboxTask } from "./OutboxTask.ts"

/** Mails a customer what still holds, and completes the task. */
export type MailTask = (task: OutboxTask, notification: Notification) => Effect.Effect<void, MailerError | StorageError>

/**
 * Mails through the `Mailer` of its context. In this process one mail of an event is sent at a time: of two side by side
 * the older one could come last. The other one waits untried.
 *
 * @param pause how long it waits
 */
export const make = Effect.fnUntraced(function* (
  pause: Duration.Duration
): Effect.fn.Return<MailTask, never, AccountStore | CalendarEventStore | Mailer | OutboxStore> {
  const accounts = yield* AccountStore
  const events = yield* CalendarEventStore
  const mailer = yield* Mailer
  const store = yield* OutboxStore

  const send = Effect.fnUntraced(function* (notification: Notification) {
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

  return Effect.fnUntraced(function* (task, notification) {
    const { id } = notification.event
    if (mailed.has(id)) return yield* store.putBack(task, Timestamp.after(yield* DateTime.now, pause))
    mailed.add(id)
    yield* Effect.andThen(send(notification), store.complete(task)).pipe(
      Effect.ensuring(Effect.sync(() => mailed.delete(id)))
    )
  })
})

const noMail = new MailerError({ reason: "transport", cause: new Error("this server sends no mail") })
