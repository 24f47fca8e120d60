import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import { expect } from "./Expect.ts"
import * as accountStores from "./participation/accountStores.ts"
import * as bookingStores from "./participation/bookingStores.ts"
import * as contactStores from "./participation/contactStores.ts"
import * as erasureStores from "./participation/erasureStores.ts"
import * as deliveryStores from "./participation/deliveryStores.ts"
import * as personStores from "./participation/personStores.ts"
import type { OnStorage, Participation } from "./participation/Participation.ts"
import type { Storage, StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

type Store = Exclude<Storage, Transaction>

/** The writes of each store, by the key of its port. */
const stores: { readonly [Port in Store as Port["key"]]: Participation } = {
  "@frontdesk/core/access/AccountStore": accountStores.accountStore,
  "@frontdesk/core/access/TeamStore": accountStores.teamStore,
  "@frontdesk/core/access/ApiKeyStore": accountStores.apiKeyStore,
  "@frontdesk/core/access/InstallationStore": accountStores.installationStore,
  "@frontdesk/core/agent/AgentStore": accountStores.agentStore,
  "@frontdesk/core/call/CallStore": contactStores.callStore,
  "@frontdesk/core/contact/ContactStore": contactStores.contactStore,
  "@frontdesk/core/contact-file/ContactImportStore": contactStores.contactImportStore,
  "@frontdesk/core/erasure/ContactErasureStore": erasureStores.contactErasureStore,
  "@frontdesk/core/erasure/ContactRecordStore": erasureStores.contactRecordStore,
  "@frontdesk/core/contact/DoNotCallStore": contactStores.doNotCallStore,
  "@frontdesk/core/variable/ContextVariableStore": accountStores.contextVariableStore,
  "@frontdesk/core/business-context/BusinessContextStore": accountStores.businessContextStore,
  "@frontdesk/core/calendar-event/CalendarEventStore": contactStores.calendarEventStore,
  "@frontdesk/core/reminder/ReminderStore": contactStores.reminderStore,
  "@frontdesk/core/external-calendar/CalendarConnectionStore": contactStores.calendarConnectionStore,
  "@frontdesk/core/outbox/OutboxStore": deliveryStores.outboxStore,
  "@frontdesk/core/webhook/WebhookStore": deliveryStores.webhookStore,
  "@frontdesk/core/delivery/DeliveryStore": deliveryStores.deliveryStore,
  "@frontdesk/core/delivery/DeliveryQueue": deliveryStores.deliveryQueue,
  "@frontdesk/core/availability/SlotHoldStore": bookingStores.slotHoldStore,
  "@frontdesk/core/call/ToolCallStore": bookingStores.toolCallStore,
  "@frontdesk/core/idempotency/IdempotencyStore": deliveryStores.idempotencyStore,
  "@frontdesk/core/provisioning/ProvisioningStore": accountStores.provisioningStore,
  "@frontdesk/core/access/FundMovementStore": accountStores.fundMovementStore,
  "@frontdesk/core/statistics/StatisticStore": accountStores.statisticStore,
  "@frontdesk/core/access/MemberStore": personStores.memberStore,
  "@frontdesk/core/access/SignInLinkStore": personStores.signInLinkStore,
  "@frontdesk/core/access/SessionStore": personStores.sessionStore,
  "@frontdesk/core/audit/AuditStore": accountStores.auditStore,
  "@frontdesk/core/operator/ServerNodeStore": accountStores.serverNodeStore
}

/** Options of {@link participationSuite}. */
export interface ParticipationSuiteOptions extends SuiteOptions {
  /** The key of the only store to verify. Default: all stores. */
  readonly only?: Storage["key"]
}

/**
 * Verifies that every write of every store takes part in the transaction around it: nothing of it remains when the
 * transaction fails, and it is stored when the transaction commits. A store that writes to another database than
 * `Transaction` passes all other suites.
 */
export const participationSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  { only, ...options }: ParticipationSuiteOptions = {}
): void => {
  layer(storage, options)(`${name}: participation in transactions`, (it) => {
    for (const [key, writes] of Object.entries(stores)) {
      if (only !== undefined && key !== only) continue
      for (const [method, prepare] of Object.entries(writes)) {
        const write = `${key.replace(/^.*\//, "")}.${method}`
        it.effect(`${write} leaves nothing when its transaction fails, and is stored when it commits`, () =>
          check(prepare)
        )
      }
    }
  })
}

const check = (prepare: Participation[string]): OnStorage<void> =>
  Effect.gen(function* () {
    const { run } = yield* Transaction
    const { view, write } = yield* prepare
    const before = yield* view
    const end = yield* Effect.flip(run(Effect.andThen(write, Effect.fail({ isRolledBack: true }))))
    if ("reason" in end) return yield* end
    expect(yield* view).toEqual(before)
    yield* run(write)
    expect(yield* view).not.toEqual(before)
  })
