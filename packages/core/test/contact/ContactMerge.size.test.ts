import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { type Contact, ContactId } from "@frontdesk/core/contact/Contact"
import type { PatchContact } from "@frontdesk/core/contact/ContactInput"
import * as ContactMerge from "@frontdesk/core/contact/ContactMerge"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"

const context: ContactMerge.MergeContext = {
  now: DateTime.makeUnsafe("2026-03-08T13:00:00Z"),
  settings: { contactStatuses: null, contactStages: null },
  team: null
}

const made = Result.getOrThrow(ContactMerge.create({}, AccountId.make(3), context))

/** Returns a contact with the given contexts. */
const contact = (contexts: Partial<Pick<Contact, "customContext" | "industryContext">>): Contact => ({
  ...made,
  id: ContactId.make(5),
  phoneNumbers: [],
  ...contexts
})

const problems = (result: ReturnType<typeof ContactMerge.patch> | ReturnType<typeof ContactMerge.create>) =>
  Result.match(result, {
    onSuccess: () => [],
    onFailure: (error) => error.problems.map(({ code, field }) => `${field} ${code}`)
  })

describe("ContactMerge: the size of a contact's contexts", () => {
  // {"a":"","b":""} has 15 bytes, and each euro sign has 3.
  const half = "€".repeat(Math.floor((65_536 - 15) / 3 / 2))
  const patched = (of: Contact, input: PatchContact) => problems(ContactMerge.patch(of, input, context))

  it("PATCH fails for a context in the body that has more than 64 KiB of JSON after the merge, and names it", () => {
    const full = contact({ customContext: { a: half }, industryContext: { a: half } })
    expect(patched(full, { customContext: { b: half } })).toEqual([])
    expect(patched(full, { customContext: { b: `${half}€` } })).toEqual(["custom_context too_large"])
    expect(patched(full, { industryContext: { b: `${half}€` } })).toEqual(["industry_context too_large"])
    expect(patched(full, { customContext: { a: null, b: `${half}€` } })).toEqual([])
  })

  it("a context of exactly 64 KiB of JSON is accepted", () => {
    // {"a":""} has 8 bytes.
    const exact = { customContext: { a: "x".repeat(65_536 - 8) } }
    expect(problems(ContactMerge.put(exact, contact({}), context))).toEqual([])
  })

  it("PATCH of a context beyond the maximum fails only when the body mentions it and it stays too large", () => {
    const large = contact({ customContext: { a: "x".repeat(70_000) } })
    expect(patched(large, { firstName: "Al" })).toEqual([])
    expect(patched(large, { customContext: { a: "small" } })).toEqual([])
    expect(patched(large, { customContext: { b: "more" } })).toEqual(["custom_context too_large"])
  })

  it("PUT and create fail for a context with more than 64 KiB of JSON", () => {
    const input = { customContext: { a: half, b: `${half}€` }, industryContext: { a: half, b: half } }
    expect(problems(ContactMerge.put(input, contact({}), context))).toEqual(["custom_context too_large"])
    expect(problems(ContactMerge.create(input, AccountId.make(3), context))).toEqual(["custom_context too_large"])
  })
})

describe("ContactMerge: the size of a contact without its contexts", () => {
  const control = "\u0001"
  const tags = Array.from({ length: 100 }, (_, index) => `${index}${control.repeat(97)}`)
  const patched = (of: Contact, input: PatchContact) => problems(ContactMerge.patch(of, input, context))

  it("create, PUT and PATCH fail for more than 20 KiB of JSON, and name the largest field of the body", () => {
    const input = { tags, address: control.repeat(500) }
    expect(problems(ContactMerge.create(input, AccountId.make(3), context))).toEqual(["tags too_large"])
    expect(problems(ContactMerge.put(input, contact({}), context))).toEqual(["tags too_large"])
    expect(patched(contact({}), input)).toEqual(["tags too_large"])
    expect(patched(contact({}), { address: input.address, tags })).toEqual(["tags too_large"])
    const types = Array.from({ length: 100 }, (_, index) => ({
      phoneNumber: PhoneNumber.make(`+1202${5_550_100 + index}`),
      phoneType: control.repeat(50)
    }))
    expect(patched(contact({}), { phoneNumbers: types, lastName: "Doe" })).toEqual(["phone_numbers too_large"])
  })

  it("a contact with 100 tags of 100 letters and 100 phone numbers is accepted", () => {
    const input = {
      tags: Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(100, "x")),
      phoneNumbers: Array.from({ length: 100 }, (_, index) => ({
        phoneNumber: PhoneNumber.make(`+1202${5_550_100 + index}`)
      }))
    }
    expect(patched(contact({}), input)).toEqual([])
  })

  it("PATCH of a contact beyond the maximum fails only when the contact would grow", () => {
    const large = { ...contact({}), tags }
    expect(patched(large, { firstName: "" })).toEqual([])
    expect(patched({ ...large, firstName: "Alice" }, { firstName: "Clara" })).toEqual([])
    expect(patched(large, { tags: tags.slice(1) })).toEqual([])
    expect(patched(large, { firstName: "Alice" })).toEqual(["first_name too_large"])
  })
})
