import { accountReferenceSuite } from "./accountReferenceSuite.ts"
import { accountStoreSuite } from "./accountStoreSuite.ts"
import { agentStoreSuite } from "./agentStoreSuite.ts"
import { apiKeyStoreSuite } from "./apiKeyStoreSuite.ts"
import { businessContextStoreSuite } from "./businessContextStoreSuite.ts"
import { calendarConnectionStoreSuite } from "./calendarConnectionStoreSuite.ts"
import { calendarEventStoreSuite } from "./calendarEventStoreSuite.ts"
import { callSnapshotSuite } from "./callSnapshotSuite.ts"
import { callStoreSuite } from "./callStoreSuite.ts"
import { contactStoreSuite } from "./contactStoreSuite.ts"
import { contextVariableStoreSuite } from "./contextVariableStoreSuite.ts"
import { concurrentChangeSuite } from "./concurrentChangeSuite.ts"
import { deliveryFairnessSuite } from "./deliveryFairnessSuite.ts"
import { deliveryQueueSuite } from "./deliveryQueueSuite.ts"
import { deliveryRecoverySuite } from "./deliveryRecoverySuite.ts"
import { deliveryResultSuite } from "./deliveryResultSuite.ts"
import { deliveryStoreSuite } from "./deliveryStoreSuite.ts"
import { deliverySweepSuite } from "./deliverySweepSuite.ts"
import { deliveryTransitionSuite } from "./deliveryTransitionSuite.ts"
import { doNotCallStoreSuite } from "./doNotCallStoreSuite.ts"
import { idempotencyStoreSuite } from "./idempotencyStoreSuite.ts"
import { installationStoreSuite } from "./installationStoreSuite.ts"
import { isolationSuite } from "./isolationSuite.ts"
import { outboxFairnessSuite } from "./outboxFairnessSuite.ts"
import { outboxStoreSuite } from "./outboxStoreSuite.ts"
import { provisioningStoreSuite } from "./provisioningStoreSuite.ts"
import { reminderStoreSuite } from "./reminderStoreSuite.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { teamStoreSuite } from "./teamStoreSuite.ts"
import { transactionSuite } from "./transactionSuite.ts"
import { webhookDeletionSuite } from "./webhookDeletionSuite.ts"
import { webhookStoreSuite } from "./webhookStoreSuite.ts"

/**
 * Verifies all ports of a storage. Call it in a test file of the adapter:
 *
 * @example
 * ```ts
 * import { MemoryStorage } from "@frontdesk/storage-memory"
 * import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
 *
 * storageSuite("memory", MemoryStorage.layer)
 * ```
 */
export const storageSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  const suites = [
    transactionSuite,
    isolationSuite,
    accountStoreSuite,
    accountReferenceSuite,
    teamStoreSuite,
    apiKeyStoreSuite,
    installationStoreSuite,
    agentStoreSuite,
    callStoreSuite,
    callSnapshotSuite,
    contactStoreSuite,
    doNotCallStoreSuite,
    contextVariableStoreSuite,
    businessContextStoreSuite,
    calendarEventStoreSuite,
    concurrentChangeSuite,
    reminderStoreSuite,
    calendarConnectionStoreSuite,
    outboxStoreSuite,
    outboxFairnessSuite,
    webhookStoreSuite,
    deliveryStoreSuite,
    deliveryRecoverySuite,
    deliverySweepSuite,
    deliveryQueueSuite,
    deliveryFairnessSuite,
    deliveryResultSuite,
    deliveryTransitionSuite,
    webhookDeletionSuite,
    idempotencyStoreSuite,
    provisioningStoreSuite
  ]
  for (const suite of suites) suite(name, storage, options)
}
