import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as LockMutants from "@frontdesk/testing/mutant/lock"
import type { Mutants } from "@frontdesk/testing/mutant/Mutant"
import { mutantSuite } from "@frontdesk/testing/mutant/mutantSuite"
import { lockSuite } from "@frontdesk/testing/suite/lockSuite"
import type { Storage } from "@frontdesk/testing/suite/Storage"
import { withoutWaitingSuite } from "@frontdesk/testing/suite/withoutWaitingSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

const storage = Layer.unwrap(
  Effect.map(TestDatabase.withTables, (url) => PostgresStorage.layer({ url: Redacted.make(url) }))
)

/** Verifies that the suites of locks find mutants that the suites of a storage without concurrency cannot find. */
const verify = <Self extends Storage>(name: string, mutants: Mutants<Self>): void =>
  mutantSuite<Self>(name, mutants, (mutate, runner) => {
    const mutant = mutate<Storage, unknown, never>(storage)
    lockSuite("PostgreSQL", mutant, { runner })
    withoutWaitingSuite("PostgreSQL", mutant, { runner })
  })

verify("AccountStore", LockMutants.accountStore)
verify("AgentStore", LockMutants.agentStore)
verify("ApiKeyStore", LockMutants.apiKeyStore)
verify("CalendarEventStore", LockMutants.calendarEventStore)
verify("CallStore", LockMutants.callStore)
verify("ContactStore", LockMutants.contactStore)
verify("ContextVariableStore", LockMutants.contextVariableStore)
verify("DeliveryQueue", LockMutants.deliveryQueue)
verify("DoNotCallStore", LockMutants.doNotCallStore)
verify("ProvisioningStore", LockMutants.provisioningStore)
verify("ReminderStore", LockMutants.reminderStore)
verify("StatisticStore", LockMutants.statisticStore)
verify("WebhookStore", LockMutants.webhookStore)
