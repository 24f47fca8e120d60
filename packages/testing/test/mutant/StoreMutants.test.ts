import { MemoryStorage } from "@frontdesk/storage-memory"
import * as AccessMutants from "@frontdesk/testing/mutant/access"
import * as AgentMutants from "@frontdesk/testing/mutant/agent"
import * as CalendarMutants from "@frontdesk/testing/mutant/calendar"
import * as ContactMutants from "@frontdesk/testing/mutant/contact"
import * as VariableMutants from "@frontdesk/testing/mutant/variable"
import * as CallStoreMutants from "@frontdesk/testing/mutant/callStore"
import * as DeliveryMutants from "@frontdesk/testing/mutant/delivery"
import type { Mutants } from "@frontdesk/testing/mutant/Mutant"
import { mutantSuite } from "@frontdesk/testing/mutant/mutantSuite"
import * as StorageMutants from "@frontdesk/testing/mutant/storage"
import * as WebhookMutants from "@frontdesk/testing/mutant/webhook"
import { accountReferenceSuite } from "@frontdesk/testing/suite/accountReferenceSuite"
import { accountStoreSuite } from "@frontdesk/testing/suite/accountStoreSuite"
import { apiKeyStoreSuite } from "@frontdesk/testing/suite/apiKeyStoreSuite"
import { concurrentChangeSuite } from "@frontdesk/testing/suite/concurrentChangeSuite"
import { installationStoreSuite } from "@frontdesk/testing/suite/installationStoreSuite"
import type { Storage, StorageLayer, SuiteOptions } from "@frontdesk/testing/suite/Storage"
import { teamStoreSuite } from "@frontdesk/testing/suite/teamStoreSuite"
import { agentStoreSuite } from "@frontdesk/testing/suite/agentStoreSuite"
import { contactStoreSuite } from "@frontdesk/testing/suite/contactStoreSuite"
import { doNotCallStoreSuite } from "@frontdesk/testing/suite/doNotCallStoreSuite"
import { contextVariableStoreSuite } from "@frontdesk/testing/suite/contextVariableStoreSuite"
import { businessContextStoreSuite } from "@frontdesk/testing/suite/businessContextStoreSuite"
import { calendarEventStoreSuite } from "@frontdesk/testing/suite/calendarEventStoreSuite"
import { reminderStoreSuite } from "@frontdesk/testing/suite/reminderStoreSuite"
import { calendarConnectionStoreSuite } from "@frontdesk/testing/suite/calendarConnectionStoreSuite"
import { callSnapshotSuite } from "@frontdesk/testing/suite/callSnapshotSuite"
import { callStoreSuite } from "@frontdesk/testing/suite/callStoreSuite"
import { webhookStoreSuite } from "@frontdesk/testing/suite/webhookStoreSuite"
import { webhookDeletionSuite } from "@frontdesk/testing/suite/webhookDeletionSuite"
import { deliveryStoreSuite } from "@frontdesk/testing/suite/deliveryStoreSuite"
import { deliveryQueueSuite } from "@frontdesk/testing/suite/deliveryQueueSuite"
import { deliveryRecoverySuite } from "@frontdesk/testing/suite/deliveryRecoverySuite"
import { deliveryResultSuite } from "@frontdesk/testing/suite/deliveryResultSuite"
import { deliverySweepSuite } from "@frontdesk/testing/suite/deliverySweepSuite"
import { deliveryFairnessSuite } from "@frontdesk/testing/suite/deliveryFairnessSuite"
import { deliveryTransitionSuite } from "@frontdesk/testing/suite/deliveryTransitionSuite"
import { outboxStoreSuite } from "@frontdesk/testing/suite/outboxStoreSuite"
import { outboxFairnessSuite } from "@frontdesk/testing/suite/outboxFairnessSuite"
import { idempotencyStoreSuite } from "@frontdesk/testing/suite/idempotencyStoreSuite"
import { provisioningStoreSuite } from "@frontdesk/testing/suite/provisioningStoreSuite"
import { transactionSuite } from "@frontdesk/testing/suite/transactionSuite"

type Suite = <E>(name: string, storage: StorageLayer<E>, options?: SuiteOptions) => void

const verify = <Self extends Storage>(port: string, mutants: Mutants<Self>, ...suites: ReadonlyArray<Suite>) =>
  mutantSuite(port, mutants, (mutate, runner) => {
    for (const suite of suites) suite<never>("memory", mutate<Storage, never, never>(MemoryStorage.layer), { runner })
  })

verify("AccountStore", AccessMutants.accountStore, accountStoreSuite, accountReferenceSuite)
verify("TeamStore", AccessMutants.teamStore, teamStoreSuite)
verify("ApiKeyStore", AccessMutants.apiKeyStore, apiKeyStoreSuite, concurrentChangeSuite)
verify("InstallationStore", AccessMutants.installationStore, installationStoreSuite)
verify("AgentStore", AgentMutants.agentStore, agentStoreSuite)
verify("ContactStore", ContactMutants.contactStore, contactStoreSuite, doNotCallStoreSuite, callSnapshotSuite)
verify("DoNotCallStore", ContactMutants.doNotCallStore, doNotCallStoreSuite)
verify("ContextVariableStore", VariableMutants.contextVariableStore, contextVariableStoreSuite, concurrentChangeSuite)
verify("BusinessContextStore", VariableMutants.businessContextStore, businessContextStoreSuite)
verify("CalendarEventStore", CalendarMutants.calendarEventStore, calendarEventStoreSuite)
verify("ReminderStore", CalendarMutants.reminderStore, reminderStoreSuite)
verify("CalendarConnectionStore", CalendarMutants.calendarConnectionStore, calendarConnectionStoreSuite)
verify("CallStore", CallStoreMutants.callStore, callStoreSuite, callSnapshotSuite)
verify("WebhookStore", WebhookMutants.webhookStore, webhookStoreSuite, webhookDeletionSuite, deliveryQueueSuite)
const deliverySuites = [
  deliveryStoreSuite,
  deliveryQueueSuite,
  deliveryRecoverySuite,
  deliveryResultSuite,
  deliveryTransitionSuite,
  deliverySweepSuite,
  deliveryFairnessSuite,
  webhookDeletionSuite
]
verify("DeliveryStore", DeliveryMutants.deliveryStore, ...deliverySuites)
verify("DeliveryQueue", DeliveryMutants.deliveryQueue, ...deliverySuites)
verify("OutboxStore", StorageMutants.outboxStore, outboxStoreSuite, outboxFairnessSuite)
verify("IdempotencyStore", StorageMutants.idempotencyStore, idempotencyStoreSuite)
verify("ProvisioningStore", StorageMutants.provisioningStore, provisioningStoreSuite)
verify("Transaction", StorageMutants.transaction, transactionSuite)
