import * as Layer from "effect/Layer"
import * as MemoryAccountStore from "./access/MemoryAccountStore.ts"
import * as MemoryFundMovementStore from "./access/MemoryFundMovementStore.ts"
import * as MemoryApiKeyStore from "./access/MemoryApiKeyStore.ts"
import * as MemoryInstallationStore from "./access/MemoryInstallationStore.ts"
import * as MemoryMemberStore from "./access/MemoryMemberStore.ts"
import * as MemorySessionStore from "./access/MemorySessionStore.ts"
import * as MemorySignInLinkStore from "./access/MemorySignInLinkStore.ts"
import * as MemoryTeamStore from "./access/MemoryTeamStore.ts"
import * as MemoryAuditStore from "./audit/MemoryAuditStore.ts"
import * as MemoryAgentStore from "./agent/MemoryAgentStore.ts"
import * as MemorySlotHoldStore from "./availability/MemorySlotHoldStore.ts"
import * as MemoryToolCallStore from "./call/MemoryToolCallStore.ts"
import * as MemoryCalendarConnectionStore from "./external-calendar/MemoryCalendarConnectionStore.ts"
import * as MemoryCalendarEventStore from "./calendar-event/MemoryCalendarEventStore.ts"
import * as MemoryReminderStore from "./reminder/MemoryReminderStore.ts"
import * as MemoryCallStore from "./call/MemoryCallStore.ts"
import * as MemoryContactStore from "./contact/MemoryContactStore.ts"
import * as MemoryContactImportStore from "./contact-file/MemoryContactImportStore.ts"
import * as MemoryDoNotCallStore from "./contact/MemoryDoNotCallStore.ts"
import * as MemoryContactErasureStore from "./erasure/MemoryContactErasureStore.ts"
import * as MemoryContactRecordStore from "./erasure/MemoryContactRecordStore.ts"
import * as MemoryIdempotencyStore from "./idempotency/MemoryIdempotencyStore.ts"
import * as MemoryServerNodeStore from "./operator/MemoryServerNodeStore.ts"
import * as MemoryOutboxStore from "./outbox/MemoryOutboxStore.ts"
import * as MemoryProvisioningStore from "./provisioning/MemoryProvisioningStore.ts"
import { Database, layerTransaction } from "./storage/Database.ts"
import { isolated } from "./storage/Isolation.ts"
import * as MemoryBusinessContextStore from "./business-context/MemoryBusinessContextStore.ts"
import * as MemoryStatisticStore from "./statistics/MemoryStatisticStore.ts"
import * as MemoryContextVariableStore from "./variable/MemoryContextVariableStore.ts"
import * as MemoryDeliveryQueue from "./delivery/MemoryDeliveryQueue.ts"
import * as MemoryDeliveryStore from "./delivery/MemoryDeliveryStore.ts"
import * as MemoryWebhookStore from "./webhook/MemoryWebhookStore.ts"

const stores = Layer.mergeAll(
  MemoryAccountStore.layer,
  MemoryTeamStore.layer,
  MemoryApiKeyStore.layer,
  MemoryInstallationStore.layer,
  MemoryAgentStore.layer,
  MemoryCallStore.layer,
  MemoryContactStore.layer,
  MemoryDoNotCallStore.layer,
  MemoryContextVariableStore.layer,
  MemoryBusinessContextStore.layer,
  MemoryCalendarEventStore.layer,
  MemoryReminderStore.layer,
  MemoryCalendarConnectionStore.layer,
  MemoryOutboxStore.layer,
  MemoryWebhookStore.layer,
  MemoryDeliveryStore.layer,
  MemoryDeliveryQueue.layer,
  MemorySlotHoldStore.layer,
  MemoryToolCallStore.layer,
  MemoryIdempotencyStore.layer,
  MemoryProvisioningStore.layer,
  MemoryFundMovementStore.layer,
  MemoryContactImportStore.layer,
  MemoryContactErasureStore.layer,
  MemoryContactRecordStore.layer,
  MemoryStatisticStore.layer,
  MemoryMemberStore.layer,
  MemorySignInLinkStore.layer,
  MemorySessionStore.layer,
  MemoryAuditStore.layer,
  MemoryServerNodeStore.layer
)

/**
 * All stores and `Transaction`, in memory. The storage is empty when the layer is built and lost when the program ends.
 *
 * Transactions, and writes outside a transaction, run one after the other. Stored values share no objects with callers,
 * so a caller that mutates an object changes nothing in the storage.
 */
export const layer = Layer.mergeAll(layerTransaction, isolated(stores)).pipe(Layer.provide(Database.layer))
