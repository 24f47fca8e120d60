import { describe, expect, it } from "@effect/vitest"
import type { Account } from "@frontdesk/core/access/Account"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { maxChangedNumbers } from "@frontdesk/core/contact/DoNotCallInput"
import { DoNotCallLists } from "@frontdesk/core/contact/DoNotCallLists"
import * as Page from "@frontdesk/core/values/Page"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { as, newAccount } from "./caller.ts"

const services = Layer.mergeAll(Contacts.layer, Accounts.layer, DoNotCallLists.layer).pipe(
  Layer.provideMerge(MemoryStorage.layer)
)

const number = PhoneNumber.make("+12025550001")
const other = PhoneNumber.make("+12025550002")

const withoutFlag = { phoneNumbers: [{ phoneNumber: number }] }

/** Returns the account's do-not-call list. */
const listOf = (account: Account) =>
  Effect.flatMap(DoNotCallLists, (lists) => lists.list({}, Page.request({}))).pipe(
    as(account),
    Effect.map(({ items }) => items)
  )

describe("DoNotCallLists", () => {
  it.effect("add, list and remove affect only the list of the caller's account", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const lists = yield* DoNotCallLists
      const [account, stranger] = [yield* newAccount(), yield* newAccount()]
      const contact = yield* contacts.create(withoutFlag).pipe(as(account))
      expect(yield* lists.add([number]).pipe(as(account))).toEqual([number])
      expect((yield* contacts.get(contact.id).pipe(as(account))).phoneNumbers).toMatchObject([{ doNotCall: true }])
      expect(yield* lists.remove([number]).pipe(as(stranger))).toEqual([])
      expect(yield* listOf(stranger)).toEqual([])
      expect(yield* lists.remove([number, other]).pipe(as(account))).toEqual([number])
      expect((yield* contacts.get(contact.id).pipe(as(account))).phoneNumbers).toMatchObject([{ doNotCall: false }])
    }).pipe(Effect.provide(services))
  )

  it.effect("list with a number returns only that number, and nothing when it is not on the list (D-DNC-9)", () =>
    Effect.gen(function* () {
      const lists = yield* DoNotCallLists
      const account = yield* newAccount()
      yield* lists.add([number, other]).pipe(as(account))
      const found = (phoneNumber: PhoneNumber) =>
        lists.list({ phoneNumber }, Page.request({})).pipe(
          as(account),
          Effect.map(({ items }) => items)
        )
      expect(yield* found(other)).toEqual([other])
      expect(yield* found(PhoneNumber.make("+12025550003"))).toEqual([])
    }).pipe(Effect.provide(services))
  )

  it.effect(`add and remove take at most ${maxChangedNumbers} numbers (D-DNC-9)`, () =>
    Effect.gen(function* () {
      const lists = yield* DoNotCallLists
      const account = yield* newAccount()
      const numbers = Array.from({ length: maxChangedNumbers }, (_, n) => PhoneNumber.make(`+1202${5_550_000 + n}`))
      expect(yield* lists.add(numbers).pipe(as(account))).toEqual(numbers)
      const tooMany = [...numbers, PhoneNumber.make("+12025560000")]
      for (const change of [lists.add(tooMany), lists.remove(tooMany)]) {
        expect(yield* Effect.flip(change.pipe(as(account)))).toMatchObject({
          _tag: "ValidationError",
          problems: [{ field: "numbers" }]
        })
      }
      expect(yield* lists.remove(numbers).pipe(as(account))).toEqual(numbers)
    }).pipe(Effect.provide(services))
  )
})
