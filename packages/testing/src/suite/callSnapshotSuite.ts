import type { Scope } from "@frontdesk/core/access/Scope"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import type { Call } from "@frontdesk/core/call/Call"
import { callContact } from "@frontdesk/core/call/QueuedCall"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { page } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies which agent, contact and team a `CallStore` shows in a call after these have changed. */
export const callSnapshotSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: CallStore, agent, contact and team of a call`, (it) => {
    it.effect("a call shows its agent as it was when the call was made, and its team with the present name", () =>
      Effect.gen(function* () {
        const { account, agent } = yield* Samples.makeCaller
        const team = yield* Samples.makeTeam("Before")
        const call = yield* Samples.makeCall(account.id, agent, { team })
        yield* (yield* TeamStore).rename(team.id, "After")
        yield* (yield* AgentStore).update({ ...agent, name: "Grace" })
        const after = { ...call, team: { id: team.id, name: "After" } }
        expect(yield* readAs(Samples.scopeOf(account), call)).toEqual([after, after])
      })
    )

    it.effect("a call shows the contact as it is now to a reader who can see the contact", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const { account, agent } = yield* Samples.makeCaller
        const contact = yield* Samples.makeContact(account.id, { firstName: "Jo", email: "jo@example.com" })
        const call = yield* Samples.makeCall(account.id, agent, { contact: callContact(contact) })
        expect(call.contact).toEqual(callContact(contact))

        const later = { ...contact, firstName: null, lastName: "Doe", company: "Acme", stage: "won" }
        yield* contacts.update(later)
        yield* contacts.touchLastCall(contact.id, Samples.later(3))
        const shown = { ...call, contact: { ...callContact(later), lastCallDate: Samples.later(3) } }
        expect(yield* readAs(Samples.scopeOf(account), call)).toEqual([shown, shown])
        expect(yield* readForUpdate(call)).toEqual(shown)
      })
    )

    it.effect("a call shows the contact as it was when the call was made to a reader who cannot see the contact", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const team = yield* Samples.makeTeam()
        const { account, agent } = yield* Samples.makeCaller
        const mate = Samples.scopeOf(yield* Samples.makeAccount())
        const contact = yield* Samples.makeContact(account.id, { firstName: "Jo", lastName: "Doe", company: "Acme" })
        const call = yield* Samples.makeCall(account.id, agent, { team, contact: callContact(contact) })
        yield* contacts.update({ ...contact, firstName: "Joan", company: "Initech", email: "new@example.com" })
        yield* contacts.touchLastCall(contact.id, Samples.later(3))
        expect(yield* readAs({ ...mate, teamIds: [team.id] }, call)).toEqual([call, call])
      })
    )

    it.effect(
      "a call shows a contact that left the team as it was when the call was made, and as it is now when it returns",
      () =>
        Effect.gen(function* () {
          const contacts = yield* ContactStore
          const team = yield* Samples.makeTeam()
          const { account, agent } = yield* Samples.makeCaller
          const owner = yield* Samples.makeAccount()
          yield* (yield* AccountStore).update({ ...account, teamIds: [team.id] })
          const scope = { accountId: account.id, teamIds: [team.id] }
          const contact = yield* Samples.makeContact(owner.id, { firstName: "Jo", team })
          const call = yield* Samples.makeCall(account.id, agent, { contact: callContact(contact) })

          const withdrawn = { ...contact, firstName: "Joan", status: "won", team: null }
          yield* contacts.update(withdrawn)
          yield* contacts.touchLastCall(contact.id, Samples.later(3))
          expect(yield* readAs(scope, call)).toEqual([call, call])
          expect(yield* readForUpdate(call)).toEqual(call)

          yield* contacts.update({ ...withdrawn, team, lastCallDate: Samples.later(3) })
          const shown = { ...call, contact: { ...callContact(withdrawn), lastCallDate: Samples.later(3) } }
          expect(yield* readAs(scope, call)).toEqual([shown, shown])
          expect(yield* readForUpdate(call)).toEqual(shown)

          yield* (yield* AccountStore).update({ ...account, teamIds: [] })
          expect(yield* readForUpdate(call)).toEqual(call)
        })
    )

    it.effect("a call shows no contact to any reader after the contact was deleted", () =>
      Effect.gen(function* () {
        const team = yield* Samples.makeTeam()
        const { account, agent } = yield* Samples.makeCaller
        const mate = Samples.scopeOf(yield* Samples.makeAccount())
        const contact = yield* Samples.makeContact(account.id, { firstName: "Jo" })
        const call = yield* Samples.makeCall(account.id, agent, { team, contact: callContact(contact) })
        yield* (yield* ContactStore).delete(Samples.scopeOf(account), contact.id)
        const shown = { ...call, contact: null }
        expect(yield* readAs(Samples.scopeOf(account), call)).toEqual([shown, shown])
        expect(yield* readAs({ ...mate, teamIds: [team.id] }, call)).toEqual([shown, shown])
        expect(yield* readForUpdate(call)).toEqual(shown)
        const filtered = (yield* CallStore).list(Samples.scopeOf(account), { contactId: contact.id }, page(1))
        expect((yield* filtered).count).toBe(0)
      })
    )

    it.effect("insert stores a call without a contact when the contact was deleted before", () =>
      Effect.gen(function* () {
        const { account, agent } = yield* Samples.makeCaller
        const contact = yield* Samples.makeContact(account.id, { firstName: "Jo" })
        yield* (yield* ContactStore).delete(Samples.scopeOf(account), contact.id)
        const call = yield* Samples.makeCall(account.id, agent, { contact: callContact(contact) })
        expect(call.contact).toBe(null)
        expect(yield* readAs(Samples.scopeOf(account), call)).toEqual([call, call])
      })
    )

    it.effect(
      "concurrent inserts of calls and the deletion of their contact all succeed, and the calls show no contact",
      () =>
        Effect.gen(function* () {
          const { account, agent } = yield* Samples.makeCaller
          const contact = yield* Samples.makeContact(account.id, { firstName: "Jo" })
          const transaction = yield* Transaction
          const contacts = yield* ContactStore
          const start = transaction.run(
            Effect.andThen(
              Effect.yieldNow,
              Samples.makeCall(account.id, agent, { contact: callContact(contact), phoneNumber: contactsNumber })
            )
          )
          const remove = transaction.run(contacts.delete(Samples.scopeOf(account), contact.id))
          yield* Effect.all([start, start, remove, start, start], { concurrency: "unbounded" })
          const calls = yield* CallStore
          const { items } = yield* calls.list(Samples.scopeOf(account), { phoneNumber: contactsNumber }, page(1))
          expect(items.map((call) => call.contact)).toEqual([null, null, null, null])
        })
    )
  })
}

const contactsNumber = PhoneNumber.make("+12025550119")

/** Returns the call as `find` and as `list` return it in a scope. */
const readAs = Effect.fnUntraced(function* (scope: Scope, { id, phoneNumber }: Call) {
  const calls = yield* CallStore
  const found = Option.getOrNull(yield* calls.find(scope, { id }))
  const { items } = yield* calls.list(scope, { phoneNumber }, page(1))
  return [found, items.find((item) => item.id === id)]
})

const readForUpdate = Effect.fnUntraced(function* ({ id }: Call) {
  const calls = yield* CallStore
  return Option.getOrNull(yield* (yield* Transaction).run(calls.findForUpdate({ id })))
})
