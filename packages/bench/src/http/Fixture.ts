import { defaultSettings } from "@frontdesk/core/account/Accounts"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import * as Permission from "@frontdesk/core/access/Permission"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import * as Agent from "@frontdesk/core/agent/Agent"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CalendarLinks } from "@frontdesk/core/calendar-event/CalendarLinks"
import { encodePlain } from "@frontdesk/core/crypto/SecretBox"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as NodeCrypto from "frontdesk/NodeCrypto"
import * as DatabaseUrl from "frontdesk/settings/DatabaseUrl"
import * as Storage from "frontdesk/Storage"

/** The database, as far as the requests depend on it. */
export interface Fixture {
  readonly apiKey: string
  readonly agentId: number
  /** The number of calendar events, which have the ids from 1 on. */
  readonly events: number
}

const startedAt = DateTime.makeUnsafe("2026-01-05T00:00:00Z")

const fill = Effect.fnUntraced(function* (events: number) {
  const team = yield* (yield* TeamStore).insert("Reception")
  const account = yield* (yield* AccountStore).insert({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [team.id],
    settings: { ...defaultSettings, timeZone: TimeZone.make("America/New_York") },
    createdAt: startedAt
  })
  const agent = yield* (yield* AgentStore).insert({
    accountId: account.id,
    assistantId: "asst_frontdesk",
    name: "Ada",
    role: "outbound agent",
    phoneNumber: null,
    model: "",
    voiceId: "",
    teamId: team.id,
    allowedTools: null,
    createdAt: startedAt
  })
  yield* (yield* WebhookStore).insert(
    {
      accountId: account.id,
      name: "Calendar",
      url: "https://example.com/hooks",
      subscribedEvents: ["calendar.created", "calendar.cancelled"],
      status: "active",
      createdAt: startedAt,
      updatedAt: startedAt,
      lastDeliveryAt: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      lastFailureStatus: null,
      consecutiveFailures: 0
    },
    encodePlain(Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
  )
  const store = yield* CalendarEventStore
  for (let n = 1; n <= events; n++) {
    const startTime = DateTime.add(startedAt, { hours: n })
    yield* store.insert({
      uuid: CalendarEventUuid.make(`${n.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`),
      accountId: account.id,
      title: `Demo ${n}`,
      description: "A demonstration of what there is to show",
      eventType: "appointment",
      status: "scheduled",
      startTime,
      endTime: DateTime.add(startTime, { minutes: 30 }),
      location: "12 Main Street",
      hasVideoConference: true,
      videoConferenceUrl: `https://meet.example.com/${n}`,
      videoConferenceProvider: "example",
      createdByAiAgent: true,
      isReminderEnabled: true,
      remindBeforeMinutes: 30,
      customer: { name: "Jo Doe", email: "jo@example.com", phone: "+12025550123", notes: "Prefers mornings" },
      contactId: null,
      aiAgent: Agent.ref(agent),
      team,
      externalCalendars: {},
      externalCalendarsStatus: {},
      notifyOnCancel: true,
      invitation: null,
      sequence: 0,
      createdAt: startedAt,
      updatedAt: startedAt
    })
  }
  const { value } = yield* (yield* ApiKeys).create({
    accountId: account.id,
    name: "bench",
    permissions: Permission.all
  })
  return { apiKey: Redacted.value(value), agentId: agent.id, events }
})

/**
 * Creates a database with an account in a team, an API key, an agent and calendar events. A webhook is subscribed to new
 * and cancelled calendar events.
 */
export const make = (databaseUrl: string, events: number): Promise<Fixture> =>
  Effect.gen(function* () {
    const transaction = yield* Transaction
    return yield* transaction.run(fill(events))
  }).pipe(
    // `CalendarLinks` creates the secret of the signed links, so that all servers have the same one.
    Effect.provide(
      Layer.mergeAll(ApiKeys.layer, CalendarLinks.layer).pipe(
        Layer.provideMerge(
          Layer.mergeAll(Storage.layer(Result.getOrThrow(DatabaseUrl.parse(databaseUrl))), NodeCrypto.layer)
        )
      )
    ),
    Effect.runPromise
  )
