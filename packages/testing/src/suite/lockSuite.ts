import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import { ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { Money } from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { expect } from "./Expect.ts"
import type { OnStorage } from "./participation/Participation.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** How many transactions take the lock at once. */
const count = 4

/** How many reads a transaction with a lock makes at most. A transaction that does not wait needs fewer to be noticed. */
const maxReads = 50

/** Stores what a lock needs. Returns the call that locks, for the transaction with this index, from 0. */
type Lock = OnStorage<(index: number) => OnStorage<unknown>>

/** Every call that locks something until its transaction ends. */
const locks: Readonly<Record<string, Lock>> = {
  "AccountStore.lockFunds and changeFunds of one account, with and without an amount": Effect.gen(function* () {
    const accounts = yield* AccountStore
    const { id } = yield* Samples.makeAccount()
    const changes = [{}, { deposits: Money.make(1) }]
    return (index) => {
      const change = changes[index % 3]
      return change === undefined
        ? Effect.asVoid(accounts.lockFunds(id))
        : Effect.asVoid(accounts.changeFunds(id, change, Samples.cause))
    }
  }),
  "AccountStore.findForUpdate of one account, and changeFunds": Effect.gen(function* () {
    const accounts = yield* AccountStore
    const { id } = yield* Samples.makeAccount()
    return (index) =>
      index % 2 === 0
        ? Effect.map(accounts.findForUpdate(id), Option.isSome)
        : accounts.changeFunds(id, { deposits: Money.make(1) }, Samples.cause)
  }),
  "AgentStore.findForUpdate of one agent": Effect.gen(function* () {
    const agents = yield* AgentStore
    const account = yield* Samples.makeAccount()
    const { id } = yield* Samples.makeAgent(account.id)
    return () => agents.findForUpdate(account.id, id)
  }),
  "AgentStore.isNumberTaken of one phone number, for two accounts": Effect.gen(function* () {
    const agents = yield* AgentStore
    const [one, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
    const phoneNumber = Samples.uniqueNumber()
    return (index) => agents.isNumberTaken(index % 2 === 0 ? one.id : other.id, phoneNumber)
  }),
  "ApiKeyStore.findForUpdate of one API key": Effect.gen(function* () {
    const keys = yield* ApiKeyStore
    const account = yield* Samples.makeAccount()
    const { id } = yield* keys.insert(Samples.newApiKey(account.id))
    return () => keys.findForUpdate(account.id, id)
  }),
  "CalendarEventStore.findForUpdate of one calendar event, by id and by UUID": Effect.gen(function* () {
    const events = yield* CalendarEventStore
    const account = yield* Samples.makeAccount()
    const { id, uuid } = yield* Samples.makeCalendarEvent(account.id)
    return (index) => events.findForUpdate(Samples.scopeOf(account), index % 2 === 0 ? { id } : { uuid })
  }),
  "CalendarEventStore.lockCalendar of one account": Effect.gen(function* () {
    const events = yield* CalendarEventStore
    const { id } = yield* Samples.makeAccount()
    return () => events.lockCalendar(id)
  }),
  "CallStore.findForUpdate of one call, by id and by call id": Effect.gen(function* () {
    const calls = yield* CallStore
    const account = yield* Samples.makeAccount()
    const { callId, id } = yield* Samples.makeCall(account.id, yield* Samples.makeAgent(account.id))
    return (index) => calls.findForUpdate(index % 2 === 0 ? { id } : { callId })
  }),
  "ContactStore.findForUpdate of one contact": Effect.gen(function* () {
    const contacts = yield* ContactStore
    const account = yield* Samples.makeAccount()
    const { id } = yield* Samples.makeContact(account.id)
    return () => contacts.findForUpdate(Samples.scopeOf(account), id)
  }),
  "ContextVariableStore.findOwn of one definition": Effect.gen(function* () {
    const variables = yield* ContextVariableStore
    const account = yield* Samples.makeAccount()
    const { id } = yield* variables.insert(Samples.newVariable(account.id, "size"))
    return () => variables.findOwn(account.id, id)
  }),
  "ProvisioningStore.lock": Effect.map(
    ProvisioningStore,
    ({ lock }) =>
      () =>
        lock
  ),
  "ReminderStore.claim of one reminder, with waiting": Effect.gen(function* () {
    const reminders = yield* ReminderStore
    const account = yield* Samples.makeAccount()
    const { id: eventId } = yield* Samples.makeCalendarEvent(account.id)
    yield* reminders.schedule(eventId, Samples.now)
    return () => reminders.claim(Samples.now, [{ eventId, dueAt: Samples.now }], true)
  }),
  "WebhookStore.findForUpdate of one webhook": Effect.gen(function* () {
    const webhooks = yield* WebhookStore
    const account = yield* Samples.makeAccount()
    const { id } = yield* Samples.makeWebhook(account.id)
    return () => webhooks.findForUpdate(account.id, id)
  })
}

/**
 * Verifies that a lock lasts until its transaction ends: other transactions that take the same lock wait until then, and
 * get the same result. A storage whose transactions run one after the other passes without locks.
 */
export const lockSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: locks`, (it) => {
    for (const [lock, prepare] of Object.entries(locks)) {
      it.effect(`${lock} locks until the transaction ends`, () =>
        Effect.gen(function* () {
          const { run } = yield* Transaction
          const take = yield* prepare
          let [locked, maxLocked] = [0, 0]
          const hold = Effect.acquireUseRelease(
            Effect.sync(() => {
              locked += 1
              maxLocked = Math.max(maxLocked, locked)
            }),
            () => readUntil(() => maxLocked > 1),
            () => Effect.sync(() => (locked -= 1))
          )
          const results = yield* Effect.forEach(
            Array.from({ length: count }, (_, index) => index),
            // A storage may send a call that returns nothing together with the next one. So the lock is taken after a read.
            (index) => run(Effect.tap(take(index), () => Effect.andThen(read, hold))),
            { concurrency: "unbounded" }
          )
          expect(maxLocked).toBe(1)
          expect(results).toEqual(results.map(() => results[0]))
        })
      )
    }

    it.effect("AgentStore.lockActive makes a transaction that archives the agent wait until the transaction ends", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const agents = yield* AgentStore
        const account = yield* Samples.makeAccount()
        const agent = yield* Samples.makeAgent(account.id)
        const locked = yield* Deferred.make<void>()
        let isArchived = false
        const start = Effect.gen(function* () {
          expect(yield* agents.lockActive(agent.id)).toBe(true)
          yield* Deferred.succeed(locked, undefined)
          yield* readUntil(() => isArchived)
          return isArchived
        })
        const archive = Effect.gen(function* () {
          const found = Option.getOrThrow(yield* agents.findForUpdate(account.id, agent.id))
          yield* agents.update({ ...found, archivedAt: Samples.now })
          isArchived = true
        })
        const waiting = Effect.andThen(Deferred.await(locked), run(archive))
        const [wasArchived] = yield* Effect.all([run(start), waiting], { concurrency: "unbounded" })
        expect([wasArchived, isArchived]).toEqual([false, true])
        expect(yield* agents.lockActive(agent.id)).toBe(false)
      })
    )

    it.effect("AgentStore.lockActive waits for a transaction that archives the agent, and then returns false", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const agents = yield* AgentStore
        const account = yield* Samples.makeAccount()
        const agent = yield* Samples.makeAgent(account.id)
        const locked = yield* Deferred.make<void>()
        let isChecked = false
        const archive = Effect.gen(function* () {
          const found = Option.getOrThrow(yield* agents.findForUpdate(account.id, agent.id))
          yield* Deferred.succeed(locked, undefined)
          yield* readUntil(() => isChecked)
          yield* agents.update({ ...found, archivedAt: Samples.now })
        })
        const start = Effect.gen(function* () {
          yield* Deferred.await(locked)
          return yield* run(Effect.tap(agents.lockActive(agent.id), () => Effect.sync(() => (isChecked = true))))
        })
        const [, isActive] = yield* Effect.all([run(archive), start], { concurrency: "unbounded" })
        expect(isActive).toBe(false)
      })
    )

    it.effect("DoNotCallStore.isBlocked makes a transaction that adds the number wait until the transaction ends", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const lists = yield* DoNotCallStore
        const scope = Samples.scopeOf(yield* Samples.makeAccount())
        const other = yield* Samples.makeAccount()
        const number = PhoneNumber.make("+12025553199")
        const checked = yield* Deferred.make<void>()
        let isAdded = false
        const dial = Effect.gen(function* () {
          expect(yield* lists.isBlocked(scope, number)).toBe(false)
          yield* Deferred.succeed(checked, undefined)
          yield* readUntil(() => isAdded)
          return isAdded
        })
        const add = Effect.gen(function* () {
          yield* Deferred.await(checked)
          yield* lists.add(other.id, [number])
          isAdded = true
        })
        const [wasAdded] = yield* Effect.all([run(dial), add], { concurrency: "unbounded" })
        expect([wasAdded, isAdded]).toEqual([false, true])
      })
    )

    it.effect("deliveries can be added for the result of WebhookStore.subscribers while the webhook is deleted", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const webhooks = yield* WebhookStore
        const webhook = yield* Samples.makeWebhook((yield* Samples.makeAccount()).id)
        const { accountId, id } = webhook
        const found = yield* Deferred.make<void>()
        let isPurged = false
        const publish = Effect.gen(function* () {
          expect(yield* webhooks.subscribers(accountId, "call.ended")).toEqual([id])
          yield* Deferred.succeed(found, undefined)
          yield* readUntil(() => isPurged)
          yield* Deliveries.add(webhook, "call:1")
        })
        const remove = Effect.gen(function* () {
          yield* Deferred.await(found)
          expect(yield* webhooks.delete(accountId, id)).toBe(true)
          yield* Deliveries.purge
          isPurged = true
        })
        yield* Effect.all([run(publish), remove], { concurrency: "unbounded" })
        expect(yield* webhooks.find(accountId, id)).toEqual(Option.none())
      })
    )
  })
}

/** Reads from the storage, until the condition holds or another transaction has had the time to do what it should not. */
const readUntil = (isOver: () => boolean) =>
  Effect.gen(function* () {
    for (let reads = 0; reads < maxReads && !isOver(); reads++) yield* read
  })

const read = Effect.flatMap(AccountStore, (accounts) => accounts.list(null, 1))
