import { ownRows } from "@frontdesk/core/access/Scope"
import { AccountId } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import type { StatisticPart } from "@frontdesk/core/statistics/Statistic"
import { StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { range } from "../suite/StatisticCounts.ts"
import { mutantsOf, rememberOwners } from "./Mutant.ts"

// Only a storage whose transactions run concurrently, such as PostgreSQL, finds these mutants. All their results are
// right, because what they leave out makes other transactions wait.

/** Mutants of `AccountStore` without a lock. */
export const accountStore = mutantsOf(AccountStore, {
  "findForUpdate does not lock the account": (store) => ({ findForUpdate: store.find }),
  "changeFunds without amounts does not lock the account": (store) => ({
    changeFunds: (id, change, cause) =>
      Object.keys(change).length === 0
        ? Effect.map(store.find(id), Option.isSome)
        : store.changeFunds(id, change, cause)
  }),
  "lockFunds does not lock the account": (store) => ({ lockFunds: store.funds })
})

/** Mutants of `AgentStore` without a lock, or that wait for one. */
export const agentStore = mutantsOf(AgentStore, {
  "findForUpdate does not lock the agent": (store) => ({
    findForUpdate: (accountId, id) => store.find({ accountIds: [accountId], teamIds: [] }, { id })
  }),
  "isNumberTaken does not lock the phone number": (store) => ({
    isNumberTaken: (accountId, phoneNumber) =>
      Effect.map(store.listByPhoneNumber(phoneNumber, 1_000), (all) => all.some((one) => one.accountId !== accountId))
  }),
  "lockActive does not lock the agent": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return {
      insert,
      lockActive: (id) =>
        Effect.map(
          store.find({ accountIds: [ownerOf(id, AccountId.make(1))], teamIds: [] }, { id }),
          Option.exists(({ archivedAt }) => archivedAt === null)
        )
    }
  },
  "lockActive waits for other transactions that use it": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return {
      insert,
      lockActive: (id) =>
        Effect.map(
          store.findForUpdate(ownerOf(id, AccountId.make(1)), id),
          Option.exists(({ archivedAt }) => archivedAt === null)
        )
    }
  }
})

/** Mutants of `ApiKeyStore` without a lock. */
export const apiKeyStore = mutantsOf(ApiKeyStore, {
  "findForUpdate does not lock the API key": (store) => ({ findForUpdate: store.find })
})

/** Mutants of `CalendarEventStore` without a lock. */
export const calendarEventStore = mutantsOf(CalendarEventStore, {
  "findForUpdate does not lock the calendar event": (store) => ({ findForUpdate: store.find }),
  "findForUpdate by UUID does not lock the calendar event": (store) => ({
    findForUpdate: (scope, key) => ("uuid" in key ? store.find(scope, key) : store.findForUpdate(scope, key))
  }),
  "lockCalendar does not lock": () => ({ lockCalendar: () => Effect.void })
})

/** Mutants of `CallStore` without a lock. */
export const callStore = mutantsOf(CallStore, {
  "findForUpdate does not lock the call": (store) => {
    let owner: Parameters<typeof store.find>[0] | undefined
    return {
      insert: (call) => {
        owner = ownRows(call.accountId)
        return store.insert(call)
      },
      findForUpdate: (key) => (owner === undefined ? store.findForUpdate(key) : store.find(owner, key))
    }
  }
})

/** Mutants of `ContactStore` without a lock. */
export const contactStore = mutantsOf(ContactStore, {
  "findForUpdate does not lock the contact": (store) => ({ findForUpdate: store.find })
})

/** Mutants of `ContextVariableStore` without a lock. */
export const contextVariableStore = mutantsOf(ContextVariableStore, {
  "findOwn does not lock the definition": (store) => ({
    findOwn: (accountId, id) =>
      Effect.map(store.list(ownRows(accountId), Option.none()), (all) =>
        Option.fromUndefinedOr(all.find((variable) => variable.id === id && variable.accountId === accountId))
      )
  })
})

/** Mutants of `DeliveryQueue` that wait for a lock, or do not return what they skipped. */
export const deliveryQueue = mutantsOf(DeliveryQueue, {
  "record waits for a locked webhook": (queue) => ({
    record: Effect.fnUntraced(function* (results, now) {
      const recorded: Array<number> = []
      let rest = results
      do {
        const found = yield* queue.record(rest, now)
        recorded.push(...found.recorded)
        rest = rest.filter(({ key }) => found.deferred.includes(key))
      } while (rest.length > 0)
      return { recorded, deferred: [] }
    })
  }),
  "record does not return the results of a locked webhook": (queue) => ({
    record: (results, now) => Effect.map(queue.record(results, now), ({ recorded }) => ({ recorded, deferred: [] }))
  }),
  "record also skips the results after those of a locked webhook": (queue) => ({
    record: Effect.fnUntraced(function* (results, now) {
      const first = yield* queue.record(results.slice(0, 1), now)
      if (first.deferred.length > 0) return { recorded: [], deferred: results.map(({ key }) => key) }
      const rest = yield* queue.record(results.slice(1), now)
      return { recorded: [...first.recorded, ...rest.recorded], deferred: rest.deferred }
    })
  })
})

/** Mutants of `DoNotCallStore` without a lock. */
export const doNotCallStore = mutantsOf(DoNotCallStore, {
  "isBlocked does not make additions of the number wait": (store) => ({
    isBlocked: ({ accountId }, number) =>
      Effect.map(store.list(accountId, {}, { page: 1, limit: 1_000 }), ({ items }) => items.includes(number))
  })
})

/** Mutants of `ProvisioningStore` without a lock. */
export const provisioningStore = mutantsOf(ProvisioningStore, {
  "lock does not lock": () => ({ lock: Effect.void })
})

/** Mutants of `ReminderStore` without a lock, or that do not wait for one. */
export const reminderStore = mutantsOf(ReminderStore, {
  "claim does not lock the calendar event": (store) => ({
    claim: (now, reminders) =>
      Effect.map(store.due(now, 1_000), (all) =>
        Option.fromUndefinedOr(all.find((one) => reminders.some(({ eventId }) => eventId === one.eventId)))
      )
  }),
  "claim never waits": (store) => ({ claim: (now, reminders) => store.claim(now, reminders, false) }),
  "claim always waits": (store) => ({ claim: (now, reminders) => store.claim(now, reminders, true) })
})

/** Mutants of `WebhookStore` without a lock. */
export const webhookStore = mutantsOf(WebhookStore, {
  "findForUpdate does not lock the webhook": (store) => ({ findForUpdate: store.find }),
  "subscribers does not prevent the purge of the webhooks": (store) => ({
    subscribers: (accountId, event) =>
      Effect.map(store.list(accountId), (all) =>
        all.flatMap(({ id, status, subscribedEvents }) =>
          status !== "disabled" && subscribedEvents.includes(event) ? [id] : []
        )
      )
  })
})

/** Mutants of `StatisticStore` that wait for other transactions. */
export const statisticStore = mutantsOf(StatisticStore, {
  "take waits for the parts that another transaction has taken": (store) => ({
    take: Effect.fnUntraced(function* (accountId, limit) {
      const taken: Array<StatisticPart> = []
      do taken.push(...(yield* store.take(accountId, limit)))
      while ((yield* store.read(accountId, range)).waiting.length > 0)
      return taken
    })
  })
})
