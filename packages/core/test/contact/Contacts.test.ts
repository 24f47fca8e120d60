import { describe, expect, it } from "@effect/vitest"
import { Accounts } from "@frontdesk/core/account/Accounts"
import type { Principal } from "@frontdesk/core/access/Principal"
import { TeamId } from "@frontdesk/core/access/Team"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { ContactId, ContactNumberId } from "@frontdesk/core/contact/Contact"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import * as Page from "@frontdesk/core/values/Page"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as arbitrary from "@frontdesk/testing/arbitrary/contact"
import * as Property from "@frontdesk/testing/Property"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { as, newAccount } from "./caller.ts"

const services = Layer.mergeAll(Contacts.layer, Accounts.layer).pipe(Layer.provideMerge(MemoryStorage.layer))

const number = PhoneNumber.make("+12025550001")
const other = PhoneNumber.make("+12025550002")

describe("Contacts", () => {
  it.effect("a contact can be created with defaults, read, replaced, changed and deleted", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const made = yield* contacts.create({ firstName: "Jo", phoneNumbers: [{ phoneNumber: number }] })
      expect(made).toMatchObject({ firstName: "Jo", status: "new", stage: "lead", team: null, lastCallDate: null })
      expect(made.phoneNumbers).toMatchObject([{ phoneNumber: number, primary: true, doNotCall: false }])
      expect(yield* contacts.get(made.id)).toEqual(made)

      yield* TestClock.adjust("1 second")
      const put = yield* contacts.put(made.id, { lastName: "Li" })
      expect(put).toMatchObject({
        id: made.id,
        firstName: null,
        lastName: "Li",
        phoneNumbers: [],
        createdAt: made.createdAt
      })
      expect(put.updatedAt).not.toEqual(made.updatedAt)

      const patched = yield* contacts.patch(made.id, { firstName: "Joan" })
      expect(patched).toMatchObject({ firstName: "Joan", lastName: "Li" })
      expect(yield* contacts.get(made.id)).toEqual(patched)

      yield* contacts.delete(made.id)
      expect(yield* Effect.flip(contacts.get(made.id))).toMatchObject({ _tag: "ContactNotFound", contactId: made.id })
      expect(yield* Effect.flip(contacts.delete(made.id))).toMatchObject({ _tag: "ContactNotFound" })
    }).pipe(inAccount())
  )

  it.effect("a phone number keeps its id in a PATCH, and gets a new one in a PUT (C-4.3-3 and C-4.3-4)", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const { id, phoneNumbers } = yield* contacts.create({ phoneNumbers: [{ phoneNumber: number }] })
      const [first] = phoneNumbers
      const numberId = first?.id ?? ContactNumberId.make(1)
      const patched = yield* contacts.patch(id, { phoneNumbers: [{ id: numberId, phoneNumber: other }] })
      expect(patched.phoneNumbers).toMatchObject([{ id: numberId, phoneNumber: other }])
      const put = yield* contacts.put(id, { phoneNumbers: [{ phoneNumber: other }] })
      expect(put.phoneNumbers.map((entry) => entry.id)).not.toContain(numberId)
    }).pipe(inAccount())
  )

  it.effect("a PATCH without a difference keeps updatedAt", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const made = yield* contacts.create({ firstName: "Jo", customContext: { a: 1 } })
      yield* TestClock.adjust("1 minute")
      expect(yield* contacts.patch(made.id, { firstName: "Jo", customContext: { a: 1, b: null } })).toEqual(made)
    }).pipe(inAccount())
  )

  it.effect("a contact of another account is not found", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const owner = yield* newAccount()
      const { id } = yield* contacts.create({ firstName: "Jo" }).pipe(as(owner))
      for (const attempt of [contacts.get(id), contacts.put(id, {}), contacts.patch(id, {}), contacts.delete(id)]) {
        expect(yield* Effect.flip(Effect.asVoid(attempt))).toMatchObject({ _tag: "ContactNotFound", contactId: id })
      }
      expect((yield* contacts.list({}, Page.request({}))).count).toBe(0)
      expect((yield* contacts.get(id).pipe(as(owner))).firstName).toBe("Jo")
    }).pipe(inAccount())
  )

  it.effect("a team mate can read and change a contact, which still belongs to its owner", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const team = yield* Effect.flatMap(TeamStore, (teams) => teams.insert("Sales"))
      const [owner, colleague] = [yield* newAccount({ teamIds: [team.id] }), yield* newAccount({ teamIds: [team.id] })]
      const { id } = yield* contacts.create({ teamId: team.id }).pipe(as(owner))
      const patched = yield* contacts.patch(id, { firstName: "Jo" }).pipe(as(colleague))
      expect(patched).toMatchObject({ accountId: owner.id, team, firstName: "Jo" })
      expect(yield* contacts.put(id, {}).pipe(as(colleague))).toMatchObject({ team, accountId: owner.id })
      expect(yield* contacts.put(id, {}).pipe(as(owner))).toMatchObject({ team: null, accountId: owner.id })
      expect(yield* Effect.flip(contacts.get(id).pipe(as(colleague)))).toMatchObject({ _tag: "ContactNotFound" })
    }).pipe(Effect.provide(services))
  )

  it.effect("only the owner of a contact can change its team and delete it", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const teams = yield* TeamStore
      const [sales, support] = [yield* teams.insert("Sales"), yield* teams.insert("Support")]
      const owner = yield* newAccount({ teamIds: [sales.id] })
      const mate = yield* newAccount({ teamIds: [sales.id, support.id] })
      const made = yield* contacts.create({ teamId: sales.id }).pipe(as(owner))
      const { id } = made
      const moves = [
        contacts.patch(id, { teamId: support.id }),
        contacts.patch(id, { teamId: null }),
        contacts.put(id, { teamId: support.id })
      ]
      for (const move of moves) {
        expect(yield* Effect.flip(move.pipe(as(mate)))).toMatchObject({ _tag: "NotOwner", action: "change_team" })
      }
      // An owner who has left the team can send its id unchanged, but not the id of another team.
      const left = { ...owner, teamIds: [] }
      expect((yield* contacts.patch(id, { teamId: sales.id, firstName: "Jo" }).pipe(as(left))).team).toEqual(sales)
      expect((yield* contacts.put(id, { teamId: sales.id }).pipe(as(left))).team).toEqual(sales)
      expect(yield* Effect.flip(contacts.patch(id, { teamId: support.id }).pipe(as(left)))).toMatchObject({
        _tag: "TeamAccessDenied"
      })
      expect(yield* Effect.flip(contacts.delete(id).pipe(as(mate)))).toMatchObject({
        _tag: "NotOwner",
        action: "delete"
      })
      expect(yield* contacts.get(id).pipe(as(owner))).toEqual(made)
      expect((yield* contacts.put(id, { teamId: sales.id }).pipe(as(mate))).team).toEqual(sales)
      expect((yield* contacts.patch(id, { teamId: sales.id }).pipe(as(mate))).team).toEqual(sales)
      expect((yield* contacts.patch(id, { teamId: null }).pipe(as(owner))).team).toBeNull()
      expect(yield* Effect.flip(contacts.delete(id).pipe(as(mate)))).toMatchObject({ _tag: "ContactNotFound" })
      yield* contacts.delete(id).pipe(as(owner))
    }).pipe(Effect.provide(services))
  )

  it.effect("a team that does not exist is not found, and a team of other accounts is denied (D-TEAM-2)", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const team = yield* Effect.flatMap(TeamStore, (teams) => teams.insert("Sales"))
      const { id } = yield* contacts.create({})
      const absent = TeamId.make(999)
      expect(yield* Effect.flip(contacts.create({ teamId: absent }))).toMatchObject({
        _tag: "TeamNotFound",
        teamId: absent
      })
      expect(yield* Effect.flip(contacts.patch(id, { teamId: team.id }))).toMatchObject({
        _tag: "TeamAccessDenied",
        teamId: team.id
      })
      expect(yield* Effect.flip(contacts.put(id, { teamId: team.id }))).toMatchObject({ _tag: "TeamAccessDenied" })
    }).pipe(inAccount())
  )

  it.effect("create fails with an invalid field before it fails with an unknown team (D-CON-14)", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const phoneNumbers = [{ phoneNumber: number }, { phoneNumber: number }]
      expect(yield* Effect.flip(contacts.create({ teamId: TeamId.make(999), phoneNumbers }))).toMatchObject({
        _tag: "ValidationError",
        problems: [{ field: "phone_numbers[1].phone_number" }]
      })
    }).pipe(inAccount())
  )

  it.effect("create fails for a status that is not in the account's list (D-CON-3)", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const account = yield* newAccount({ settings: { contactStatuses: ["open"] } })
      const { status } = yield* contacts.create({}).pipe(as(account))
      expect(status).toBe("open")
      expect(yield* Effect.flip(contacts.create({ status: "new" }).pipe(as(account)))).toMatchObject({
        _tag: "ValidationError",
        problems: [{ field: "status" }]
      })
    }).pipe(Effect.provide(services))
  )

  it.effect("a PATCH that fails changes nothing", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const made = yield* contacts.create({ firstName: "Jo" })
      const phoneNumbers = [{ id: ContactNumberId.make(999), phoneNumber: number }]
      yield* Effect.flip(contacts.patch(made.id, { firstName: "Joan", phoneNumbers }))
      expect(yield* contacts.get(made.id)).toEqual(made)
    }).pipe(inAccount())
  )

  it.effect("concurrent PATCHes of different keys are all stored (D-CON-8)", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const { id } = yield* contacts.create({})
      const keys = Array.from({ length: 20 }, (_, index) => `k${index}`)
      yield* Effect.forEach(keys, (key) => contacts.patch(id, { customContext: { [key]: key } }), {
        concurrency: "unbounded"
      })
      expect(Object.keys((yield* contacts.get(id)).customContext).toSorted()).toEqual(keys.toSorted())
    }).pipe(inAccount())
  )

  it.effect("list returns the contacts that match the filters, from the newest", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const jo = yield* contacts.create({ firstName: "Jo", tags: ["vip"] })
      const li = yield* contacts.create({ firstName: "Li", phoneNumbers: [{ phoneNumber: number }] })
      const ids = (filter: Parameters<typeof contacts.list>[0]) =>
        Effect.map(contacts.list(filter, Page.request({})), (page) => page.items.map((contact) => contact.id))
      expect(yield* ids({})).toEqual([li.id, jo.id])
      expect(yield* ids({ tag: "vip" })).toEqual([jo.id])
      expect(yield* ids({ phoneNumber: number })).toEqual([li.id])
      expect(yield* ids({ search: "LI" })).toEqual([li.id])
    }).pipe(inAccount())
  )

  it.effect("get returns what put has returned, for every generated contact", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      yield* Property.forAll(arbitrary.contactPut(), (input) =>
        Effect.gen(function* () {
          const { id } = yield* contacts.create(input)
          const put = yield* contacts.put(id, input)
          expect(yield* contacts.get(id)).toEqual(put)
          expect(JSON.stringify(put.customContext)).toBe(JSON.stringify(input.customContext ?? {}))
          expect(yield* Effect.flip(contacts.get(ContactId.make(id + 1)))).toMatchObject({ _tag: "ContactNotFound" })
        })
      )
    }).pipe(inAccount())
  )
})

/** Runs a test on an empty storage with a new account as caller. */
function inAccount() {
  return <A, E>(test: Effect.Effect<A, E, Contacts | TeamStore | Accounts | Principal>) =>
    Effect.flatMap(newAccount(), (account) => test.pipe(as(account))).pipe(Effect.provide(services))
}
