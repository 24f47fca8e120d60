import { accountReferenceSuite } from "./accountReferenceSuite.ts"
import { accountStoreSuite } from "./accountStoreSuite.ts"
import { agentArchiveSuite } from "./agentArchiveSuite.ts"
import { agentStoreSuite } from "./agentStoreSuite.ts"
import { apiKeyStoreSuite } from "./apiKeyStoreSuite.ts"
import { businessContextStoreSuite } from "./businessContextStoreSuite.ts"
import { calendarConnectionStoreSuite } from "./calendarConnectionStoreSuite.ts"
import { calendarEventStoreSuite } from "./calendarEventStoreSuite.ts"
import { callSearchSuite } from "./callSearchSuite.ts"
import { callSnapshotSuite } from "./callSnapshotSuite.ts"
import { callStoreSuite } from "./callStoreSuite.ts"
import { contactErasureStoreSuite } from "./contactErasureStoreSuite.ts"
import { contactRecordStoreSuite } from "./contactRecordStoreSuite.ts"
import { contactImportStoreSuite } from "./contactImportStoreSuite.ts"
import { contactLookUpSuite } from "./contactLookUpSuite.ts"
import { contactStoreSuite } from "./contactStoreSuite.ts"
import { contextVariableStoreSuite } from "./contextVariableStoreSuite.ts"
import { concurrentChangeSuite } from "./concurrentChangeSuite.ts"
import { deliveryClaimSuite } from "./deliveryClaimSuite.ts"
import { deliveryCountSuite } from "./deliveryCountSuite.ts"
import { deliveryFairnessSuite } from "./deliveryFairnessSuite.ts"
import { deliveryQueueSuite } from "./deliveryQueueSuite.ts"
import { deliveryRecoverySuite } from "./deliveryRecoverySuite.ts"
import { deliveryResultSuite } from "./deliveryResultSuite.ts"
import { deliveryStoreSuite } from "./deliveryStoreSuite.ts"
import { deliverySweepSuite } from "./deliverySweepSuite.ts"
import { deliveryTransitionSuite } from "./deliveryTransitionSuite.ts"
import { doNotCallStoreSuite } from "./doNotCallStoreSuite.ts"
import { eventCustomerSuite } from "./eventCustomerSuite.ts"
import { eventListSuite } from "./eventListSuite.ts"
import { auditStoreSuite } from "./auditStoreSuite.ts"
import { fundMovementStoreSuite } from "./fundMovementStoreSuite.ts"
import { idempotencyStoreSuite } from "./idempotencyStoreSuite.ts"
import { installationStoreSuite } from "./installationStoreSuite.ts"
import { isolationSuite } from "./isolationSuite.ts"
import { lockSuite } from "./lockSuite.ts"
import { memberStoreSuite } from "./memberStoreSuite.ts"
import { outboxFairnessSuite } from "./outboxFairnessSuite.ts"
import { outboxRenewalSuite } from "./outboxRenewalSuite.ts"
import { outboxStoreSuite } from "./outboxStoreSuite.ts"
import { provisioningStoreSuite } from "./provisioningStoreSuite.ts"
import { reminderStoreSuite } from "./reminderStoreSuite.ts"
import { serverNodeStoreSuite } from "./serverNodeStoreSuite.ts"
import { sessionStoreSuite } from "./sessionStoreSuite.ts"
import { signInLinkStoreSuite } from "./signInLinkStoreSuite.ts"
import { slotHoldStoreSuite } from "./slotHoldStoreSuite.ts"
import { statisticPartSuite, statisticStoreSuite } from "./statisticStoreSuite.ts"
import { teamStoreSuite } from "./teamStoreSuite.ts"
import { toolCallStoreSuite } from "./toolCallStoreSuite.ts"
import { transactionSuite } from "./transactionSuite.ts"
import { webhookDeletionSuite } from "./webhookDeletionSuite.ts"
import { webhookStoreSuite } from "./webhookStoreSuite.ts"
import type { Storage, StorageLayer, SuiteOptions } from "./Storage.ts"

/** A contract suite that runs on a whole storage. */
type StorageSuite = <E>(name: string, storage: StorageLayer<E>, options?: SuiteOptions) => void

/** The suites that verify each port of a storage, by the key of the port. A suite may verify several ports. */
export const storageSuites: { readonly [Port in Storage as Port["key"]]: ReadonlyArray<StorageSuite> } = {
  "@frontdesk/core/access/AccountStore": [accountStoreSuite, accountReferenceSuite, fundMovementStoreSuite, lockSuite],
  "@frontdesk/core/access/TeamStore": [teamStoreSuite, accountReferenceSuite],
  "@frontdesk/core/access/ApiKeyStore": [apiKeyStoreSuite, accountReferenceSuite, lockSuite],
  "@frontdesk/core/access/InstallationStore": [installationStoreSuite],
  "@frontdesk/core/agent/AgentStore": [agentStoreSuite, agentArchiveSuite, lockSuite],
  "@frontdesk/core/call/CallStore": [callStoreSuite, callSearchSuite, callSnapshotSuite, toolCallStoreSuite, lockSuite],
  "@frontdesk/core/contact/ContactStore": [
    contactStoreSuite,
    contactLookUpSuite,
    eventCustomerSuite,
    doNotCallStoreSuite,
    lockSuite
  ],
  "@frontdesk/core/contact-file/ContactImportStore": [contactImportStoreSuite],
  "@frontdesk/core/erasure/ContactErasureStore": [contactErasureStoreSuite],
  "@frontdesk/core/erasure/ContactRecordStore": [contactRecordStoreSuite],
  "@frontdesk/core/contact/DoNotCallStore": [doNotCallStoreSuite, lockSuite],
  "@frontdesk/core/variable/ContextVariableStore": [contextVariableStoreSuite, lockSuite],
  "@frontdesk/core/business-context/BusinessContextStore": [businessContextStoreSuite],
  "@frontdesk/core/calendar-event/CalendarEventStore": [
    calendarEventStoreSuite,
    eventCustomerSuite,
    eventListSuite,
    concurrentChangeSuite,
    lockSuite
  ],
  "@frontdesk/core/reminder/ReminderStore": [reminderStoreSuite, lockSuite],
  "@frontdesk/core/external-calendar/CalendarConnectionStore": [calendarConnectionStoreSuite, accountReferenceSuite],
  "@frontdesk/core/outbox/OutboxStore": [outboxStoreSuite, outboxFairnessSuite, outboxRenewalSuite],
  "@frontdesk/core/webhook/WebhookStore": [webhookStoreSuite, webhookDeletionSuite, deliveryQueueSuite, lockSuite],
  "@frontdesk/core/delivery/DeliveryStore": [
    deliveryStoreSuite,
    deliveryQueueSuite,
    deliveryRecoverySuite,
    deliverySweepSuite,
    deliveryTransitionSuite,
    webhookDeletionSuite
  ],
  "@frontdesk/core/delivery/DeliveryQueue": [
    deliveryQueueSuite,
    deliveryRecoverySuite,
    deliveryFairnessSuite,
    deliveryClaimSuite,
    deliveryResultSuite,
    deliveryCountSuite,
    deliveryTransitionSuite
  ],
  "@frontdesk/core/availability/SlotHoldStore": [slotHoldStoreSuite],
  "@frontdesk/core/call/ToolCallStore": [toolCallStoreSuite],
  "@frontdesk/core/idempotency/IdempotencyStore": [idempotencyStoreSuite],
  "@frontdesk/core/provisioning/ProvisioningStore": [provisioningStoreSuite, lockSuite],
  "@frontdesk/core/access/FundMovementStore": [fundMovementStoreSuite],
  "@frontdesk/core/statistics/StatisticStore": [statisticStoreSuite, statisticPartSuite],
  "@frontdesk/core/access/MemberStore": [memberStoreSuite],
  "@frontdesk/core/access/SignInLinkStore": [signInLinkStoreSuite],
  "@frontdesk/core/access/SessionStore": [sessionStoreSuite, memberStoreSuite],
  "@frontdesk/core/audit/AuditStore": [auditStoreSuite],
  "@frontdesk/core/operator/ServerNodeStore": [serverNodeStoreSuite],
  "@frontdesk/core/storage/Transaction": [transactionSuite, isolationSuite, concurrentChangeSuite, lockSuite]
}
