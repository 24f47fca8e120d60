import type { Account, AccountId, Funds } from "@frontdesk/core/access/Account"
import type { FundMovement } from "@frontdesk/core/access/FundMovement"
import type { ApiKey, KeyDigest } from "@frontdesk/core/access/ApiKey"
import type { Member } from "@frontdesk/core/access/Member"
import type { Session, SignInLink, TokenDigest } from "@frontdesk/core/access/Session"
import type { AuditEntry } from "@frontdesk/core/audit/AuditEntry"
import type { TeamId } from "@frontdesk/core/access/Team"
import type { TeamRef } from "@frontdesk/core/access/TeamRef"
import type { Agent } from "@frontdesk/core/agent/Agent"
import type { SlotHold } from "@frontdesk/core/availability/SlotHold"
import type { ToolCall } from "@frontdesk/core/call/ToolCall"
import type { StoredConnection } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import type { CalendarEvent, CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { Call } from "@frontdesk/core/call/Call"
import type { Contact } from "@frontdesk/core/contact/Contact"
import type { RefusedLine, StoredImport } from "@frontdesk/core/contact-file/ContactImport"
import type { StoredAnswer } from "@frontdesk/core/idempotency/IdempotencyStore"
import type { ServerNode } from "@frontdesk/core/operator/ServerNode"
import type { OutboxTaskId, OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import type { ProvisionedRef } from "@frontdesk/core/provisioning/ProvisioningStore"
import type { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import type { AccountPart, DayStatistic } from "@frontdesk/core/statistics/Statistic"
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

/** An API key with the digests of its present and its previous value. */
export interface ApiKeyRow {
  readonly apiKey: ApiKey
  readonly digest: KeyDigest
  readonly previousDigest: KeyDigest | null
}

/** A member, with the time at which a sign-in mail was last requested for it. */
export interface MemberRow {
  readonly member: Member
  readonly mailedAt: DateTime.Utc | null
}

/** A sign-in link, or a session, with the digest of its token. */
export type WithDigest<A> = A & { readonly digest: TokenDigest }

/** A contact with the id of its team, so that reads show the team's present name. */
export type ContactRow = Omit<Contact, "team"> & { readonly teamId: TeamId | null }

/** A call with the id of its team. `contact` is a snapshot from the time at which the call was made. */
export type CallRow = Omit<Call, "team"> & { readonly teamId: TeamId | null }

/** A calendar event with the id of its team. */
export type CalendarEventRow = Omit<CalendarEvent, "team"> & { readonly teamId: TeamId | null }

/**
 * The reminder of a calendar event. `dueAt` is null if none is due. `sent` has the due times of sent reminders in epoch
 * milliseconds, and `reminded` has the starts for which they were sent.
 */
export interface ReminderRow {
  readonly eventId: CalendarEventId
  readonly dueAt: DateTime.Utc | null
  readonly sent: ReadonlyArray<number>
  readonly reminded: ReadonlyArray<DateTime.Utc>
}

/** A task of the outbox. With an error it is dead-lettered. */
export interface OutboxRow {
  readonly id: OutboxTaskId
  readonly accountId: AccountId
  readonly work: OutboxWork
  readonly attempts: number
  /** When the task is due. For a dead-lettered task: when it was dead-lettered. */
  readonly dueAt: DateTime.Utc
  readonly owner: string | null
  readonly error: string | null
}

/** A webhook with its secrets. */
export interface WebhookRow {
  readonly webhook: Webhook
  readonly secrets: WebhookSecrets
}

/** A webhook event with the body that its deliveries send. */
export interface WebhookEventRow {
  readonly accountId: WebhookRow["webhook"]["accountId"]
  readonly name: string
  readonly subject: string
  readonly body: Uint8Array
  readonly createdAt: DateTime.Utc
}

/** A delivery of a webhook event to one webhook. */
export interface DeliveryRow {
  readonly key: number
  readonly id: DeliveryId
  readonly event: WebhookEventRow
  readonly webhookId: WebhookId
  readonly state: DeliveryState
  /** When a pending delivery is due, or when the lease of a leased one ends. */
  readonly dueAt: DateTime.Utc | null
  readonly lease: { readonly id: string; readonly owner: string } | null
  readonly kind: Attempt["kind"]
  /** How many automatic attempts have a recorded result. */
  readonly results: number
  /** How many times the delivery was claimed since its last recorded result. */
  readonly claims: number
  readonly attempts: ReadonlyArray<Attempt>
  /** The body of the answer to the last attempt. Null before the first attempt. */
  readonly lastAnswer: string | null
}

/** An idempotency key with its execution. */
export interface IdempotencyRow {
  readonly token: string
  readonly bodyDigest: string
  readonly answer: StoredAnswer | null
  /** Whether the request is marked as executed and not completed. Then `answer` is the answer of the mark, or null. */
  readonly executed: boolean
  readonly claimedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** A tool call with the digest of its arguments. */
export interface ToolCallRow {
  readonly call: ToolCall
  readonly digest: string
}

/** The movements of an account by id, and the newest of them. */
export interface AccountMovements {
  readonly newest: FundMovement
  readonly rows: HashMap.HashMap<number, FundMovement>
}

/** An import of contacts with its parts and its refused lines, each by its number. */
export interface ContactImportRow {
  readonly stored: StoredImport
  readonly parts: HashMap.HashMap<number, string>
  readonly refused: HashMap.HashMap<number, RefusedLine>
}

/** All stored data, as one immutable value. */
export interface State {
  readonly accounts: Table.Table<Account>
  readonly funds: HashMap.HashMap<AccountId, Funds>
  readonly movements: HashMap.HashMap<AccountId, AccountMovements>
  /** The highest id that a movement was given. */
  readonly lastMovementId: number
  /** The parts of the statistics that are not folded. */
  readonly statisticParts: Table.Table<AccountPart>
  /** The folded statistics, by account, day and agent. */
  readonly statistics: HashMap.HashMap<string, DayStatistic & { readonly accountId: AccountId }>
  readonly auditEntries: Table.Table<AuditEntry>
  readonly teams: Table.Table<TeamRef>
  readonly apiKeys: Table.Table<ApiKeyRow>
  readonly members: Table.Table<MemberRow>
  readonly signInLinks: Table.Table<WithDigest<SignInLink>>
  readonly sessions: Table.Table<WithDigest<Session>>
  readonly secrets: HashMap.HashMap<string, Redacted.Redacted<string>>
  /** The processes of the installation, by name. */
  readonly serverNodes: HashMap.HashMap<string, ServerNode>
  readonly agents: Table.Table<Agent>
  readonly calls: Table.Table<CallRow>
  readonly contacts: Table.Table<ContactRow>
  /** The highest id that a phone number of a contact was given. */
  readonly lastNumberId: number
  readonly contactImports: Table.Table<ContactImportRow>
  readonly doNotCall: HashMap.HashMap<AccountId, HashSet.HashSet<PhoneNumber>>
  readonly variables: Table.Table<ContextVariable>
  readonly businessContexts: HashMap.HashMap<AccountId, BusinessValues>
  readonly calendarEvents: Table.Table<CalendarEventRow>
  readonly reminders: HashMap.HashMap<CalendarEventId, ReminderRow>
  /** The connections, by account and provider. */
  readonly connections: HashMap.HashMap<string, StoredConnection>
  readonly outbox: Table.Table<OutboxRow>
  readonly webhooks: Table.Table<WebhookRow>
  readonly deliveries: Table.Table<DeliveryRow>
  /** The idempotency keys, by account, method, path and name. */
  readonly idempotencyKeys: HashMap.HashMap<string, IdempotencyRow>
  /** The slot holds, by account, holder, start and end. */
  readonly slotHolds: HashMap.HashMap<string, SlotHold>
  readonly toolCalls: Table.Table<ToolCallRow>
  /** The references of provisioning, by kind, account and reference. */
  readonly provisioned: HashMap.HashMap<string, ProvisionedRef & { readonly id: number }>
}

/** The state of an empty storage. */
export const empty: State = {
  accounts: Table.empty,
  funds: HashMap.empty(),
  movements: HashMap.empty(),
  lastMovementId: 0,
  statisticParts: Table.empty,
  statistics: HashMap.empty(),
  auditEntries: Table.empty,
  teams: Table.empty,
  apiKeys: Table.empty,
  members: Table.empty,
  signInLinks: Table.empty,
  sessions: Table.empty,
  secrets: HashMap.empty(),
  serverNodes: HashMap.empty(),
  agents: Table.empty,
  calls: Table.empty,
  contacts: Table.empty,
  lastNumberId: 0,
  contactImports: Table.empty,
  doNotCall: HashMap.empty(),
  variables: Table.empty,
  businessContexts: HashMap.empty(),
  calendarEvents: Table.empty,
  reminders: HashMap.empty(),
  connections: HashMap.empty(),
  outbox: Table.empty,
  webhooks: Table.empty,
  deliveries: Table.empty,
  idempotencyKeys: HashMap.empty(),
  slotHolds: HashMap.empty(),
  toolCalls: Table.empty,
  provisioned: HashMap.empty()
}
