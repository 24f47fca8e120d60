import { ownRows } from "@frontdesk/core/access/Scope"
import type { Contact } from "@frontdesk/core/contact/Contact"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { page, readAll } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

const first = PhoneNumber.make("+12025550191")
const second = PhoneNumber.make("+12025550192")
const third = PhoneNumber.make("+12025550193")

/** Verifies a `DoNotCallStore`, and the do-not-call flags that a `ContactStore` shows. */
export const doNotCallStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: DoNotCallStore`, (it) => {
    it.effect(
      "add returns the numbers that were not on the list, remove those that were, and a repeat changes nothing",
      () =>
        Effect.gen(function* () {
          const store = yield* DoNotCallStore
          const { id } = yield* Samples.makeAccount()
          expect(yield* store.add(id, [second, first, second])).toEqual([first, second])
          expect(yield* store.add(id, [third, first])).toEqual([third])
          expect(yield* store.add(id, [])).toEqual([])
          expect((yield* store.list(id, {}, page(1))).items).toEqual([first, second, third])
          expect(yield* store.remove(id, [third, first])).toEqual([first, third])
          expect(yield* store.remove(id, [first])).toEqual([])
          expect((yield* store.list(id, {}, page(1))).items).toEqual([second])
        })
    )

    it.effect("the pages of a list contain every number of the account once, sorted", () =>
      Effect.gen(function* () {
        const store = yield* DoNotCallStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        yield* store.add(account.id, [third, first, second])
        yield* store.add(other.id, [first])
        for (const limit of [1, 2, 100]) {
          expect(yield* readAll((request) => store.list(account.id, {}, request), limit)).toEqual([
            first,
            second,
            third
          ])
        }
        expect(yield* store.list(account.id, {}, page(9, 2))).toEqual({ items: [], count: 3, page: 9, limit: 2 })
      })
    )

    it.effect(
      "list with a number returns it if it is on the list of the account, and otherwise nothing (D-DNC-9)",
      () =>
        Effect.gen(function* () {
          const store = yield* DoNotCallStore
          const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          yield* store.add(account.id, [first, third])
          yield* store.add(other.id, [second])
          const found = (phoneNumber: PhoneNumber, request = page(1)) =>
            store.list(account.id, { phoneNumber }, request)
          expect(yield* found(third)).toEqual({ items: [third], count: 1, page: 1, limit: 100 })
          expect(yield* found(third, page(2, 1))).toEqual({ items: [], count: 1, page: 2, limit: 1 })
          for (const absent of [second, PhoneNumber.make("+1202555019")])
            expect(yield* found(absent)).toEqual({ items: [], count: 0, page: 1, limit: 100 })
        })
    )

    it.effect(
      "a contact's phone number has the do-not-call flag while it is on the list of the contact's account",
      () =>
        Effect.gen(function* () {
          const store = yield* DoNotCallStore
          const contacts = yield* ContactStore
          const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const flags = Effect.fnUntraced(function* ({ accountId, id }: Contact) {
            const found = Option.getOrThrow(yield* contacts.find(ownRows(accountId), id))
            const { items } = yield* contacts.list(ownRows(accountId), {}, page(1))
            const listed = items.find((contact) => contact.id === id)
            expect(listed).toEqual(found)
            return found.phoneNumbers.map(({ doNotCall }) => doNotCall)
          })
          const numbers = [Samples.newNumber(first, { doNotCall: true }), Samples.newNumber(second, { primary: false })]
          const contact = yield* Samples.makeContact(account.id, { phoneNumbers: numbers })
          const foreign = yield* Samples.makeContact(other.id, { phoneNumbers: [Samples.newNumber(first)] })
          expect(contact.phoneNumbers.map(({ doNotCall }) => doNotCall)).toEqual([true, false])
          expect((yield* store.list(account.id, {}, page(1))).items).toEqual([first])

          const again = yield* Samples.makeContact(account.id, { phoneNumbers: [Samples.newNumber(first)] })
          expect(again.phoneNumbers.map(({ doNotCall }) => doNotCall)).toEqual([true])
          yield* store.add(account.id, [second])
          expect(yield* flags(contact)).toEqual([true, true])
          expect(yield* flags(foreign)).toEqual([false])
          yield* store.remove(account.id, [first])
          expect(yield* flags(contact)).toEqual([false, true])
          expect(yield* flags(again)).toEqual([false])
        })
    )

    it.effect("ContactStore.update adds flagged numbers to the list, and neither update nor delete removes any", () =>
      Effect.gen(function* () {
        const store = yield* DoNotCallStore
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        const contact = yield* Samples.makeContact(account.id, {
          phoneNumbers: [Samples.newNumber(first, { doNotCall: true })]
        })
        const updated = yield* contacts.update({
          ...contact,
          phoneNumbers: [
            ...contact.phoneNumbers.map((number) => ({ ...number, doNotCall: false })),
            Samples.newNumber(second, { primary: false, doNotCall: true })
          ]
        })
        expect(updated.phoneNumbers.map(({ doNotCall }) => doNotCall)).toEqual([true, true])
        yield* contacts.update({ ...contact, phoneNumbers: [] })
        yield* contacts.delete(Samples.scopeOf(account), contact.id)
        expect((yield* store.list(account.id, {}, page(1))).items).toEqual([first, second])
      })
    )

    it.effect(
      "isBlocked checks the account's own list, and the owner's list when a contact of the scope has the number",
      () =>
        Effect.gen(function* () {
          const store = yield* DoNotCallStore
          const team = yield* Samples.makeTeam()
          const [account, owner] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const scope = { accountId: account.id, teamIds: [team.id] }
          const blocked = Effect.forEach([first, second, third], (number) => store.isBlocked(scope, number))
          yield* store.add(owner.id, [first, second, third])
          yield* Samples.makeContact(owner.id, { phoneNumbers: [Samples.newNumber(first)] })
          expect(yield* blocked).toEqual([false, false, false])
          yield* Samples.makeContact(owner.id, { team, phoneNumbers: [Samples.newNumber(second)] })
          expect(yield* blocked).toEqual([false, true, false])
          yield* store.add(account.id, [third])
          expect(yield* blocked).toEqual([false, true, true])
          yield* store.remove(owner.id, [second])
          expect(yield* blocked).toEqual([false, false, true])
        })
    )

    it.effect("add waits for a transaction that has called isBlocked for the number to end", () =>
      Effect.gen(function* () {
        const store = yield* DoNotCallStore
        const transaction = yield* Transaction
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const checked = yield* Deferred.make<void>()
        const order: Array<string> = []
        // A fiber that is forked inside the transaction would be part of it.
        const adding = yield* Deferred.await(checked).pipe(
          Effect.andThen(transaction.run(store.add(other.id, [second, first]))),
          Effect.andThen(Effect.sync(() => order.push("added"))),
          Effect.forkChild({ startImmediately: true })
        )
        yield* transaction.run(
          Effect.gen(function* () {
            expect(yield* store.isBlocked(Samples.scopeOf(account), first)).toBe(false)
            yield* Deferred.succeed(checked, undefined)
            // An add that does not wait completes during these reads.
            for (let read = 0; read < 50; read++) yield* store.list(account.id, {}, page(1))
            order.push("committed")
          })
        )
        yield* Fiber.join(adding)
        expect(order).toEqual(["committed", "added"])
      })
    )
  })
}
