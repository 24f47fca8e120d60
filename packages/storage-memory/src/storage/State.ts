import type { Account, AccountId, Funds } from "@frontdesk/core/access/Account"
import type { ApiKey, KeyDigest } from "@frontdesk/core/access/ApiKey"
import type { TeamId, TeamRef } from "@frontdesk/core/access/Team"
import type { Agent } from "@frontdesk/core/agent/Agent"
import type { StoredConnection } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import type { CalendarEvent, CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { Call } from "@frontdesk/core/call/Call"
import type { Contact } from "@frontdesk/core/contact/Contact"
import type { StoredAnswer } from "@frontdesk/core/idempotency/IdempotencyStore"
import type { OutboxTaskId, OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import type { ProvisionedRef } from "@frontdesk/core/provisioning/ProvisioningStore"
import type { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import type { ContextVariable } from "@frontdesk/core/variable/ContextVariable"
import type { BusinessValues } from "@frontdesk/core/business-context/BusinessContextStore"
import type { Attempt, DeliveryId, DeliveryState } from "@frontdesk/core/delivery/Delivery"
import type { Webhook } from "@frontdesk/core/webhook/Webhook"
import type { WebhookId, WebhookSecrets } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import type * as DateTime from "effect/DateTime"
import * as HashMap from "effect/HashMap"
import type * as HashSet from "effect/HashSet"
import type * as Redacted from "effect/Redacted"
import * as Table from "./Table.ts"

/** A key with the digests of its values. */
export interface ApiKeyRow {
  readonly apiKey: ApiKey
  readonly digest: KeyDigest
  readonly previousDigest: KeyDigest | null
}

/** A contact; its team by id, so that it is shown under its present name. */
export type ContactRow = Omit<Contact, "team"> & { readonly teamId: TeamId | null }

/** A call; its team by id. `contact` is the snapshot that was taken when the call was made. */
export type CallRow = Omit<Call, "team"> & { readonly teamId: TeamId | null }

/** A calendar event; its team by id. */
export type CalendarEventRow = Omit<CalendarEvent, "team"> & { readonly teamId: TeamId | null }

/**
 * The reminder of an event: when it is due, if it is, every due time that was sent, in epoch milliseconds, and the starts
 * that were reminded of.
 */
export interface ReminderRow {
  readonly eventId: CalendarEventId
  readonly dueAt: DateTime.Utc | null
  readonly sent: ReadonlyArray<number>
  readonly reminded: ReadonlyArray<DateTime.Utc>
}

/** A task of the outbox; with an error it has been set aside. */
export interface OutboxRow {
  readonly id: OutboxTaskId
  readonly work: OutboxWork
  readonly attempts: number
  /** With an error: when it was set aside. */
  readonly dueAt: DateTime.Utc
  readonly owner: string | null
  readonly error: string | null
}

/** A webhook with what signs its deliveries. */
export interface WebhookRow {
  readonly webhook: Webhook
  readonly secrets: WebhookSecrets
}

/** An event whose bytes are to be delivered. */
export interface WebhookEventRow {
  readonly accountId: WebhookRow["webhook"]["accountId"]
  readonly name: string
  readonly subject: string
  readonly body: Uint8Array
  readonly createdAt: DateTime.Utc
}

/** One event on its way to one webhook. */
export interface DeliveryRow {
  readonly key: number
  readonly id: DeliveryId
  readonly event: WebhookEventRow
  readonly webhookId: WebhookId
  readonly state: DeliveryState
  /** When it is due if it is pending, when its lease ends if it is leased. */
  readonly dueAt: DateTime.Utc | null
  readonly lease: { readonly id: string; readonly owner: string } | null
  readonly kind: Attempt["kind"]
  readonly results: number
  readonly claims: number
  readonly attempts: ReadonlyArray<Attempt>
  /** The body of the last answer; null before the first try. */
  readonly lastAnswer: string | null
}

/** A key that was sent with a request. */
export interface IdempotencyRow {
  readonly token: string
  readonly fingerprint: string
  readonly answer: StoredAnswer | null
  /** The request was executed; its answer is the one of the mark, or none, until it is completed. */
  readonly executed: boolean
  readonly takenAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** Everything that is stored, as one immutable value. */
export interface State {
  readonly accounts: Table.Table<Account>
  readonly funds: HashMap.HashMap<AccountId, Funds>
  readonly teams: Table.Table<TeamRef>
  readonly apiKeys: Table.Table<ApiKeyRow>
  readonly secrets: HashMap.HashMap<string, Redacted.Redacted<string>>
  readonly agents: Table.Table<Agent>
  readonly calls: Table.Table<CallRow>
  readonly contacts: Table.Table<ContactRow>
  readonly lastNumberId: number
  readonly doNotCall: HashMap.HashMap<AccountId, HashSet.HashSet<PhoneNumber>>
  readonly variables: Table.Table<ContextVariable>
  readonly businessContexts: HashMap.HashMap<AccountId, BusinessValues>
  readonly events: Table.Table<CalendarEventRow>
  readonly reminders: HashMap.HashMap<CalendarEventId, ReminderRow>
  /** By account and provider. */
  readonly connections: HashMap.HashMap<string, StoredConnection>
  readonly outbox: Table.Table<OutboxRow>
  readonly webhooks: Table.Table<WebhookRow>
  readonly deliveries: Table.Table<DeliveryRow>
  readonly answers: HashMap.HashMap<string, IdempotencyRow>
  readonly provisioned: HashMap.HashMap<string, ProvisionedRef & { readonly id: number }>
}

/** Nothing stored. */
export const empty: State = {
  accounts: Table.empty,
  funds: HashMap.empty(),
  teams: Table.empty,
  apiKeys: Table.empty,
  secrets: HashMap.empty(),
  agents: Table.empty,
  calls: Table.empty,
  contacts: Table.empty,
  lastNumberId: 0,
  doNotCall: HashMap.empty(),
  variables: Table.empty,
  businessContexts: HashMap.empty(),
  events: Table.empty,
  reminders: HashMap.empty(),
  connections: HashMap.empty(),
  outbox: Table.empty,
  webhooks: Table.empty,
  deliveries: Table.empty,
  answers: HashMap.empty(),
  provisioned: HashMap.empty()
}
