import { ContactId } from "@frontdesk/core/contact/Contact"
import { type ContactFilter, ContactStore } from "@frontdesk/core/contact/ContactStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import * as Page from "@frontdesk/core/values/Page"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { page, readAll } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies a `ContactStore`. */
export const contactStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: ContactStore`, (it) => {
    it.effect("find returns a new contact with every field as inserted, and assigns an id to each phone number", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        const team = yield* Samples.makeTeam()
        const given = Samples.newContact(account.id, {
          firstName: "Jo",
          lastName: "Doe",
          email: "Jo@Example.com",
          company: "Acme",
          website: "https://example.com/?q=1&r=ä",
          address: "1 Main St",
          city: "Zürich",
          state: "ZH",
          zipCode: "08001",
          country: "CH",
          status: "won",
          stage: "customer",
          team,
          tags: ["b", "a", "ü"],
          phoneNumbers: [
            Samples.newNumber("+12025550111", { phoneType: "mobile", primary: false }),
            Samples.newNumber("+41441234567", { doNotCall: true })
          ],
          customContext: { plan: "pro", seats: 3 },
          industryContext: { sector: null },
          lastCallDate: Samples.later(-5),
          updatedAt: Samples.later(1)
        })
        const contact = yield* contacts.insert(given)
        expect({ ...contact, phoneNumbers: contact.phoneNumbers.map((entry) => ({ ...entry, id: null })) }).toEqual({
          ...given,
          id: contact.id
        })
        expect(new Set(contact.phoneNumbers.map((entry) => entry.id)).size).toBe(2)
        expect(yield* contacts.find(Samples.scopeOf(account), contact.id)).toEqual(Option.some(contact))
      })
    )

    it.effect("insert keeps null fields null and empty texts empty", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        for (const given of [
          Samples.newContact(account.id),
          Samples.newContact(account.id, { firstName: "", email: "", company: "", zipCode: "" })
        ]) {
          const contact = yield* contacts.insert(given)
          expect(contact).toEqual({ ...given, id: contact.id })
          expect(yield* contacts.find(Samples.scopeOf(account), contact.id)).toEqual(Option.some(contact))
        }
      })
    )

    it.effect("insert stores any text unchanged, also in tags and in keys of the custom context", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        for (const text of Samples.oddTexts) {
          const contact = yield* Samples.makeContact(account.id, {
            firstName: text,
            address: text,
            status: text,
            tags: [text],
            customContext: { [text]: text }
          })
          const found = Option.getOrThrow(yield* contacts.find(Samples.scopeOf(account), contact.id))
          expect(found).toMatchObject({ firstName: text, address: text, status: text, tags: [text] })
          expect(found.customContext).toEqual({ [text]: text })
        }
      })
    )

    it.effect("insert stores any JSON in the custom context, including deep, large and oddly named values", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        const customContext = {
          nested: { list: [1, -2.5, 1e21, true, null, "x", { y: [] }], empty: {} },
          constructor: "a key like any other",
          ...Object.fromEntries([["__proto__", "another"]]),
          "with.dot": 0,
          large: Array.from({ length: 2_000 }, (_, index) => ({ index, text: `row ${index} ✓` }))
        }
        const contact = yield* Samples.makeContact(account.id, { customContext })
        const found = Option.getOrThrow(yield* contacts.find(Samples.scopeOf(account), contact.id))
        expect(found.customContext).toEqual(customContext)
        expect(Object.keys(found.customContext)).toContain("__proto__")
      })
    )

    it.effect("a scope contains the account's own contacts and those of its teams, and no others", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const [mine, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const [team, elsewhere] = [yield* Samples.makeTeam(), yield* Samples.makeTeam()]
        const own = yield* Samples.makeContact(mine.id)
        const shared = yield* Samples.makeContact(other.id, { team })
        const foreign = [
          yield* Samples.makeContact(other.id),
          yield* Samples.makeContact(other.id, { team: elsewhere })
        ]
        const scope = { accountId: mine.id, teamIds: [team.id] }
        expect((yield* contacts.list(scope, {}, page(1))).items).toEqual([shared, own])
        expect(yield* contacts.find(scope, shared.id)).toEqual(Option.some(shared))
        for (const { id } of foreign) {
          expect(yield* contacts.find(scope, id)).toEqual(Option.none())
          expect(yield* (yield* Transaction).run(contacts.findForUpdate(scope, id))).toEqual(Option.none())
          expect(yield* contacts.delete(scope, id)).toBe(false)
        }
        expect(yield* contacts.find(scope, ContactId.make(999_999_999_999))).toEqual(Option.none())
      })
    )

    it.effect("a contact shows its team with the present name", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        const team = yield* Samples.makeTeam("Before")
        const contact = yield* Samples.makeContact(account.id, { team })
        yield* (yield* TeamStore).rename(team.id, "After")
        const found = Option.getOrThrow(yield* contacts.find(Samples.scopeOf(account), contact.id))
        expect(found.team).toEqual({ id: team.id, name: "After" })
      })
    )

    it.effect(
      "update deletes omitted phone numbers, changes those with an id, adds the others, and stores the given order",
      () =>
        Effect.gen(function* () {
          const contacts = yield* ContactStore
          const account = yield* Samples.makeAccount()
          const contact = yield* Samples.makeContact(account.id, {
            phoneNumbers: [
              Samples.newNumber("+12025550001"),
              Samples.newNumber("+12025550002", { primary: false }),
              Samples.newNumber("+12025550003", { primary: false })
            ]
          })
          const [first, , third] = contact.phoneNumbers.map((entry) => entry.id)
          const updated = yield* contacts.update({
            ...contact,
            firstName: "Changed",
            tags: ["new"],
            updatedAt: Samples.later(7),
            phoneNumbers: [
              Samples.newNumber("+12025550009", { id: third ?? null, phoneType: "work" }),
              Samples.newNumber("+12025550004", { primary: false }),
              Samples.newNumber("+12025550001", { id: first ?? null, primary: false, doNotCall: true })
            ]
          })
          expect(updated.phoneNumbers.map((entry) => entry.phoneNumber)).toEqual([
            "+12025550009",
            "+12025550004",
            "+12025550001"
          ])
          expect([updated.phoneNumbers[0]?.id, updated.phoneNumbers[2]?.id]).toEqual([third, first])
          expect(contact.phoneNumbers.map((entry) => entry.id)).not.toContain(updated.phoneNumbers[1]?.id)
          expect(updated).toMatchObject({ firstName: "Changed", tags: ["new"] })
          expect(yield* contacts.find(Samples.scopeOf(account), contact.id)).toEqual(Option.some(updated))
        })
    )

    it.effect("update can swap two phone numbers of a contact", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        const contact = yield* Samples.makeContact(account.id, {
          phoneNumbers: [Samples.newNumber("+12025550001"), Samples.newNumber("+12025550002", { primary: false })]
        })
        const [a, b] = contact.phoneNumbers
        if (a === undefined || b === undefined) return yield* Effect.die("insert returned fewer than two phone numbers")
        const swapped = [
          { ...a, phoneNumber: b.phoneNumber, primary: false },
          { ...b, phoneNumber: a.phoneNumber, primary: true }
        ]
        expect((yield* contacts.update({ ...contact, phoneNumbers: swapped })).phoneNumbers).toEqual(swapped)
      })
    )

    it.effect("concurrent transactions that read with findForUpdate lose no update", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const transaction = yield* Transaction
        const account = yield* Samples.makeAccount()
        const contact = yield* Samples.makeContact(account.id)
        const keys = Array.from({ length: 12 }, (_, index) => `key ${index}`)
        const addKey = (key: string) =>
          transaction.run(
            Effect.gen(function* () {
              const found = Option.getOrThrow(yield* contacts.findForUpdate(Samples.scopeOf(account), contact.id))
              yield* Effect.yieldNow
              yield* contacts.update({ ...found, customContext: { ...found.customContext, [key]: true } })
            })
          )
        yield* Effect.forEach(keys, addKey, { concurrency: "unbounded", discard: true })
        const found = Option.getOrThrow(yield* contacts.find(Samples.scopeOf(account), contact.id))
        expect(Object.keys(found.customContext).toSorted()).toEqual(keys.toSorted())
      })
    )

    it.effect("delete removes a contact with its phone numbers and returns whether it existed", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        const number = PhoneNumber.make("+12025550140")
        const phoneNumbers = [Samples.newNumber(number, { doNotCall: true })]
        const contact = yield* Samples.makeContact(account.id, { phoneNumbers })
        const remaining = yield* Samples.makeContact(account.id)
        expect(yield* contacts.delete(Samples.scopeOf(account), contact.id)).toBe(true)
        expect(yield* contacts.delete(Samples.scopeOf(account), contact.id)).toBe(false)
        expect((yield* contacts.list(Samples.scopeOf(account), {}, page(1))).items).toEqual([remaining])
        expect(yield* contacts.idsByNumber(account.id, number)).toEqual([])
      })
    )

    it.effect("insert never assigns the id of a deleted contact or phone number again", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        const phoneNumbers = [Samples.newNumber("+12025550141")]
        const first = yield* Samples.makeContact(account.id, { phoneNumbers })
        yield* contacts.delete(Samples.scopeOf(account), first.id)
        const second = yield* Samples.makeContact(account.id, { phoneNumbers })
        expect(second.id).not.toBe(first.id)
        expect(second.phoneNumbers[0]?.id).not.toBe(first.phoneNumbers[0]?.id)
      })
    )

    it.effect("each filter narrows the list, and several filters apply together", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        const team = yield* Samples.makeTeam()
        const jo = yield* Samples.makeContact(account.id, {
          firstName: "Jo",
          lastName: "Élan",
          tags: ["vip", "north"],
          status: "won",
          team,
          phoneNumbers: [Samples.newNumber("+12025550151"), Samples.newNumber("+12025550152", { primary: false })]
        })
        const al = yield* Samples.makeContact(account.id, { email: "al@JOBS.example", stage: "won", tags: ["south"] })
        const percent = yield* Samples.makeContact(account.id, { company: "100%_sure \\ Ltd" })
        const ids = (filter: ContactFilter) =>
          Effect.map(contacts.list(Samples.scopeOf(account), filter, page(1)), ({ items }) => items.map(({ id }) => id))

        expect(yield* ids({ search: "JO" })).toEqual([al.id, jo.id])
        expect(yield* ids({ search: "jo élan" })).toEqual([jo.id])
        expect(yield* ids({ search: "ÉLAN" })).toEqual([jo.id])
        expect(yield* ids({ search: "%_" })).toEqual([percent.id])
        expect(yield* ids({ search: "\\" })).toEqual([percent.id])
        expect(yield* ids({ search: "" })).toEqual([percent.id, al.id, jo.id])
        expect(yield* ids({ search: "' OR 1=1 --" })).toEqual([])
        expect(yield* ids({ phoneNumber: PhoneNumber.make("+12025550152") })).toEqual([jo.id])
        expect(yield* ids({ phoneNumber: PhoneNumber.make("+1202555015") })).toEqual([])
        expect(yield* ids({ tag: "vip" })).toEqual([jo.id])
        expect(yield* ids({ tag: "vi" })).toEqual([])
        expect(yield* ids({ status: "won" })).toEqual([jo.id])
        expect(yield* ids({ stage: "won" })).toEqual([al.id])
        expect(yield* ids({ teamId: team.id })).toEqual([jo.id])
        expect(yield* ids({ search: "jo", stage: "won" })).toEqual([al.id])
        expect(yield* ids({ search: "jo", tag: "vip", status: "new" })).toEqual([])
      })
    )

    it.effect(
      "a search ignores case, and takes final sigma, sharp s, full-width letters and ligatures as their plain forms",
      () =>
        Effect.gen(function* () {
          const contacts = yield* ContactStore
          const account = yield* Samples.makeAccount()
          const greek = yield* Samples.makeContact(account.id, { lastName: "ΟΔΟΣ", company: "Οδος" })
          const german = yield* Samples.makeContact(account.id, { company: "Hauptstraße 1" })
          const wide = yield* Samples.makeContact(account.id, { firstName: "Ａｃｍｅ ﬁnance" })
          const searches = [
            ["οδοσ", greek.id],
            ["ΟΔΟς", greek.id],
            ["STRASSE", german.id],
            ["STRAẞE", german.id],
            ["acme FINANCE", wide.id]
          ] as const
          for (const [search, id] of searches) {
            const { items } = yield* contacts.list(Samples.scopeOf(account), { search }, page(1))
            expect(items.map((contact) => contact.id)).toEqual([id])
          }
        })
    )

    it.effect("a search and a tag filter match composed and decomposed characters alike", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        const composed = yield* Samples.makeContact(account.id, { firstName: "Zo\u00eb", tags: ["caf\u00e9"] })
        const decomposed = yield* Samples.makeContact(account.id, { company: "ZOE\u0308 Ltd", tags: ["cafe\u0301"] })
        yield* Samples.makeContact(account.id, { firstName: "Zoe", tags: ["cafe"] })
        const ids = (filter: ContactFilter) =>
          Effect.map(contacts.list(Samples.scopeOf(account), filter, page(1)), ({ items }) => items.map(({ id }) => id))

        for (const search of ["zo\u00eb", "ZOE\u0308"]) {
          expect(yield* ids({ search })).toEqual([decomposed.id, composed.id])
        }
        for (const tag of ["caf\u00e9", "cafe\u0301"]) expect(yield* ids({ tag })).toEqual([decomposed.id, composed.id])
        // The comparison is normalized, the stored text is not.
        const found = yield* contacts.list(Samples.scopeOf(account), { tag: "cafe\u0301" }, page(1))
        expect(found.items.map(({ tags }) => tags)).toEqual([["cafe\u0301"], ["caf\u00e9"]])
      })
    )

    it.effect("the pages of a list contain every contact once, newest first", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        const made = yield* Effect.forEach(Array.from({ length: 11 }), (_, index) =>
          Samples.makeContact(account.id, {
            firstName: `Contact ${index}`,
            phoneNumbers: [Samples.newNumber("+12025550161"), Samples.newNumber("+12025550162", { primary: false })]
          })
        )
        const list = (request: { readonly page: number; readonly limit: number }) =>
          contacts.list(Samples.scopeOf(account), { phoneNumber: PhoneNumber.make("+12025550161") }, request)
        for (const limit of [1, 4, 11, 100]) expect(yield* readAll(list, limit)).toEqual(made.toReversed())
        expect(yield* list(page(4, 4))).toEqual({ items: [], count: 11, page: 4, limit: 4, truncated: [] })
      })
    )

    it.effect(
      "a page of more than 2 MiB leaves out the contexts of the rows beyond that, and truncated has their ids",
      () =>
        Effect.gen(function* () {
          const contacts = yield* ContactStore
          const account = yield* Samples.makeAccount()
          // A contact has less than 800 bytes besides the text; each euro sign has 3.
          const text = "€".repeat((Page.maxBytes / 4 - 1_024) / 3)
          const made = yield* Effect.forEach([0, 1, 2, 3, 4], () =>
            Samples.makeContact(account.id, { customContext: { a: `${text}xx` } })
          )
          const newestFirst = made.toReversed()
          const last = newestFirst.at(-1)
          const list = (request: Page.PageRequest) => contacts.list(Samples.scopeOf(account), {}, request)
          const all = yield* list(page(1))
          expect(all.truncated).toEqual([last?.id])
          expect(all.items).toEqual([...newestFirst.slice(0, 4), { ...last, customContext: {}, industryContext: {} }])
          expect(yield* list(page(2, 4))).toMatchObject({ items: [last], truncated: [] })
          const [first] = newestFirst
          if (first === undefined) throw new Error("makeContact returned no contact")
          const longer = { ...first, customContext: { a: `${text}${"x".repeat(4_096)}` } }
          yield* contacts.update(longer)
          expect((yield* list(page(1))).truncated).toEqual(newestFirst.slice(3).map(({ id }) => id))
          expect(yield* contacts.find(Samples.scopeOf(account), first.id)).toEqual(Option.some(longer))
        })
    )

    it.effect("idsByNumber returns at most two of the account's own contacts with the number", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const number = PhoneNumber.make("+12025550171")
        const withNumber = { phoneNumbers: [Samples.newNumber(number)] }
        yield* Samples.makeContact(other.id, withNumber)
        expect(yield* contacts.idsByNumber(account.id, number)).toEqual([])
        const first = yield* Samples.makeContact(account.id, withNumber)
        yield* Samples.makeContact(account.id, { phoneNumbers: [Samples.newNumber("+12025550172")] })
        expect(yield* contacts.idsByNumber(account.id, number)).toEqual([first.id])
        yield* Samples.makeContact(account.id, withNumber)
        yield* Samples.makeContact(account.id, withNumber)
        expect(yield* contacts.idsByNumber(account.id, number)).toHaveLength(2)
      })
    )

    it.effect("touchLastCall sets the date of the last call to a later time only, and changes nothing else", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const account = yield* Samples.makeAccount()
        const contact = yield* Samples.makeContact(account.id)
        for (const minutes of [5, 3, 9, 8]) yield* contacts.touchLastCall(contact.id, Samples.later(minutes))
        expect(yield* contacts.find(Samples.scopeOf(account), contact.id)).toEqual(
          Option.some({ ...contact, lastCallDate: Samples.later(9) })
        )
      })
    )
  })
}
