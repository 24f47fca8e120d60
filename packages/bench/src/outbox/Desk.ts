import { Agents } from "@frontdesk/core/agent/Agents"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarEventEffectWriter } from "@frontdesk/core/calendar/CalendarEventEffectWriter"
import { CalendarLinks } from "@frontdesk/core/calendar-event/CalendarLinks"
import type { AccountId } from "@frontdesk/core/access/Account"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import { Outbox } from "@frontdesk/core/outbox/Outbox"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { monotonicMillis } from "../deliveries/Inbox.ts"

/** What external systems hang for which accounts, and the mails that have arrived. */
export class External extends Context.Service<
  External,
  {
    /** The accounts that are connected to an external calendar. */
    readonly connected: Set<AccountId>
    /** The accounts whose external calendars and mail servers answer only while `answers` is open. */
    readonly hanging: Set<AccountId>
    readonly answers: Latch.Latch
    /** When each mail of the other accounts arrived, by the id of its calendar event. */
    readonly arrived: Map<number, number>
  }
>()("@frontdesk/bench/outbox/Desk/External") {
  static readonly layer: Layer.Layer<External> = Layer.sync(External, () => ({
    connected: new Set<AccountId>(),
    hanging: new Set<AccountId>(),
    answers: Latch.makeUnsafe(false),
    arrived: new Map<number, number>()
  }))
}

const adapters = Layer.effectContext(
  Effect.map(External, ({ answers, arrived, connected, hanging }) =>
    Context.make(
      WebhookEventPublisher,
      WebhookEventPublisher.make({ prepare: () => Effect.succeed(() => Effect.void), notify: Effect.void })
    ).pipe(
      Context.add(
        Mailer,
        Mailer.of({
          enabled: true,
          organizer: "desk@example.com",
          send: ({ event: { accountId, id } }) =>
            Effect.suspend(() => {
              if (hanging.has(accountId)) return answers.await
              arrived.set(id, monotonicMillis())
              return Effect.void
            }),
          check: Effect.succeed({ isUsable: true, says: "" })
        })
      ),
      Context.add(
        CalendarSync,
        CalendarSync.of({
          connected: (accountId) =>
            Effect.sync(() =>
              connected.has(accountId)
                ? [{ provider: "google", calendar: "work", updatedAt: DateTime.makeUnsafe(0) }]
                : []
            ),
          write: (_, event) => Effect.as(answers.await, { id: `copy-${event.id}`, revision: null }),
          busy: () => Effect.succeed([]),
          check: () => Effect.succeed({ isUsable: true, says: "" })
        })
      )
    )
  )
)

/** The services that create calendar events and do the tasks of the outbox, on a storage. No worker runs by itself. */
export const layer = Layer.mergeAll(CalendarEvents.layer, OutboxWorker.layer).pipe(
  Layer.provideMerge(CalendarEventEffectWriter.layer),
  Layer.provideMerge(Layer.mergeAll(Agents.layer, Outbox.layer, CalendarLinks.layer)),
  Layer.provideMerge(adapters),
  Layer.provideMerge(Layer.mergeAll(Crypto.layerWebCrypto, External.layer))
)
