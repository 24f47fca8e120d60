import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** How many transactions run at once. */
const count = 12

const numbers = Array.from({ length: count }, (_, index) => `+1202555${String(3_000 + index)}`)

/** Runs a change in `count` concurrent transactions. The change receives the index of its transaction, from 0. */
const concurrently = <E, R>(change: (index: number) => Effect.Effect<unknown, E, R>) =>
  Effect.flatMap(Transaction, (transaction) =>
    Effect.forEach(
      Array.from({ length: count }, (_, index) => index),
      (index) => transaction.run(change(index)),
      { concurrency: "unbounded", discard: true }
    )
  )

/**
 * Verifies every method that locks a row: it returns the row, and the rows shown with it, as the previous transaction
 * committed them. A storage with concurrent transactions must read nothing before it has the lock.
 */
export const concurrentChangeSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: concurrent changes under a lock`, (it) => {
    it.effect("twelve concurrent updates of one contact lose no phone number, no tag and no team", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        const team = yield* Samples.makeTeam()
        const { id } = yield* Samples.makeContact(account.id)
        yield* concurrently((index) =>
          Effect.gen(function* () {
            const found = Option.getOrThrow(yield* contacts.findForUpdate(Samples.scopeOf(account), id))
            yield* Effect.yieldNow
            yield* contacts.update({
              ...found,
              team: index === 0 ? team : found.team,
              tags: [...found.tags, `tag ${index}`],
              phoneNumbers: [
                ...found.phoneNumbers,
                Samples.newNumber(numbers[index] ?? "", { primary: found.phoneNumbers.length === 0 })
              ]
            })
          })
        )
        const found = Option.getOrThrow(yield* contacts.find(Samples.scopeOf(account), id))
        expect(found.phoneNumbers.map(({ phoneNumber }) => phoneNumber).toSorted()).toEqual(numbers)
        expect(found.phoneNumbers.filter(({ primary }) => primary)).toHaveLength(1)
        expect(found.tags.toSorted()).toEqual(numbers.map((_, index) => `tag ${index}`).toSorted())
        expect(found.team).toEqual(team)
      })
    )

    it.effect(
      "twelve concurrent updates of one contact lose no do-not-call flag and keep the ids of the phone numbers",
      () =>
        Effect.gen(function* () {
          const contacts = yield* ContactStore
          const account = yield* Samples.makeAccount()
          const contact = yield* Samples.makeContact(account.id, {
            phoneNumbers: numbers.map((number, index) => Samples.newNumber(number, { primary: index === 0 }))
          })
          yield* concurrently((index) =>
            Effect.gen(function* () {
              const found = Option.getOrThrow(yield* contacts.findForUpdate(Samples.scopeOf(account), contact.id))
              yield* Effect.yieldNow
              const phoneNumbers = found.phoneNumbers.map((number, place) =>
                place === index ? { ...number, doNotCall: true, phoneType: `type ${index}` } : number
              )
              yield* contacts.update({ ...found, phoneNumbers })
            })
          )
          const found = Option.getOrThrow(yield* contacts.find(Samples.scopeOf(account), contact.id))
          expect(found.phoneNumbers).toEqual(
            contact.phoneNumbers.map((number, index) => ({ ...number, doNotCall: true, phoneType: `type ${index}` }))
          )
        })
    )

    it.effect("twelve concurrent updates of one calendar event lose neither the team nor the agent", () =>
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const account = yield* Samples.makeAccount()
        const team = yield* Samples.makeTeam()
        const { assistantId, id: agentId, name: agentName } = yield* Samples.makeAgent(account.id)
        const agent = { id: agentId, name: agentName, assistantId }
        const { id, uuid } = yield* Samples.makeCalendarEvent(account.id)
        yield* concurrently((index) =>
          Effect.gen(function* () {
            const key = index % 2 === 0 ? { id } : { uuid }
            const found = Option.getOrThrow(yield* events.findForUpdate(Samples.scopeOf(account), key))
            yield* Effect.yieldNow
            yield* events.update({
              ...found,
              sequence: found.sequence + 1,
              team: index === 0 ? team : found.team,
              aiAgent: index === 1 ? agent : found.aiAgent
            })
          })
        )
        const found = Option.getOrThrow(yield* events.find(Samples.scopeOf(account), { id }))
        expect(found).toMatchObject({ sequence: count, team, aiAgent: agent })
      })
    )

    it.effect(
      "each of twelve concurrent updates of one call reads the contact as the previous transaction committed it",
      () =>
        Effect.gen(function* () {
          const calls = yield* CallStore
          const contacts = yield* ContactStore
          const account = yield* Samples.makeAccount()
          const agent = yield* Samples.makeAgent(account.id)
          const { id: contactId } = yield* Samples.makeContact(account.id, { lastCallDate: Samples.now })
          const shown = { id: contactId, name: "", email: null, company: null, status: "new", stage: "lead" }
          const { callId, id } = yield* Samples.makeCall(account.id, agent, {
            contact: { ...shown, lastCallDate: null }
          })
          yield* concurrently((index) =>
            Effect.gen(function* () {
              const found = Option.getOrThrow(yield* calls.findForUpdate(index % 2 === 0 ? { id } : { callId }))
              yield* Effect.yieldNow
              yield* contacts.touchLastCall(
                contactId,
                DateTime.add(found.contact?.lastCallDate ?? Samples.now, { minutes: 1 })
              )
              yield* calls.update({ ...found, reconcileCount: found.reconcileCount + 1 })
            })
          )
          const found = Option.getOrThrow(yield* calls.find(Samples.scopeOf(account), { id }))
          expect(found.reconcileCount).toBe(count)
          expect(found.contact?.lastCallDate).toEqual(Samples.later(count))
        })
    )

    it.effect("twelve concurrent updates of one variable definition lose no select option", () =>
      Effect.gen(function* () {
        const variables = yield* ContextVariableStore
        const account = yield* Samples.makeAccount()
        const { id } = yield* variables.insert({
          accountId: account.id,
          teamId: null,
          name: "size",
          displayName: "Size",
          description: null,
          variableType: "select",
          contextType: "contact",
          isDefault: false,
          selectOptions: []
        })
        yield* concurrently((index) =>
          Effect.gen(function* () {
            const found = Option.getOrThrow(yield* variables.findOwn(account.id, id))
            yield* Effect.yieldNow
            yield* variables.update({ ...found, selectOptions: [...(found.selectOptions ?? []), String(index)] })
          })
        )
        const found = Option.getOrThrow(yield* variables.findOwn(account.id, id))
        expect(found.selectOptions).toHaveLength(count)
      })
    )

    it.effect("twelve concurrent updates of one account lose no team and no setting", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore
        const { id } = yield* Samples.makeAccount()
        const teams = yield* Effect.forEach(numbers, () => Samples.makeTeam())
        yield* concurrently((index) =>
          Effect.gen(function* () {
            const found = Option.getOrThrow(yield* accounts.findForUpdate(id))
            yield* Effect.yieldNow
            yield* accounts.update({
              ...found,
              teamIds: [...found.teamIds, ...teams.slice(index, index + 1).map((team) => team.id)],
              settings: {
                ...found.settings,
                contactStatuses: [...(found.settings.contactStatuses ?? []), `status ${index}`]
              }
            })
          })
        )
        const { settings, teamIds } = Option.getOrThrow(yield* accounts.find(id))
        expect(new Set(teamIds)).toEqual(new Set(teams.map((team) => team.id)))
        expect(settings.contactStatuses).toHaveLength(count)
      })
    )

    it.effect("only one of twelve concurrent revocations of an API key reads the key as not revoked", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const account = yield* Samples.makeAccount()
        const { id } = yield* keys.insert({
          accountId: account.id,
          name: "key",
          permissions: [],
          prefix: "fd_live_",
          expiresAt: null,
          createdAt: Samples.now,
          digest: Samples.newDigest()
        })
        let unrevoked = 0
        yield* concurrently((index) =>
          Effect.gen(function* () {
            const found = Option.getOrThrow(yield* keys.findForUpdate(account.id, id))
            yield* Effect.yieldNow
            if (found.revokedAt === null) unrevoked += 1
            yield* keys.revoke(id, Samples.later(index))
          })
        )
        expect(unrevoked).toBe(1)
      })
    )
  })
}
