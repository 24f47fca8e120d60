import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Timestamp from "../values/Timestamp.ts"
import { AccountStore } from "../access/AccountStore.ts"
import type { CalendarEvent, CalendarEventId } from "../calendar-event/CalendarEvent.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import { Mailer, MailerError, type Notification } from "../mail/Mailer.ts"
import * as InvitationRule from "../mail/InvitationRule.ts"
import * as NotificationRule from "../mail/NotificationRule.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
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
): Effect.fn.Return<MailTask, never, AccountStore | CalendarEventStore | Mailer | OutboxStore | Transaction> {
  const accounts = yield* AccountStore
  const events = yield* CalendarEventStore
  const mailer = yield* Mailer
  const store = yield* OutboxStore
  const transaction = yield* Transaction

  const lock = Effect.fnUntraced(function* ({ event: { accountId, id } }: Notification) {
    return yield* events.findForUpdate({ accountId, teamIds: [] }, { id })
  })

  /** Stores a change of what the customer knows; nothing is raised, and `updatedAt` stays. */
  const change = Effect.fnUntraced(function* (
    notification: Notification,
    rule: (event: CalendarEvent) => CalendarEvent
  ) {
    const event = yield* lock(notification)
    if (Option.isNone(event)) return
    const changed = rule(event.value)
    if (changed !== event.value) yield* events.update(changed)
  })

  /** What the mail says; stored is what its receiver may know from now on. None when there is nothing to say any more. */
  const begin = Effect.fnUntraced(function* (notification: Notification) {
    const event = yield* lock(notification)
    const current = NotificationRule.current(notification, event, yield* DateTime.now)
    // Another node may have mail, or this one soon again: what was promised to a customer is not dropped.
    if (Option.isSome(current) && !mailer.enabled) return yield* noMail
    if (Option.isNone(event)) return Option.none()
    const before = event.value
    const changed = Option.match(current, {
      onNone: () => InvitationRule.drop(notification, before),
      onSome: ({ kind }) => InvitationRule.begin(kind, before)
    })
    if (changed !== before) yield* events.update(changed)
    return Option.map(current, (content) => ({ content, before, isChanged: changed !== before }))
  }, transaction.run)

  const send = Effect.fnUntraced(function* (notification: Notification) {
    const account = yield* accounts.find(notification.event.accountId)
    // Nobody is written to in the name of an account that is gone.
    if (Option.isNone(account)) return
    const begun = yield* begin(notification)
    if (Option.isNone(begun)) return
    const { before, content, isChanged } = begun.value
    const { name, settings } = account.value
    yield* mailer
      .send({ ...content, account: { name, timeZone: settings.timeZone } })
      .pipe(
        Effect.tapError((error) =>
          isChanged && !error.mayHaveArrived
            ? transaction.run(change(notification, (event) => InvitationRule.undo(before, event)))
            : Effect.void
        )
      )
    yield* transaction.run(change(notification, (event) => InvitationRule.end(content.kind, content.event, event)))
  })

  /** The events of which a mail is under way. */
  const mailed = new Set<CalendarEventId>()

  return Effect.fnUntraced(function* (task, notification) {
    const { id } = notification.event
    if (mailed.has(id)) return yield* store.postpone(task, Timestamp.after(yield* DateTime.now, pause))
    mailed.add(id)
    yield* Effect.andThen(send(notification), store.complete(task)).pipe(
      Effect.ensuring(Effect.sync(() => mailed.delete(id)))
    )
  })
})

const noMail = new MailerError({ reason: "transport", cause: new Error("this server sends no mail") })
