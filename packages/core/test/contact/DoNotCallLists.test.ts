import { describe, expect, it } from "@effect/vitest"
import type { Account } from "@frontdesk/core/access/Account"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { Principal } from "@frontdesk/core/access/Principal"
import type { Permission } from "@frontdesk/core/access/Permission"
import { Contacts } from "@frontdesk/core/contact/Contacts"
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
  Effect.flatMap(DoNotCallLists, (lists) => lists.list(Page.request({}))).pipe(
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

  it.effect("list needs can_read_contacts, and add and remove need can_write_contacts", () =>
    Effect.gen(function* () {
      const lists = yield* DoNotCallLists
      const account = yield* newAccount()
      const allowed = (...permissions: ReadonlyArray<Permission>) =>
        Effect.provideService(Principal, { account, apiKeyId: null, permissions: new Set(permissions) })
      const denied = (permission: Permission) => ({ _tag: "PermissionDenied", permission })
      const list = lists.list(Page.request({}))
      expect(yield* Effect.flip(list.pipe(allowed("can_write_contacts")))).toMatchObject(denied("can_read_contacts"))
      for (const change of [lists.add([number]), lists.remove([number])]) {
        expect(yield* Effect.flip(change.pipe(allowed("can_read_contacts")))).toMatchObject(
          denied("can_write_contacts")
        )
        yield* change.pipe(allowed("can_write_contacts"))
      }
      yield* list.pipe(allowed("can_read_contacts"))
    }).pipe(Effect.provide(services))
  )
})
