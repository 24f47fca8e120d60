import type { AccountStore } from "@frontdesk/core/access/AccountStore"
import type { AuditStore } from "@frontdesk/core/audit/AuditStore"
import type { FundMovementStore } from "@frontdesk/core/access/FundMovementStore"
import type { StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import type { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import type { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import type { MemberStore } from "@frontdesk/core/access/MemberStore"
import type { SessionStore } from "@frontdesk/core/access/SessionStore"
import type { SignInLinkStore } from "@frontdesk/core/access/SignInLinkStore"
import type { TeamStore } from "@frontdesk/core/access/TeamStore"
import type { AgentStore } from "@frontdesk/core/agent/AgentStore"
import type { SlotHoldStore } from "@frontdesk/core/availability/SlotHoldStore"
import type { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import type { CalendarConnectionStore } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import type { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import type { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import type { CallStore } from "@frontdesk/core/call/CallStore"
import type { ContactImportStore } from "@frontdesk/core/contact-file/ContactImportStore"
import type { ContactErasureStore } from "@frontdesk/core/erasure/ContactErasureStore"
import type { ContactRecordStore } from "@frontdesk/core/erasure/ContactRecordStore"
import type { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import type { ContactStore } from "@frontdesk/core/contact/ContactStore"
import type { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import type { ServerNodeStore } from "@frontdesk/core/operator/ServerNodeStore"
import type { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import type { ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import type { Transaction } from "@frontdesk/core/storage/Transaction"
import type { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import type { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import type { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import type { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import type { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import type * as Duration from "effect/Duration"
import type * as Layer from "effect/Layer"
import type { RunnerOptions } from "./Runner.ts"

/** All ports of a storage. */
export type Storage =
  | Transaction
  | AccountStore
  | TeamStore
  | ApiKeyStore
  | InstallationStore
  | AgentStore
  | CallStore
  | ContactStore
  | DoNotCallStore
  | ContextVariableStore
  | BusinessContextStore
  | CalendarEventStore
  | ReminderStore
  | CalendarConnectionStore
  | OutboxStore
  | WebhookStore
  | DeliveryStore
  | DeliveryQueue
  | SlotHoldStore
  | ToolCallStore
  | IdempotencyStore
  | ProvisioningStore
  | FundMovementStore
  | ContactImportStore
  | ContactErasureStore
  | ContactRecordStore
  | StatisticStore
  | MemberStore
  | SignInLinkStore
  | SessionStore
  | AuditStore
  | ServerNodeStore

/**
 * The storage that a suite verifies. Tests make their own accounts, so it may have other data. No other program may
 * claim, sweep or send from it while the suite runs.
 */
export type StorageLayer<E> = Layer.Layer<Storage, E>

/** Options of a suite. */
export interface SuiteOptions extends RunnerOptions {
  /** The timeout for building the layer. Default: the timeout of the runner for hooks. */
  readonly timeout?: Duration.Input
  /** Gives the layer the real clock instead of the test clock. No test of a storage suite waits for time to pass. */
  readonly excludeTestServices?: boolean
}
