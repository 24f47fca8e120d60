import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Mailer } from "../notify/Mailer.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { OutboxWork } from "../outbox/OutboxTask.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { EventPublisher } from "../webhook/EventPublisher.ts"
import type { CalendarEvent } from "./CalendarEvent.ts"
import { CalendarSync } from "./CalendarSync.ts"
import * as EventEffects from "./EventEffects.ts"
import * as ReminderRule from "./ReminderRule.ts"
import { poll, ReminderSignal } from "./ReminderSignal.ts"
import { ReminderStore } from "./ReminderStore.ts"

/** Writes down what follows from a change of an event: the plan of `EventEffects`, put into the stores. */
export class EventWriter extends Context.Service<
  EventWriter,
  {
    /** Writes down the effects of a change. Called in the transaction of the change. */
    readonly follow: (
      before: CalendarEvent | null,
      after: CalendarEvent,
      wanted: { readonly sync: boolean; readonly notify: boolean }
    ) => Effect.Effect<void, StorageError>
    /** Wakes those who carry out what a change of the event has left; after the transaction. */
    readonly nudge: (event: CalendarEvent) => Effect.Effect<void>
  }
>()("@frontdesk/core/calendar/EventWriter") {
  /** The service on the stores and the ports that say what is connected. */
  static readonly layer: Layer.Layer<
    EventWriter,
    never,
    EventPublisher | ReminderStore | Outbox | CalendarSync | Mailer
  > = Layer.effect(
    EventWriter,
    Effect.gen(function* () {
      const mailer = yield* Mailer
      const outbox = yield* Outbox
      const publisher = yield* EventPublisher
      const reminders = yield* ReminderStore
      const signal = yield* ReminderSignal
      const sync = yield* CalendarSync

      return EventWriter.of({
        follow: Effect.fnUntraced(function* (before, after, wanted) {
          const effects = EventEffects.plan({
            before,
            after,
            providers: wanted.sync ? (yield* sync.connected(after.accountId)).map(({ provider }) => provider) : [],
            notify: wanted.notify && mailer.enabled,
            now: yield* DateTime.now
          })
          const work: Array<OutboxWork> = []
          for (const effect of effects) {
            switch (effect._tag) {
              case "Publish":
                yield* publisher.publish({ name: effect.name, event: after })
                break
              case "ScheduleReminder":
                yield* reminders.schedule(after.id, effect.dueAt)
                break
              case "DropReminder":
                yield* reminders.drop(after.id)
                break
              case "Sync":
                work.push({ _tag: "SyncEvent", provider: effect.provider, eventId: after.id })
                break
              case "Notify":
                work.push({ _tag: "Notify", notification: { kind: effect.kind, event: after } })
                break
            }
          }
          yield* outbox.add(work)
        }),
        nudge: Effect.fnUntraced(function* (event) {
          yield* Effect.andThen(publisher.nudge, outbox.nudge)
          const now = yield* DateTime.now
          const soon = DateTime.addDuration(now, poll)
          if (Option.exists(ReminderRule.dueAt(event, now), DateTime.isLessThan(soon))) yield* signal.notify
        })
      })
    })
  ).pipe(Layer.provide(ReminderSignal.layer))
}
