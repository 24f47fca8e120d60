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
import { CalendarEventEffectWriter } from "@frontdesk/core/calendar/CalendarEventEffectWriter"
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

/** The fake adapters of a test: what they were given, and how they behave. */
export class FakeAdapters extends Context.Service<
  FakeAdapters,
  {
    /** The webhook events that were published, oldest first. */
    readonly published: Array<WebhookEvent>
    /** The mails that were sent. */
    readonly mails: Array<Message>
    /** The calendar events as they were written to external calendars. */
    readonly written: Array<{
      readonly provider: CalendarProviderKey
      readonly event: CalendarEvent
      readonly resolution: CopyResolution | undefined
    }>
    /** The external calendars to which every account is connected. */
    providers: ReadonlyArray<CalendarProviderKey>
    /** Runs before a write to an external calendar succeeds. When it fails, the write fails. */
    onWrite: (event: CalendarEvent) => Effect.Effect<void, CalendarSyncError>
    /** Returns the copy that a write returns. */
    copyOf: (provider: CalendarProviderKey, event: CalendarEvent) => ExternalCopy | null
    /** Returns the busy times of an external calendar, or fails. */
    onBusy: (provider: CalendarProviderKey) => Effect.Effect<ReadonlyArray<Interval>, CalendarSyncError>
    /** Runs before a mail is sent. When it fails, the mail is not sent. */
    onMail: Effect.Effect<void, MailerError>
    /** Runs after a mail was sent. When it fails, the mail has arrived and the mail server's answer is lost. */
    onSent: Effect.Effect<void, MailerError>
  }
>()("@frontdesk/core/test/calendar/services/FakeAdapters") {
  static readonly layer: Layer.Layer<FakeAdapters> = Layer.sync(FakeAdapters, () => ({
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
  Effect.map(FakeAdapters, (fakes) =>
    Context.make(
      WebhookEventPublisher,
      WebhookEventPublisher.make({
        prepare: () => Effect.succeed((event) => Effect.sync(() => void fakes.published.push(event))),
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
              Effect.suspend(() => fakes.onMail),
              Effect.suspend(() => {
                fakes.mails.push(notification)
                return fakes.onSent
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
              fakes.providers.map((provider) => ({ provider, calendar: "work", updatedAt: DateTime.makeUnsafe(0) }))
            ),
          write: (provider, event, resolution) =>
            Effect.suspend(() => fakes.onWrite(event)).pipe(
              Effect.andThen(
                Effect.sync(() => {
                  fakes.written.push({ provider, event, resolution })
                  return fakes.copyOf(provider, event)
                })
              )
            ),
          busy: (provider) => Effect.suspend(() => fakes.onBusy(provider)),
          check: () => Effect.succeed({ isUsable: true, says: "" })
        })
      )
    )
  )
)

/** All services of the calendar, with a memory storage and fake adapters of their own for each test. */
export const services = Layer.mergeAll(CalendarEvents.layer, ReminderWorker.layer, OutboxWorker.layer).pipe(
  Layer.provideMerge(CalendarEventEffectWriter.layer),
  Layer.provideMerge(Layer.mergeAll(Agents.layer, Outbox.layer, CalendarLinks.layer)),
  Layer.provideMerge(adapters),
  Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, Crypto.layerWebCrypto, FakeAdapters.layer))
)

/** Creates an account in the given teams. */
export const account = (
  settings: Partial<Account["settings"]> = {},
  teamIds: ReadonlyArray<TeamId> = []
): ReturnType<typeof makeAccount> => makeAccount({ teamIds, settings: { ...newAccount().settings, ...settings } })

/** Runs an effect with the account as caller, with every permission. */
export const as = (account: Account) =>
  Effect.provideService(Principal, { account, apiKeyId: null, permissions: new Set(Permission.all) })

/** Runs an effect with a new account as caller. */
export const inAccount =
  (settings: Partial<Account["settings"]> = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(account(settings), (made) => as(made)(effect)).pipe(Effect.provide(services))

/** Returns the body of a create: one hour on 2026-06-01, from a local time on. */
export const hour = (start = "10:00") => ({
  title: "Demo",
  startTime: `2026-06-01T${start}`,
  endTime: DateTime.formatIso(DateTime.add(DateTime.makeUnsafe(`2026-06-01T${start}Z`), { hours: 1 })).replace(
    ".000Z",
    ""
  )
})

/** Returns the names of the webhook events that were published since it last ran. */
export const published = Effect.map(FakeAdapters, (fakes) => fakes.published.splice(0).map(({ name }) => name))

/**
 * Completes the tasks that wait in the outbox, and returns a name for each: `google` for a write, `mail created` for a mail.
 */
export const waiting = Effect.gen(function* () {
  const store = yield* OutboxStore
  const now = yield* DateTime.now
  const tasks = yield* store.claim(now, DateTime.add(now, { minutes: 1 }), 100)
  yield* Effect.forEach(tasks, store.complete)
  return tasks.map(({ work }) => {
    switch (work._tag) {
      case "SyncEvent":
        return work.provider
      case "Notify":
        return `mail ${work.notification.kind}`
      case "SignIn":
        return `mail ${work.kind}`
    }
  })
})
