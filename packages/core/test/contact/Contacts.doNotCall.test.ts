import { describe, expect, it } from "@effect/vitest"
import type { Account } from "@frontdesk/core/access/Account"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import type { Contact } from "@frontdesk/core/contact/Contact"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { DoNotCallLists } from "@frontdesk/core/contact/DoNotCallLists"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import * as Page from "@frontdesk/core/values/Page"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { as, newAccount } from "./caller.ts"

const services = Layer.mergeAll(Contacts.layer, Accounts.layer, DoNotCallLists.layer).pipe(
  Layer.provideMerge(MemoryStorage.layer)
)

const number = PhoneNumber.make("+12025550001")
const other = PhoneNumber.make("+12025550002")

const flagTrue = { phoneNumbers: [{ phoneNumber: number, doNotCall: true }] }
const flagFalse = { phoneNumbers: [{ phoneNumber: number, doNotCall: false }] }
const withoutFlag = { phoneNumbers: [{ phoneNumber: number }] }

/** Returns the account's do-not-call list. */
const listOf = (account: Account) =>
  Effect.flatMap(DoNotCallLists, (lists) => lists.list({}, Page.request({}))).pipe(
    as(account),
    Effect.map(({ items }) => items)
  )

describe("Contacts: the do-not-call flag of a number", () => {
  it.effect(
    "the flag stays after a PUT without the number or the flag, and after the contact is deleted (D-DNC-3)",
    () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const account = yield* newAccount()
        yield* Effect.gen(function* () {
          const { id } = yield* contacts.create(flagTrue)
          expect((yield* contacts.put(id, { firstName: "S" })).phoneNumbers).toEqual([])
          expect((yield* contacts.put(id, withoutFlag)).phoneNumbers).toMatchObject([{ doNotCall: true }])
          yield* contacts.delete(id)
          expect(yield* listOf(account)).toEqual([number])
          const again = yield* contacts.create(withoutFlag)
          expect(again.phoneNumbers).toMatchObject([{ doNotCall: true }])
          expect(yield* contacts.get(again.id)).toEqual(again)
        }).pipe(as(account))
      }).pipe(Effect.provide(services))
  )

  it.effect(
    "an explicit false in a create, PUT or PATCH removes the flag from every contact of the account (D-DNC-3)",
    () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const account = yield* newAccount()
        yield* Effect.gen(function* () {
          const witness = yield* contacts.create(flagTrue)
          const hasFlag = Effect.map(contacts.get(witness.id), ({ phoneNumbers }) => phoneNumbers[0]?.doNotCall)
          yield* contacts.create(flagFalse)
          expect(yield* hasFlag).toBe(false)

          const { id } = yield* contacts.create(flagTrue)
          expect(yield* hasFlag).toBe(true)
          yield* contacts.put(id, flagFalse)
          expect(yield* hasFlag).toBe(false)

          const { phoneNumbers } = yield* contacts.put(id, flagTrue)
          const entries = phoneNumbers.map((entry) => ({ id: entry.id, phoneNumber: number }))
          yield* contacts.patch(id, { phoneNumbers: entries.map((entry) => ({ ...entry, phoneType: "home" })) })
          expect(yield* hasFlag).toBe(true)
          yield* contacts.patch(id, { phoneNumbers: entries.map((entry) => ({ ...entry, doNotCall: false })) })
          expect(yield* hasFlag).toBe(false)
          expect(yield* listOf(account)).toEqual([])
          // The audit log shows each removal as that of the list itself.
          const logged = yield* allEntriesOf(account.id)
          expect(logged.filter(({ operation }) => operation === "doNotCall.remove")).toMatchObject(
            Array.from({ length: 3 }, () => ({ changes: [{ field: "numbers", after: 1 }] }))
          )
        }).pipe(as(account))
      }).pipe(Effect.provide(services))
  )

  it.effect("when a PATCH changes the number of an entry with the flag, both numbers are on the list", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const account = yield* newAccount()
      const { id, phoneNumbers } = yield* contacts.create(flagTrue).pipe(as(account))
      const entries = phoneNumbers.map((entry) => ({ id: entry.id, phoneNumber: other }))
      const patched = yield* contacts.patch(id, { phoneNumbers: entries }).pipe(as(account))
      expect(patched.phoneNumbers).toMatchObject([{ phoneNumber: other, doNotCall: true }])
      expect(yield* listOf(account)).toEqual([number, other])
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a team mate's flag puts the number on the owner's list, and only the owner can remove it (D-DNC-2, D-TEAM-7)",
    () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const team = yield* Effect.flatMap(TeamStore, (teams) => teams.insert("Sales"))
        const [owner, mate] = [yield* newAccount({ teamIds: [team.id] }), yield* newAccount({ teamIds: [team.id] })]
        const made = yield* contacts.create({ ...withoutFlag, teamId: team.id }).pipe(as(owner))
        yield* contacts.put(made.id, flagTrue).pipe(as(mate))
        expect([yield* listOf(owner), yield* listOf(mate)]).toEqual([[number], []])

        const before = yield* contacts.get(made.id).pipe(as(owner))
        for (const lift of [
          contacts.put(made.id, flagFalse),
          contacts.patch(made.id, { phoneNumbers: liftOf(before) })
        ]) {
          expect(yield* Effect.flip(lift.pipe(as(mate)))).toMatchObject({
            _tag: "NotOwner",
            action: "lift_do_not_call"
          })
        }
        expect(yield* contacts.get(made.id).pipe(as(owner))).toEqual(before)
        yield* contacts.patch(made.id, { phoneNumbers: liftOf(before) }).pipe(as(owner))
        expect(yield* listOf(owner)).toEqual([])
        // The number is no longer on the list, so the team mate can send an explicit false.
        expect((yield* contacts.put(made.id, flagFalse).pipe(as(mate))).phoneNumbers).toMatchObject([
          { doNotCall: false }
        ])
      }).pipe(Effect.provide(services))
  )

  it.effect("a number that its owner removes from the contact stays on the list (D-DNC-3, D-CON-15)", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const account = yield* newAccount()
      yield* Effect.gen(function* () {
        const { id, phoneNumbers } = yield* contacts.create(flagTrue)
        for (const entry of phoneNumbers)
          expect(yield* contacts.deletePhoneNumber(id, entry.id)).toMatchObject({ id, phoneNumbers: [] })
        expect(yield* listOf(account)).toEqual([number])
      }).pipe(as(account))
    }).pipe(Effect.provide(services))
  )

  it.effect("a team mate cannot remove a number with the flag from the contact (D-DNC-7)", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const doNotCall = yield* DoNotCallStore
      const team = yield* Effect.flatMap(TeamStore, (teams) => teams.insert("Sales"))
      const [owner, mate] = [yield* newAccount({ teamIds: [team.id] }), yield* newAccount({ teamIds: [team.id] })]
      const third = yield* newAccount({ teamIds: [team.id] })
      const { id, phoneNumbers } = yield* contacts.create({ ...flagTrue, teamId: team.id }).pipe(as(owner))
      const renamed = phoneNumbers.map((entry) => ({ id: entry.id, phoneNumber: other }))
      const removals = [
        contacts.put(id, { firstName: "S" }),
        contacts.put(id, { phoneNumbers: [{ phoneNumber: other }] }),
        contacts.patch(id, { phoneNumbers: renamed }),
        ...phoneNumbers.map((entry) =>
          Effect.catchTag(contacts.deletePhoneNumber(id, entry.id), "ContactNumberNotFound", Effect.die)
        )
      ]
      for (const removal of removals) {
        expect(yield* Effect.flip(removal.pipe(as(mate)))).toMatchObject({
          _tag: "NotOwner",
          action: "lift_do_not_call"
        })
      }
      expect((yield* contacts.get(id).pipe(as(owner))).phoneNumbers).toEqual(phoneNumbers)
      for (const account of [mate, third]) {
        expect(yield* doNotCall.isBlocked({ accountId: account.id, teamIds: [team.id] }, number)).toBe(true)
        expect(yield* listOf(account)).toEqual([])
      }
      // The team mate can change other fields, and remove a number that is not on the list.
      const both = { phoneNumbers: [{ phoneNumber: number }, { phoneNumber: other }] }
      for (const change of [both, withoutFlag]) yield* contacts.put(id, { ...change, firstName: "S" }).pipe(as(mate))
      expect(yield* contacts.get(id).pipe(as(owner))).toMatchObject({ firstName: "S", ...flagTrue })
    }).pipe(Effect.provide(services))
  )
})

const liftOf = ({ phoneNumbers }: Contact) =>
  phoneNumbers.map(({ id, phoneNumber }) => ({ id, phoneNumber, doNotCall: false }))
