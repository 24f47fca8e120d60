import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Timestamp from "../values/Timestamp.ts"
import { Mailer } from "../mail/Mailer.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { OutboxWork } from "../outbox/OutboxTask.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { CurrentConcurrency } from "../storage/Transaction.ts"
import { type Publish, WebhookEventPublisher } from "../webhook-event/WebhookEventPublisher.ts"
import type { CalendarEvent, CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import type { EffectFlags } from "../calendar-event/CalendarEventFlags.ts"
import type { CalendarWebhookEventName } from "../calendar-event/CalendarWebhookEventName.ts"
import * as CalendarWebhookEvent from "../calendar-event/CalendarWebhookEvent.ts"
import { CalendarLinks } from "../calendar-event/CalendarLinks.ts"
import { CalendarSync } from "../external-calendar/CalendarSync.ts"
import * as CalendarEventEffects from "./CalendarEventEffects.ts"
import * as ReminderRule from "../reminder/ReminderRule.ts"
import { poll, ReminderSignal } from "../reminder/ReminderSignal.ts"
import { ReminderStore } from "../reminder/ReminderStore.ts"

/** Where a change of a calendar event has effects besides its reminder. */
export interface EffectTargets {
  /** The external calendars to which the change is written. */
  readonly calendars: ReadonlyArray<CalendarProviderKey>
  /** Publishes the webhook event of the change. */
  readonly publish: Publish
  /** Whether the change may be mailed to the customer. */
  readonly notify: boolean
}

/** Stores the effects of a change of a calendar event, which `CalendarEventEffects.plan` returns. */
export class CalendarEventEffectWriter extends Context.Service<
  CalendarEventEffectWriter,
  {
    /**
     * Reads where a change of the account's events has effects. Call it in the transaction of the change.
     *
     * @param name the webhook event of the change (`CalendarWebhookEventName.nameOf`)
     */
    readonly targets: (
      accountId: CalendarEvent["accountId"],
      name: CalendarWebhookEventName,
      flags: EffectFlags
    ) => Effect.Effect<EffectTargets, StorageError>
    /** Stores the effects of a change. Call it in the transaction of the change. */
    readonly write: (
      before: CalendarEvent | null,
      after: CalendarEvent,
      targets: EffectTargets
    ) => Effect.Effect<void, StorageError>
    /** Notifies the workers that carry out the effects of a change. Call it after the transaction. */
    readonly notify: (event: CalendarEvent) => Effect.Effect<void>
  }
>()("@frontdesk/core/calendar/CalendarEventEffectWriter") {
  /** Needs the stores of the effects, and the ports that know which external calendars and mailer are connected. */
  static readonly layer: Layer.Layer<
    CalendarEventEffectWriter,
    never,
    WebhookEventPublisher | CalendarLinks | ReminderStore | Outbox | CalendarSync | Mailer
  > = Layer.effect(
    CalendarEventEffectWriter,
    Effect.gen(function* () {
      const links = yield* CalendarLinks
      const mailer = yield* Mailer
      const outbox = yield* Outbox
      const publisher = yield* WebhookEventPublisher
      const reminders = yield* ReminderStore
      const signal = yield* ReminderSignal
      const sync = yield* CalendarSync

      return CalendarEventEffectWriter.of({
        targets: Effect.fnUntraced(function* (accountId, name, flags) {
          const { connected, publish } = yield* Effect.all(
            {
              connected: flags.sync ? sync.connected(accountId) : Effect.succeed([]),
              publish: publisher.prepare(accountId, name)
            },
            { concurrency: yield* CurrentConcurrency }
          )
          return { calendars: connected.map(({ provider }) => provider), publish, notify: flags.notify }
        }),
        write: Effect.fnUntraced(function* (before, after, targets) {
          const now = yield* DateTime.now
          const effects = CalendarEventEffects.plan({
            before,
            after,
            providers: targets.calendars,
            notify: targets.notify && mailer.enabled,
            now
          })
          const work: Array<OutboxWork> = []
          for (const effect of effects) {
            switch (effect._tag) {
              case "Publish":
                yield* targets.publish(CalendarWebhookEvent.make(effect.name, after, links))
                break
              case "PlanReminder": {
                const reminded = before === null ? [] : yield* reminders.reminded(after.id)
                yield* Option.match(ReminderRule.next(after, reminded, now), {
                  onNone: () => reminders.drop(after.id),
                  onSome: (dueAt) => reminders.schedule(after.id, dueAt)
                })
                break
              }
              case "DropReminder":
                yield* reminders.drop(after.id)
                break
              case "Sync":
                work.push({ _tag: "SyncEvent", provider: effect.provider, eventId: after.id })
                break
              case "Notify":
                work.push({ _tag: "Notify", notification: effect.notification })
                break
            }
          }
          yield* outbox.add(after.accountId, work)
        }),
        notify: Effect.fnUntraced(function* (event) {
          yield* Effect.andThen(publisher.notify, outbox.notify)
          const now = yield* DateTime.now
          // The reminder worker polls anyway, so only a reminder that is due before the next poll needs a signal.
          const soon = Timestamp.after(now, poll)
          if (Option.exists(ReminderRule.dueAt(event, now), DateTime.isLessThan(soon))) yield* signal.notify
        })
      })
    })
  ).pipe(Layer.provide(ReminderSignal.layer))
}
