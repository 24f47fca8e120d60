import type { Account } from "@frontdesk/core/access/Account"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import type { TeamId } from "@frontdesk/core/access/Team"
import { Agents } from "@frontdesk/core/agent/Agents"
import type { Interval } from "@frontdesk/core/values/Interval"
import type {
  CalendarEvent,
  CalendarProviderKey,
  CopyResolution,
  ExternalCopy
} from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarLinks } from "@frontdesk/core/calendar-event/CalendarLinks"
import { CalendarSync, type CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { CalendarEventWriter } from "@frontdesk/core/calendar/CalendarEventWriter"
import { ReminderWorker } from "@frontdesk/core/worker/ReminderWorker"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Mailer, type MailerError, type Message } from "@frontdesk/core/mail/Mailer"
import { Outbox } from "@frontdesk/core/outbox/Outbox"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import type { WebhookEvent } from "@frontdesk/core/webhook-event/WebhookEvent"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { makeAccount, newAccount } from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** What reached the outside, and how the outside behaves. */
export class Outside extends Context.Service<
  Outside,
  {
    /** The webhook events that were published, oldest first. */
    readonly published: Array<WebhookEvent>
    /** Mail that was sent. */
    readonly mails: Array<Message>
    /** Events as they were written to outside calendars. */
    readonly written: Array<{
      readonly provider: CalendarProviderKey
      readonly event: CalendarEvent
      readonly resolution: CopyResolution | undefined
    }>
    /** The calendars every account is connected to. */
    providers: ReadonlyArray<CalendarProviderKey>
    /** What happens at a write before it succeeds; it may fail. */
    onWrite: (event: CalendarEvent) => Effect.Effect<void, CalendarSyncError>
    /** What an outside calendar then has of the event. */
    copyOf: (provider: CalendarProviderKey, event: CalendarEvent) => ExternalCopy | null
    /** When an outside calendar is busy; it may fail. */
    onBusy: (provider: CalendarProviderKey) => Effect.Effect<ReadonlyArray<Interval>, CalendarSyncError>
    /** What happens at a mail before it succeeds; it may fail. */
    onMail: Effect.Effect<void, MailerError>
    /** What happens once a mail has arrived; a failure is that of its answer. */
    onSent: Effect.Effect<void, MailerError>
  }
>()("@frontdesk/core/test/calendar/world/Outside") {
  static readonly layer: Layer.Layer<Outside> = Layer.sync(Outside, () => ({
    published: [],
    mails: [],
    written: [],
    providers: [],
    onWrite: () => Effect.void,
    copyOf: (provider, event) => ({ id: `${provider}-${event.id}`, revision: null }),
    onBusy: () => Effect.succeed([]),
    onMail: Effect.void,
    onSent: Effect.void
  }))
}

const adapters = Layer.effectContext(
  Effect.map(Outside, (outside) =>
    Context.make(
      WebhookEventPublisher,
      WebhookEventPublisher.of({
        publish: (event) => Effect.sync(() => void outside.published.push(event)),
        notify: Effect.void
      })
    ).pipe(
      Context.add(
        Mailer,
        Mailer.of({
          enabled: true,
          organizer: "desk@example.com",
          send: (notification) =>
            Effect.andThen(
              Effect.suspend(() => outside.onMail),
              Effect.suspend(() => {
                outside.mails.push(notification)
                return outside.onSent
              })
            ),
          check: Effect.succeed({ isUsable: true, says: "" })
        })
      ),
      Context.add(
        CalendarSync,
        CalendarSync.of({
          connected: () =>
            Effect.sync(() =>
              outside.providers.map((provider) => ({ provider, calendar: "work", updatedAt: DateTime.makeUnsafe(0) }))
            ),
          write: (provider, event, resolution) =>
            Effect.suspend(() => outside.onWrite(event)).pipe(
              Effect.andThen(
                Effect.sync(() => {
                  outside.written.push({ provider, event, resolution })
                  return outside.copyOf(provider, event)
                })
              )
            ),
          busy: (provider) => Effect.suspend(() => outside.onBusy(provider)),
          check: () => Effect.succeed({ isUsable: true, says: "" })
        })
      )
    )
  )
)

/** Everything the calendar needs, with a storage and an outside of its own each time. */
export const services = Layer.mergeAll(CalendarEvents.layer, ReminderWorker.layer, OutboxWorker.layer).pipe(
  Layer.provideMerge(CalendarEventWriter.layer),
  Layer.provideMerge(Layer.mergeAll(Agents.layer, Outbox.layer, CalendarLinks.layer)),
  Layer.provideMerge(adapters),
  Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, Crypto.layerWebCrypto, Outside.layer))
)

/** A new account, in the teams given. */
export const account = (
  settings: Partial<Account["settings"]> = {},
  teamIds: ReadonlyArray<TeamId> = []
): ReturnType<typeof makeAccount> => makeAccount({ teamIds, settings: { ...newAccount().settings, ...settings } })

/** Runs an effect as the account, with every permission. */
export const as = (account: Account) =>
  Effect.provideService(Principal, { account, apiKeyId: null, permissions: new Set(Permission.all) })

/** Runs an effect as a new account. */
export const inAccount =
  (settings: Partial<Account["settings"]> = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(account(settings), (made) => as(made)(effect)).pipe(Effect.provide(services))

/** The body of a create: one hour from a local time of 2026-06-01. */
export const hour = (start = "10:00") => ({
  title: "Demo",
  startTime: `2026-06-01T${start}`,
  endTime: DateTime.formatIso(DateTime.add(DateTime.makeUnsafe(`2026-06-01T${start}Z`), { hours: 1 })).replace(
    ".000Z",
    ""
  )
})

/** The names of what was published since the last look. */
export const published = Effect.map(Outside, (outside) => outside.published.splice(0).map(({ name }) => name))

/** What waits in the outbox since the last look: `google`, `mail created`. */
export const waiting = Effect.gen(function* () {
  const store = yield* OutboxStore
  const now = yield* DateTime.now
  const tasks = yield* store.claim(now, DateTime.add(now, { minutes: 1 }), 100)
  yield* Effect.forEach(tasks, store.complete)
  return tasks.map(({ work }) => (work._tag === "SyncEvent" ? work.provider : `mail ${work.notification.kind}`))
})
