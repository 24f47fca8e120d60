import * as Layer from "effect/Layer"
import * as SqlAccountStore from "./access/SqlAccountStore.ts"
import * as SqlFundMovementStore from "./access/SqlFundMovementStore.ts"
import * as SqlStatisticStore from "./statistics/SqlStatisticStore.ts"
import * as SqlApiKeyStore from "./access/SqlApiKeyStore.ts"
import * as SqlInstallationStore from "./access/SqlInstallationStore.ts"
import * as SqlMemberStore from "./access/SqlMemberStore.ts"
import * as SqlSessionStore from "./access/SqlSessionStore.ts"
import * as SqlSignInLinkStore from "./access/SqlSignInLinkStore.ts"
import * as SqlTeamStore from "./access/SqlTeamStore.ts"
import * as SqlAuditStore from "./audit/SqlAuditStore.ts"
import * as SqlAgentStore from "./agent/SqlAgentStore.ts"
import * as SqlSlotHoldStore from "./availability/SqlSlotHoldStore.ts"
import * as SqlToolCallStore from "./call/SqlToolCallStore.ts"
import * as SqlCalendarConnectionStore from "./external-calendar/SqlCalendarConnectionStore.ts"
import * as SqlCalendarEventStore from "./calendar-event/SqlCalendarEventStore.ts"
import * as SqlReminderStore from "./reminder/SqlReminderStore.ts"
import * as SqlCallStore from "./call/SqlCallStore.ts"
import * as SqlContactStore from "./contact/SqlContactStore.ts"
import * as SqlContactImportStore from "./contact-file/SqlContactImportStore.ts"
import * as SqlDoNotCallStore from "./contact/SqlDoNotCallStore.ts"
import * as SqlContactErasureStore from "./erasure/SqlContactErasureStore.ts"
import * as SqlContactRecordStore from "./erasure/SqlContactRecordStore.ts"
import * as SqlIdempotencyStore from "./idempotency/SqlIdempotencyStore.ts"
import * as SqlServerNodeStore from "./operator/SqlServerNodeStore.ts"
import * as SqlOutboxStore from "./outbox/SqlOutboxStore.ts"
import * as SqlProvisioningStore from "./provisioning/SqlProvisioningStore.ts"
import { Database, layerTransaction } from "./storage/Database.ts"
import * as SqlBusinessContextStore from "./business-context/SqlBusinessContextStore.ts"
import * as SqlContextVariableStore from "./variable/SqlContextVariableStore.ts"
import * as SqlDeliveryQueue from "./delivery/SqlDeliveryQueue.ts"
import * as SqlDeliveryStore from "./delivery/SqlDeliveryStore.ts"
import * as SqlWebhookStore from "./webhook/SqlWebhookStore.ts"

/**
 * Provides every store and `Transaction`, in the database of a `SqlClient`. The tables must exist: see `SqlMigrations`.
 *
 * All stores share the client. A transaction of `Transaction` is therefore also a transaction of the client, and a
 * transaction of the client also covers the stores.
 */
export const layer = Layer.mergeAll(
  layerTransaction,
  SqlAccountStore.layer,
  SqlTeamStore.layer,
  SqlApiKeyStore.layer,
  SqlInstallationStore.layer,
  SqlAgentStore.layer,
  SqlCallStore.layer,
  SqlContactStore.layer,
  SqlDoNotCallStore.layer,
  SqlContextVariableStore.layer,
  SqlBusinessContextStore.layer,
  SqlCalendarEventStore.layer,
  SqlReminderStore.layer,
  SqlCalendarConnectionStore.layer,
  SqlOutboxStore.layer,
  SqlWebhookStore.layer,
  SqlDeliveryStore.layer,
  SqlDeliveryQueue.layer,
  SqlSlotHoldStore.layer,
  SqlToolCallStore.layer,
  SqlIdempotencyStore.layer,
  SqlProvisioningStore.layer,
  SqlFundMovementStore.layer,
  SqlContactImportStore.layer,
  SqlContactErasureStore.layer,
  SqlContactRecordStore.layer,
  SqlStatisticStore.layer,
  SqlMemberStore.layer,
  SqlSignInLinkStore.layer,
  SqlSessionStore.layer,
  SqlAuditStore.layer,
  SqlServerNodeStore.layer
).pipe(Layer.provide(Database.layer))
