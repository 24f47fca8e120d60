import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { type Contact, ContactId, ContactNumberId, type NewContactNumber } from "@frontdesk/core/contact/Contact"
import type { PatchContact, PutContact } from "@frontdesk/core/contact/ContactInput"
import * as ContactMerge from "@frontdesk/core/contact/ContactMerge"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"

const a = PhoneNumber.make("+12025550001")
const b = PhoneNumber.make("+12025550002")
const c = PhoneNumber.make("+12025550003")
const first = { id: ContactNumberId.make(10), phoneNumber: a, phoneType: "mobile", primary: true, doNotCall: false }
const second = { id: ContactNumberId.make(11), phoneNumber: b, phoneType: null, primary: false, doNotCall: false }

describe("ContactMerge", () => {
  describe("PUT", () => {
    it("PUT sets absent fields to null or their default (C-4.3-1)", () => {
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

    it("PUT sets every field of the body", () => {
      const supplied = {
        firstName: "Ann",
        lastName: "Lee",
        email: "ann@example.com",
        company: "Initech",
        website: "https://example.com",
        address: "1 Main Street",
        city: "Bonn",
        state: "NW",
        zipCode: "53111",
        country: "DE",
        status: "open",
        stage: "won",
        tags: ["x"],
        customContext: { plan: "gold" },
        industryContext: { sector: "food" }
      }
      expect(put(supplied)).toMatchObject(supplied)
    })

    it("PUT treats null as absent (D-HTTP-4)", () => {
      expect(put({ status: null, tags: null, customContext: null, phoneNumbers: null, firstName: null })).toEqual(
        put({})
      )
    })

    it("PUT replaces all phone numbers by new ones (C-4.3-3)", () => {
      expect(put({ phoneNumbers: [{ phoneNumber: b, phoneType: "home", doNotCall: true }] }).phoneNumbers).toEqual([
        { id: null, phoneNumber: b, phoneType: "home", primary: true, doNotCall: true }
      ])
      expect(put({}).phoneNumbers).toEqual([])
    })

    it("PUT sets no type and do_not_call false for a phone number without them", () => {
      expect(put({ phoneNumbers: [{ phoneNumber: b }] }).phoneNumbers).toEqual([
        { id: null, phoneNumber: b, phoneType: null, primary: true, doNotCall: false }
      ])
    })

    it("PUT stores one of two tags that differ only in how a letter is composed", () => {
      expect(put({ tags: ["caf\u00e9", "cafe\u0301", "tea"] }).tags).toEqual(["caf\u00e9", "tea"])
    })

    it("PUT replaces tags and both contexts (C-4.3-5 and C-4.3-6)", () => {
      const replaced = put({ tags: ["x", "y", "x"], customContext: { c: null }, industryContext: {} })
      expect(replaced.tags).toEqual(["x", "y"])
      expect(replaced.customContext).toEqual({ c: null })
      expect(replaced.industryContext).toEqual({})
    })

    it("PUT fails for a repeated phone number, and names the second entry (D-CON-6)", () => {
      expect(
        problems(
          ContactMerge.put({ phoneNumbers: [{ phoneNumber: a }, { phoneNumber: b }, { phoneNumber: a }] }, jo, context)
        )
      ).toEqual(["phone_numbers[2].phone_number duplicate"])
    })
  })

  describe("PATCH", () => {
    it("PATCH changes only the fields of the body (C-4.3-2)", () => {
      expect(patch({ lastName: "Li", company: null })).toEqual({ ...jo, lastName: "Li", company: null, updatedAt: now })
    })

    it("PATCH changes a phone number with an id, adds one without an id, and keeps the others (C-4.3-4)", () => {
      const merged = patch({ phoneNumbers: [{ phoneNumber: c }, { id: second.id, phoneNumber: b, doNotCall: true }] })
      expect(merged.phoneNumbers).toEqual([
        first,
        { ...second, doNotCall: true },
        { id: null, phoneNumber: c, phoneType: null, primary: false, doNotCall: false }
      ])
    })

    it("PATCH keeps the fields that an entry with an id does not mention, and null clears the type", () => {
      const blocked = { ...second, phoneType: "home", doNotCall: true }
      const entry = { id: second.id, phoneNumber: c }
      const merge = (phoneNumbers: PatchContact["phoneNumbers"] & {}) =>
        Result.getOrThrow(ContactMerge.patch({ ...jo, phoneNumbers: [first, blocked] }, { phoneNumbers }, context))
          .phoneNumbers[1]
      expect(merge([entry])).toEqual({ ...blocked, phoneNumber: c })
      expect(merge([{ ...entry, phoneType: null, doNotCall: false }])).toEqual({ ...second, phoneNumber: c })
    })

    it("PATCH replaces tags (C-4.3-5)", () => {
      expect(patch({ tags: [] }).tags).toEqual([])
      expect(patch({ tags: ["x", "y", "x"] }).tags).toEqual(["x", "y"])
    })

    it("PATCH does not copy teamId into the contact", () => {
      expect(patch({ teamId: sales.id })).toBe(jo)
    })

    it("PATCH merges contexts one level deep, and null removes a key (C-4.3-6, D-CON-8)", () => {
      const merged = patch({ customContext: { plan: "gold", seats: null, more: { x: null } } })
      expect(merged.customContext).toEqual({ plan: "gold", address: { city: "Bonn" }, more: { x: null } })
      expect(patch({ customContext: { address: { zip: "1" } } }).customContext).toEqual({
        ...jo.customContext,
        address: { zip: "1" }
      })
      expect(merged.industryContext).toEqual(jo.industryContext)
    })

    it("PATCH merges the keys __proto__ and constructor like any other key", () => {
      const supplied = { ["__proto__"]: { x: 1 }, constructor: 2 }
      const merged = patch({ customContext: supplied })
      expect(Object.keys(merged.customContext)).toEqual([...Object.keys(jo.customContext), "__proto__", "constructor"])
      expect(Object.getPrototypeOf(merged.customContext)).toBe(Object.prototype)
      const removed = ContactMerge.mergeContext(merged.customContext, { ["__proto__"]: null })
      expect(Object.keys(removed)).not.toContain("__proto__")
    })

    it("PATCH without a difference returns the same contact with the same updatedAt", () => {
      expect(patch({})).toBe(jo)
      expect(patch({ firstName: jo.firstName, tags: jo.tags, customContext: { plan: "basic" } })).toBe(jo)
      expect(patch({ phoneNumbers: [{ id: first.id, phoneNumber: first.phoneNumber, primary: true }] })).toBe(jo)
    })

    it("PATCH fails for an id that the contact does not have, and for a repeated id (D-CON-7)", () => {
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

    it("PATCH fails for a phone number that the contact would have twice, and names the entry (D-CON-6)", () => {
      expect(patchProblems({ phoneNumbers: [{ phoneNumber: c }, { phoneNumber: a }] })).toEqual([
        "phone_numbers[1].phone_number duplicate"
      ])
      expect(patchProblems({ phoneNumbers: [{ id: first.id, phoneNumber: b }] })).toEqual([
        "phone_numbers[0].phone_number duplicate"
      ])
      expect(patchProblems({ phoneNumbers: [{ phoneNumber: c }, { id: second.id, phoneNumber: c }] })).toEqual([
        "phone_numbers[1].phone_number duplicate"
      ])
    })

    it("PATCH can exchange two phone numbers", () => {
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

    it("PATCH fails for more than 100 phone numbers", () => {
      // Jo has two numbers.
      const entries = Array.from({ length: 99 }, (_, index) => ({
        phoneNumber: PhoneNumber.make(`+4912345${100 + index}`)
      }))
      expect(patchProblems({ phoneNumbers: entries })).toEqual(["phone_numbers too_many"])
      const unknown = Array.from({ length: 101 }, () => ({ id: ContactNumberId.make(999), phoneNumber: c }))
      expect(patchProblems({ phoneNumbers: unknown })).toEqual(["phone_numbers too_many"])
      expect(patchProblems({ phoneNumbers: entries.slice(1) })).toEqual([])
    })
  })

  describe("The primary number (D-CON-5)", () => {
    it.each<[string, PatchContact["phoneNumbers"], PhoneNumber]>([
      ["the former one when no entry is primary", [{ phoneNumber: c }], a],
      ["the only primary entry", [{ phoneNumber: c, primary: true }], c],
      [
        "the last of two primary entries",
        [
          { phoneNumber: c, primary: true },
          { id: second.id, phoneNumber: b, primary: true }
        ],
        b
      ],
      [
        "the last primary entry in the body, even if it is not the last number of the contact",
        [
          { id: second.id, phoneNumber: b, primary: true },
          { id: first.id, phoneNumber: a, primary: true }
        ],
        a
      ],
      ["the former one when its entry has primary false", [{ id: first.id, phoneNumber: a, primary: false }], a]
    ])("the primary number after a PATCH is %s", (_, phoneNumbers, expected) => {
      expect(primaries(patch(phoneNumbers === undefined ? {} : { phoneNumbers }).phoneNumbers)).toEqual([expected])
    })

    it("the primary number after a PUT is the first, unless another entry is primary", () => {
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

  describe("The account's lists of statuses and stages", () => {
    const closed = { ...context, settings: { contactStatuses: ["open", "won"], contactStages: ["lead"] } }

    it("a status or stage that is not in the account's list fails", () => {
      expect(problems(ContactMerge.put({ status: "new", stage: "x" }, jo, closed))).toEqual([
        "status invalid_value",
        "stage invalid_value"
      ])
      expect(problems(ContactMerge.patch(jo, { status: "new" }, closed))).toEqual(["status invalid_value"])
      expect(problems(ContactMerge.patch(jo, { status: "won" }, closed))).toEqual([])
    })

    it("PATCH keeps a stored status that is no longer in the list", () => {
      expect(problems(ContactMerge.patch(jo, { firstName: "Joan" }, closed))).toEqual([])
    })

    it("PUT accepts null for status and stage, although the lists do not have null", () => {
      expect(problems(ContactMerge.put({ status: null, stage: null }, jo, closed))).toEqual([])
    })

    it("the default status and stage are new and lead, when the lists have them (D-CON-3)", () => {
      const settings = { contactStatuses: ["open", "new"], contactStages: ["won", "lead"] }
      const made = Result.getOrThrow(ContactMerge.put({}, jo, { ...context, settings }))
      expect([made.status, made.stage]).toEqual(["new", "lead"])
    })

    it("the default status is the first of the list, when the list lacks new", () => {
      const made = Result.getOrThrow(ContactMerge.put({}, jo, closed))
      expect([made.status, made.stage]).toEqual(["open", "lead"])
    })
  })

  it("create sets the account and the present time, and no last call", () => {
    const { accountId } = jo
    expect(Result.getOrThrow(ContactMerge.create({}, accountId, context))).toMatchObject({
      accountId,
      lastCallDate: null,
      createdAt: now,
      updatedAt: now
    })
  })

  it("create fails with all problems at once", () => {
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
