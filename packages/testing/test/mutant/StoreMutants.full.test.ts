import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { AuditStore } from "@frontdesk/core/audit/AuditStore"
import { FundMovementStore } from "@frontdesk/core/access/FundMovementStore"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import { MemberStore } from "@frontdesk/core/access/MemberStore"
import { SessionStore } from "@frontdesk/core/access/SessionStore"
import { SignInLinkStore } from "@frontdesk/core/access/SignInLinkStore"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import { SlotHoldStore } from "@frontdesk/core/availability/SlotHoldStore"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { ContactImportStore } from "@frontdesk/core/contact-file/ContactImportStore"
import { ContactErasureStore } from "@frontdesk/core/erasure/ContactErasureStore"
import { ContactRecordStore } from "@frontdesk/core/erasure/ContactRecordStore"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { CalendarConnectionStore } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import { ServerNodeStore } from "@frontdesk/core/operator/ServerNodeStore"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import { StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as AccessMutants from "@frontdesk/testing/mutant/access"
import * as AgentMutants from "@frontdesk/testing/mutant/agent"
import * as CalendarMutants from "@frontdesk/testing/mutant/calendar"
import * as CallStoreMutants from "@frontdesk/testing/mutant/callStore"
import * as ContactMutants from "@frontdesk/testing/mutant/contact"
import * as ContactImportMutants from "@frontdesk/testing/mutant/contactImport"
import * as ContactErasureMutants from "@frontdesk/testing/mutant/contactErasure"
import * as ContactRecordMutants from "@frontdesk/testing/mutant/contactRecord"
import * as DeliveryMutants from "@frontdesk/testing/mutant/delivery"
import * as CancellationMutants from "@frontdesk/testing/mutant/deliveryCancellation"
import * as ClaimMutants from "@frontdesk/testing/mutant/deliveryClaim"
import * as CountMutants from "@frontdesk/testing/mutant/deliveryCounts"
import type { DeliveryPorts } from "@frontdesk/testing/mutant/deliveryPorts"
import * as RecordMutants from "@frontdesk/testing/mutant/deliveryRecord"
import { type Mutants, withoutTransactions } from "@frontdesk/testing/mutant/Mutant"
import { mutantSuite } from "@frontdesk/testing/mutant/mutantSuite"
import * as EventCustomerMutants from "@frontdesk/testing/mutant/eventCustomer"
import * as AuditMutants from "@frontdesk/testing/mutant/audit"
import * as FundMutants from "@frontdesk/testing/mutant/fundMovement"
import * as OutboxMutants from "@frontdesk/testing/mutant/outboxClaim"
import * as RenewalMutants from "@frontdesk/testing/mutant/outboxRenewal"
import * as MemberMutants from "@frontdesk/testing/mutant/member"
import * as ServerNodeMutants from "@frontdesk/testing/mutant/serverNode"
import * as SignInMutants from "@frontdesk/testing/mutant/signIn"
import * as SlotHoldMutants from "@frontdesk/testing/mutant/slotHold"
import * as StatisticMutants from "@frontdesk/testing/mutant/statistic"
import * as StorageMutants from "@frontdesk/testing/mutant/storage"
import * as ToolCallMutants from "@frontdesk/testing/mutant/toolCall"
import * as VariableMutants from "@frontdesk/testing/mutant/variable"
import * as WebhookMutants from "@frontdesk/testing/mutant/webhook"
import { concurrentChangeSuite } from "@frontdesk/testing/suite/concurrentChangeSuite"
import { participationSuite } from "@frontdesk/testing/suite/participationSuite"
import type { Storage } from "@frontdesk/testing/suite/Storage"
import { storageSuites } from "@frontdesk/testing/suite/storageSuites"
import type * as Context from "effect/Context"

/** Verifies that the suites of a store find its mutants, and that its writes are found outside the transaction. */
const verify = <Self extends Storage, Shape>(
  port: Context.Key<Self, Shape> & { readonly key: Self["key"] },
  mutants: Mutants<Self>
): void => {
  const name = port.key.slice(port.key.lastIndexOf("/") + 1)
  const { layer } = MemoryStorage
  mutantSuite<Self>(name, mutants, (mutate, runner) => {
    for (const suite of [...storageSuites[port.key], concurrentChangeSuite]) {
      suite<never>("memory", mutate<Storage, never, never>(layer), { runner })
    }
  })
  // A store that only reads has no write that could stay.
  if (port.key === Transaction.key || port.key === ContactRecordStore.key) return
  const outside = {
    "the store takes no part in transactions": withoutTransactions<Self, Shape, Storage, never>(port, layer)
  }
  mutantSuite<Self>(`${name} without transactions`, outside, (mutate, runner) =>
    participationSuite<never>("memory", mutate<Storage, never, never>(layer), { runner, only: port.key })
  )
}

verify(AccountStore, AccessMutants.accountStore)
verify(TeamStore, AccessMutants.teamStore)
verify(ApiKeyStore, AccessMutants.apiKeyStore)
verify(InstallationStore, AccessMutants.installationStore)
verify(AgentStore, AgentMutants.agentStore)
verify(ContactStore, ContactMutants.contactStore)
verify(ContactImportStore, ContactImportMutants.contactImportStore)
verify(ContactErasureStore, ContactErasureMutants.contactErasureStore)
verify(ContactRecordStore, ContactRecordMutants.contactRecordStore)
verify(DoNotCallStore, ContactMutants.doNotCallStore)
verify(ContextVariableStore, VariableMutants.contextVariableStore)
verify(BusinessContextStore, VariableMutants.businessContextStore)
verify(CalendarEventStore, CalendarMutants.calendarEventStore)
verify(CalendarEventStore, EventCustomerMutants.eventCustomers)
verify(ReminderStore, CalendarMutants.reminderStore)
verify(CalendarConnectionStore, CalendarMutants.calendarConnectionStore)
verify(CallStore, CallStoreMutants.callStore)
verify(WebhookStore, WebhookMutants.webhookStore)
verify(DeliveryStore, { ...DeliveryMutants.deliveryStore, ...CancellationMutants.cancelOpen })
verify(DeliveryQueue, { ...DeliveryMutants.deliveryQueue, ...RecordMutants.record })
verify(OutboxStore, { ...StorageMutants.outboxStore, ...OutboxMutants.claimOrder, ...RenewalMutants.renewal })
verify(SlotHoldStore, SlotHoldMutants.slotHoldStore)
verify(ToolCallStore, ToolCallMutants.toolCallStore)
verify(IdempotencyStore, StorageMutants.idempotencyStore)
verify(ProvisioningStore, StorageMutants.provisioningStore)
verify(FundMovementStore, FundMutants.fundMovementStore)
verify(StatisticStore, StatisticMutants.statisticStore)
verify(MemberStore, MemberMutants.memberStore)
verify(SignInLinkStore, SignInMutants.signInLinkStore)
verify(SessionStore, SignInMutants.sessionStore)
verify(AuditStore, AuditMutants.auditStore)
verify(ServerNodeStore, ServerNodeMutants.serverNodeStore)
verify(Transaction, StorageMutants.transaction)

/** Verifies that the suites of `DeliveryQueue` find mutants that change several ports of deliveries. */
const verifyDeliveries = (name: string, mutants: Mutants<DeliveryPorts>): void =>
  mutantSuite<DeliveryPorts>(name, mutants, (mutate, runner) => {
    for (const suite of storageSuites[DeliveryQueue.key]) {
      suite<never>("memory", mutate<Storage, never, never>(MemoryStorage.layer), { runner })
    }
  })

verifyDeliveries("DeliveryQueue.claim", ClaimMutants.claim)
verifyDeliveries("DeliveryQueue.record, counts", CountMutants.counts)

for (const [name, mutate] of Object.entries(ClaimMutants.claimWithoutFault)) {
  mutantSuite(`no fault, with the claim "${name}"`, {}, (_, runner) => {
    for (const suite of storageSuites[DeliveryQueue.key]) {
      suite<never>("memory", mutate<Storage, never, never>(MemoryStorage.layer), { runner })
    }
  })
}

for (const [name, mutate] of Object.entries(OutboxMutants.claimOrderWithoutFault)) {
  mutantSuite(`no fault, with the claim of tasks "${name}"`, {}, (_, runner) => {
    for (const suite of storageSuites[OutboxStore.key]) {
      suite<never>("memory", mutate<Storage, never, never>(MemoryStorage.layer), { runner })
    }
  })
}
