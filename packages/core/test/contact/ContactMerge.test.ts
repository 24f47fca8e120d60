import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { type Contact, ContactId, ContactNumberId, type NewContactNumber } from "@frontdesk/core/contact/Contact"
import type { PatchContact, PutContact } from "@frontdesk/core/contact/ContactInput"
import * as ContactMerge from "@frontdesk/core/contact/ContactMerge"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as arbitrary from "@frontdesk/testing/arbitrary/contact"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import * as fc from "fast-check"

const a = PhoneNumber.make("+12025550001")
const b = PhoneNumber.make("+12025550002")
const c = PhoneNumber.make("+12025550003")
const first = { id: ContactNumberId.make(10), phoneNumber: a, phoneType: "mobile", primary: true, doNotCall: false }
const second = { id: ContactNumberId.make(11), phoneNumber: b, phoneType: null, primary: false, doNotCall: false }

describe("ContactMerge", () => {
  describe("PUT", () => {
    it("sets omitted fields to null or their default (C-4.3-1)", () => {
      expect(put({ firstName: "Jo" })).toEqual({
        id: jo.id,
        accountId: jo.accountId,
        firstName: "Jo",
        lastName: null,
        email: null,
        company: null,
        website: null,
        address: null,
        city: null,
        state: null,
        zipCode: null,
        country: null,
        status: "new",
        stage: "lead",
        team: null,
        tags: [],
        phoneNumbers: [],
        customContext: {},
        industryContext: {},
        lastCallDate: jo.lastCallDate,
        createdAt: jo.createdAt,
        updatedAt: now
      })
    })

    it("takes null as absent (D-HTTP-4)", () => {
      expect(put({ status: null, tags: null, customContext: null, phoneNumbers: null, firstName: null })).toEqual(
        put({})
      )
    })

    it("deletes all numbers and keeps the supplied ones as new (C-4.3-3)", () => {
      expect(put({ phoneNumbers: [{ phoneNumber: b, phoneType: "home", doNotCall: true }] }).phoneNumbers).toEqual([
        { id: null, phoneNumber: b, phoneType: "home", primary: true, doNotCall: true }
      ])
      expect(put({}).phoneNumbers).toEqual([])
    })

    it("replaces tags and both contexts (C-4.3-5 and C-4.3-6)", () => {
      const replaced = put({ tags: ["x", "y", "x"], customContext: { c: null }, industryContext: {} })
      expect(replaced.tags).toEqual(["x", "y"])
      expect(replaced.customContext).toEqual({ c: null })
      expect(replaced.industryContext).toEqual({})
    })

    it("refuses the same number twice at the place of the second (D-CON-6)", () => {
      expect(
        problems(
          ContactMerge.put({ phoneNumbers: [{ phoneNumber: a }, { phoneNumber: b }, { phoneNumber: a }] }, jo, context)
        )
      ).toEqual(["phone_numbers[2].phone_number duplicate"])
    })
  })

  describe("PATCH", () => {
    it("changes only the supplied fields (C-4.3-2)", () => {
      expect(patch({ lastName: "Li", company: null })).toEqual({ ...jo, lastName: "Li", company: null, updatedAt: now })
    })

    it("changes a number with an id, adds one without, and leaves the others (C-4.3-4)", () => {
      const merged = patch({ phoneNumbers: [{ phoneNumber: c }, { id: second.id, phoneNumber: b, doNotCall: true }] })
      expect(merged.phoneNumbers).toEqual([
        first,
        { ...second, doNotCall: true },
        { id: null, phoneNumber: c, phoneType: null, primary: false, doNotCall: false }
      ])
    })

    it("leaves what an entry with an id does not say, and null clears its type", () => {
      const blocked = { ...second, phoneType: "home", doNotCall: true }
      const entry = { id: second.id, phoneNumber: c }
      const merge = (phoneNumbers: PatchContact["phoneNumbers"] & {}) =>
        Result.getOrThrow(ContactMerge.patch({ ...jo, phoneNumbers: [first, blocked] }, { phoneNumbers }, context))
          .phoneNumbers[1]
      expect(merge([entry])).toEqual({ ...blocked, phoneNumber: c })
      expect(merge([{ ...entry, phoneType: null, doNotCall: false }])).toEqual({ ...second, phoneNumber: c })
    })

    it("replaces tags (C-4.3-5)", () => {
      expect(patch({ tags: [] }).tags).toEqual([])
    })

    it("merges contexts one level deep, and null removes a key (C-4.3-6, D-CON-8)", () => {
      const merged = patch({ customContext: { plan: "gold", seats: null, more: { x: null } } })
      expect(merged.customContext).toEqual({ plan: "gold", address: { city: "Bonn" }, more: { x: null } })
      expect(patch({ customContext: { address: { zip: "1" } } }).customContext).toEqual({
        ...jo.customContext,
        address: { zip: "1" }
      })
      expect(merged.industryContext).toEqual(jo.industryContext)
    })

    it("merges keys that every object inherits like any other", () => {
      const supplied = { ["__proto__"]: { x: 1 }, constructor: 2 }
      const merged = patch({ customContext: supplied })
      expect(Object.keys(merged.customContext)).toEqual([...Object.keys(jo.customContext), "__proto__", "constructor"])
      expect(Object.getPrototypeOf(merged.customContext)).toBe(Object.prototype)
      const removed = ContactMerge.mergeContext(merged.customContext, { ["__proto__"]: null })
      expect(Object.keys(removed)).not.toContain("__proto__")
    })

    it("that changes nothing is the same contact with the same updatedAt", () => {
      expect(patch({})).toBe(jo)
      expect(patch({ firstName: jo.firstName, tags: jo.tags, customContext: { plan: "basic" } })).toBe(jo)
      expect(patch({ phoneNumbers: [{ id: first.id, phoneNumber: first.phoneNumber, primary: true }] })).toBe(jo)
    })

    it("refuses an id that is not the contact's, or that comes twice (D-CON-7)", () => {
      expect(patchProblems({ phoneNumbers: [{ id: ContactNumberId.make(99), phoneNumber: c }] })).toEqual([
        "phone_numbers[0].id unknown"
      ])
      expect(
        patchProblems({
          phoneNumbers: [
            { id: first.id, phoneNumber: c },
            { id: first.id, phoneNumber: b }
          ]
        })
      ).toEqual(["phone_numbers[1].id duplicate"])
    })

    it("refuses a number the contact would have twice, at the entry that repeats it (D-CON-6)", () => {
      expect(patchProblems({ phoneNumbers: [{ phoneNumber: c }, { phoneNumber: a }] })).toEqual([
        "phone_numbers[1].phone_number duplicate"
      ])
      expect(patchProblems({ phoneNumbers: [{ phoneNumber: c }, { id: second.id, phoneNumber: c }] })).toEqual([
        "phone_numbers[1].phone_number duplicate"
      ])
    })

    it("may exchange two numbers", () => {
      const merged = patch({
        phoneNumbers: [
          { id: first.id, phoneNumber: b },
          { id: second.id, phoneNumber: a }
        ]
      })
      expect(merged.phoneNumbers).toEqual([
        { ...first, phoneNumber: b },
        { ...second, phoneNumber: a }
      ])
    })

    it("refuses more than 100 numbers", () => {
      const entries = Array.from({ length: 99 }, (_, index) => ({
        phoneNumber: PhoneNumber.make(`+4912345${100 + index}`)
      }))
      expect(patchProblems({ phoneNumbers: entries })).toEqual(["phone_numbers too_many"])
      const unknown = Array.from({ length: 101 }, () => ({ id: ContactNumberId.make(999), phoneNumber: c }))
      expect(patchProblems({ phoneNumbers: unknown })).toEqual(["phone_numbers too_many"])
      expect(patchProblems({ phoneNumbers: entries.slice(1) })).toEqual([])
    })
  })

  describe("the primary number is the last that says so, else the one that was, else the first (D-CON-5)", () => {
    it.each<[string, PatchContact["phoneNumbers"], PhoneNumber]>([
      ["none says so", [{ phoneNumber: c }], a],
      ["one says so", [{ phoneNumber: c, primary: true }], c],
      [
        "two say so",
        [
          { phoneNumber: c, primary: true },
          { id: second.id, phoneNumber: b, primary: true }
        ],
        b
      ],
      [
        "the last in the body counts, not the last in the contact",
        [
          { id: second.id, phoneNumber: b, primary: true },
          { id: first.id, phoneNumber: a, primary: true }
        ],
        a
      ],
      ["the one that was says no and no other says yes", [{ id: first.id, phoneNumber: a, primary: false }], a]
    ])("PATCH: %s", (_, phoneNumbers, expected) => {
      expect(primaries(patch(phoneNumbers === undefined ? {} : { phoneNumbers }).phoneNumbers)).toEqual([expected])
    })

    it("PUT: the first, unless another says so", () => {
      expect(primaries(put({ phoneNumbers: [{ phoneNumber: b }, { phoneNumber: a }] }).phoneNumbers)).toEqual([b])
      expect(
        primaries(
          put({
            phoneNumbers: [{ phoneNumber: b, primary: false }, { phoneNumber: a, primary: true }, { phoneNumber: c }]
          }).phoneNumbers
        )
      ).toEqual([a])
    })
  })

  describe("closed lists", () => {
    const closed = { ...context, settings: { contactStatuses: ["open", "won"], contactStages: ["lead"] } }

    it("a status or stage outside the account's list is refused", () => {
      expect(problems(ContactMerge.put({ status: "new", stage: "x" }, jo, closed))).toEqual([
        "status invalid_value",
        "stage invalid_value"
      ])
      expect(problems(ContactMerge.patch(jo, { status: "new" }, closed))).toEqual(["status invalid_value"])
      expect(problems(ContactMerge.patch(jo, { status: "won" }, closed))).toEqual([])
    })

    it("a stored status that is no longer in the list stays until it is changed", () => {
      expect(problems(ContactMerge.patch(jo, { firstName: "Joan" }, closed))).toEqual([])
    })

    it("the default of a list without the usual default is its first", () => {
      const made = Result.getOrThrow(ContactMerge.put({}, jo, closed))
      expect([made.status, made.stage]).toEqual(["open", "lead"])
    })
  })

  it("everything that is wrong is told at once", () => {
    const closed = { ...context, settings: { contactStatuses: ["open"], contactStages: null } }
    expect(
      problems(
        ContactMerge.create(
          { status: "x", phoneNumbers: [{ phoneNumber: a }, { phoneNumber: a }] },
          jo.accountId,
          closed
        )
      )
    ).toEqual(["status invalid_value", "phone_numbers[1].phone_number duplicate"])
  })

  describe("laws", () => {
    const given = fc.tuple(arbitrary.contactAndPatch(), arbitrary.contactPut())

    it("a PATCH with nothing is identity", () => {
      fc.assert(
        fc.property(arbitrary.contact(), (contact) => {
          expect(Result.getOrThrow(ContactMerge.patch(contact, {}, { ...context, team: contact.team }))).toBe(contact)
        })
      )
    })

    it("a PUT depends on its input, the id, the owner and what no input sets", () => {
      fc.assert(
        fc.property(given, arbitrary.contact(), ([[contact], input], other) => {
          const { id, accountId, createdAt, lastCallDate } = contact
          const left = ContactMerge.put(input, contact, context)
          expect(left).toEqual(ContactMerge.put(input, { ...other, id, accountId, createdAt, lastCallDate }, context))
        })
      )
    })

    it("a PUT twice is a PUT once", () => {
      fc.assert(
        fc.property(given, ([[contact], input]) => {
          const once = Result.getOrThrow(ContactMerge.put(input, contact, context))
          expect(Result.getOrThrow(ContactMerge.put(input, stored(once), context))).toEqual(once)
        })
      )
    })

    it("a PATCH then a PUT is the PUT", () => {
      fc.assert(
        fc.property(given, ([[contact, changes], input]) => {
          const patched = stored(Result.getOrThrow(ContactMerge.patch(contact, changes, context)))
          expect(ContactMerge.put(input, patched, context)).toEqual(ContactMerge.put(input, contact, context))
        })
      )
    })

    it("a PATCH twice, its new numbers aside, is the PATCH once", () => {
      fc.assert(
        fc.property(given, ([[contact, patch]]) => {
          const changes = Struct.omit(patch, ["phoneNumbers"])
          const once = stored(Result.getOrThrow(ContactMerge.patch(contact, changes, context)))
          expect(Result.getOrThrow(ContactMerge.patch(once, changes, context))).toBe(once)
        })
      )
    })

    it("the keys after a PATCH are the union without those supplied as null, and the supplied side wins", () => {
      fc.assert(
        fc.property(arbitrary.contactContext(), arbitrary.contactContext(), (current, supplied) => {
          const merged = new Map(Object.entries(ContactMerge.mergeContext(current, supplied)))
          const model = new Map([...Object.entries(current), ...Object.entries(supplied)])
          for (const [key, value] of Object.entries(supplied)) if (value === null) model.delete(key)
          expect(merged).toEqual(model)
        })
      )
    })

    it("fields that a PATCH does not supply, and numbers it does not reference, survive", () => {
      fc.assert(
        fc.property(arbitrary.contactAndPatch(), ([contact, changes]) => {
          const merged = Result.getOrThrow(ContactMerge.patch(contact, changes, { ...context, team: contact.team }))
          const fields = ["firstName", "email", "status", "stage", "tags", "customContext", "industryContext"] as const
          for (const field of fields) if (!(field in changes)) expect(merged[field]).toEqual(contact[field])
          const named = new Set((changes.phoneNumbers ?? []).map((entry) => entry.id))
          const rest = contact.phoneNumbers.filter((number) => !named.has(number.id))
          const kept = new Map(merged.phoneNumbers.map((number) => [number.id, number]))
          for (const number of rest) {
            expect(kept.get(number.id)).toEqual({ ...number, primary: kept.get(number.id)?.primary })
          }
          const added = (changes.phoneNumbers ?? []).filter((entry) => entry.id === undefined)
          expect(merged.phoneNumbers.length).toBe(contact.phoneNumbers.length + added.length)
        })
      )
    })

    it("exactly one number is primary whenever there is a number, and no number is there twice", () => {
      fc.assert(
        fc.property(given, ([[contact, changes], input]) => {
          for (const result of [
            ContactMerge.patch(contact, changes, context),
            ContactMerge.put(input, contact, context)
          ]) {
            const { phoneNumbers } = Result.getOrThrow(result)
            expect(primaries(phoneNumbers).length).toBe(phoneNumbers.length === 0 ? 0 : 1)
            expect(new Set(phoneNumbers.map((number) => number.phoneNumber)).size).toBe(phoneNumbers.length)
          }
        })
      )
    })
  })
})

const now = DateTime.makeUnsafe("2026-03-08T13:00:00.000Z")
const sales = { id: TeamId.make(7), name: "Sales" }

const jo: Contact = {
  id: ContactId.make(5),
  accountId: AccountId.make(3),
  firstName: "Jo",
  lastName: null,
  email: "jo@example.com",
  company: "Acme",
  website: null,
  address: null,
  city: null,
  state: null,
  zipCode: null,
  country: null,
  status: "customer",
  stage: "won",
  team: sales,
  tags: ["vip"],
  phoneNumbers: [first, second],
  customContext: { plan: "basic", seats: 3, address: { city: "Bonn" } },
  industryContext: { sector: "retail" },
  lastCallDate: DateTime.makeUnsafe("2026-02-01T00:00:00.000Z"),
  createdAt: DateTime.makeUnsafe("2026-01-01T00:00:00.000Z"),
  updatedAt: DateTime.makeUnsafe("2026-01-02T00:00:00.000Z")
}

const context: ContactMerge.MergeContext = { now, settings: { contactStatuses: null, contactStages: null }, team: null }

const put = (input: PutContact) => Result.getOrThrow(ContactMerge.put(input, jo, context))
const patch = (changes: PatchContact) => Result.getOrThrow(ContactMerge.patch(jo, changes, { ...context, team: sales }))
const patchProblems = (changes: PatchContact) => problems(ContactMerge.patch(jo, changes, { ...context, team: sales }))

const problems = (result: ReturnType<typeof ContactMerge.create>): ReadonlyArray<string> =>
  Result.match(result, {
    onSuccess: () => [],
    onFailure: (error) => error.problems.map(({ field, code }) => `${field} ${code}`)
  })

const primaries = (numbers: ReadonlyArray<NewContactNumber>) =>
  numbers.filter((number) => number.primary).map((number) => number.phoneNumber)

/** What a store makes of a write: new numbers get ids. */
const stored = (
  write: Omit<Contact, "phoneNumbers"> & { readonly phoneNumbers: ReadonlyArray<NewContactNumber> }
): Contact => ({
  ...write,
  phoneNumbers: write.phoneNumbers.map((number, index) => ({
    ...number,
    id: number.id ?? ContactNumberId.make(1_000 + index)
  }))
})
