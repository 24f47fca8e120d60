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
import * as WaitingMail from "../mail/WaitingMail.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { OutboxStore } from "./OutboxStore.ts"
import type { OutboxTask } from "./OutboxTask.ts"

/** A function that sends a mail if it is still valid, and completes the task. */
export type MailTask = (task: OutboxTask, notification: Notification) => Effect.Effect<void, MailerError | StorageError>

/**
 * Makes the function over the `Mailer` of the context. The process sends one mail of an event at a time, because the older
 * of two mails that are sent together could arrive last (D-MAIL-5). A second task of the same event is postponed, which
 * does not count as an attempt.
 *
 * @param pause how long the second task is postponed
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

  /** Stores a change of the invitation. This raises no webhook event and leaves `updatedAt` as it is. */
  const change = Effect.fnUntraced(function* (
    notification: Notification,
    rule: (event: CalendarEvent) => CalendarEvent
  ) {
    const event = yield* lock(notification)
    if (Option.isNone(event)) return
    const changed = rule(event.value)
    if (changed !== event.value) yield* events.update(changed)
  })

  /**
   * Stores what the recipient may know from now on, and returns the mail. Returns none when the mail is no longer
   * valid.
   */
  const begin = Effect.fnUntraced(function* (notification: Notification) {
    const event = yield* lock(notification)
    const current = WaitingMail.current(notification, event, yield* DateTime.now)
    // The task must wait, because another node may send mail, or this one after a change of its settings (D-MAIL-8).
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
    // A deleted account sends no mail.
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

  /** The ids of the events about which this process is sending a mail. */
  const sending = new Set<CalendarEventId>()

  return Effect.fnUntraced(function* (task, notification) {
    const { id } = notification.event
    if (sending.has(id)) return yield* store.postpone(task, Timestamp.after(yield* DateTime.now, pause))
    sending.add(id)
    yield* Effect.andThen(send(notification), store.complete(task)).pipe(
      Effect.ensuring(Effect.sync(() => sending.delete(id)))
    )
  })
})

const noMail = new MailerError({ reason: "transport", cause: new Error("this server sends no mail") })
