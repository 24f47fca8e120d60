import { describe, expect, it } from "@effect/vitest"
import { type Contact, ContactNumberId, type NewContactNumber } from "@frontdesk/core/contact/Contact"
import * as ContactMerge from "@frontdesk/core/contact/ContactMerge"
import * as arbitrary from "@frontdesk/testing/arbitrary/contact"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import * as fc from "fast-check"

const context: ContactMerge.MergeContext = {
  now: DateTime.makeUnsafe("2026-03-08T13:00:00.000Z"),
  settings: { contactStatuses: null, contactStages: null },
  team: null
}

describe("laws of ContactMerge", () => {
  const given = fc.tuple(arbitrary.contactAndPatch(), arbitrary.contactPut())

  it("a PATCH without fields returns the contact itself", () => {
    fc.assert(
      fc.property(arbitrary.contact(), (contact) => {
        expect(Result.getOrThrow(ContactMerge.patch(contact, {}, { ...context, team: contact.team }))).toBe(contact)
      })
    )
  })

  it("a PUT depends only on its body and on id, owner, creation and last call of the contact", () => {
    fc.assert(
      fc.property(given, arbitrary.contact(), ([[contact], input], other) => {
        const { id, accountId, createdAt, lastCallDate } = contact
        const left = ContactMerge.put(input, contact, context)
        expect(left).toEqual(ContactMerge.put(input, { ...other, id, accountId, createdAt, lastCallDate }, context))
      })
    )
  })

  it("a repeated PUT changes nothing", () => {
    fc.assert(
      fc.property(given, ([[contact], input]) => {
        const once = Result.getOrThrow(ContactMerge.put(input, contact, context))
        expect(Result.getOrThrow(ContactMerge.put(input, stored(once), context))).toEqual(once)
      })
    )
  })

  it("a PUT does not depend on an earlier PATCH", () => {
    fc.assert(
      fc.property(given, ([[contact, changes], input]) => {
        const patched = stored(Result.getOrThrow(ContactMerge.patch(contact, changes, context)))
        expect(ContactMerge.put(input, patched, context)).toEqual(ContactMerge.put(input, contact, context))
      })
    )
  })

  it("a repeated PATCH without new phone numbers changes nothing", () => {
    fc.assert(
      fc.property(given, ([[contact, patch]]) => {
        const changes = Struct.omit(patch, ["phoneNumbers"])
        const once = stored(Result.getOrThrow(ContactMerge.patch(contact, changes, context)))
        expect(Result.getOrThrow(ContactMerge.patch(once, changes, context))).toBe(once)
      })
    )
  })

  it("mergeContext returns the union of the keys with the supplied values, without keys supplied as null", () => {
    fc.assert(
      fc.property(arbitrary.contactContext(), arbitrary.contactContext(), (current, supplied) => {
        const merged = new Map(Object.entries(ContactMerge.mergeContext(current, supplied)))
        const model = new Map([...Object.entries(current), ...Object.entries(supplied)])
        for (const [key, value] of Object.entries(supplied)) if (value === null) model.delete(key)
        expect(merged).toEqual(model)
      })
    )
  })

  it("PATCH keeps fields and phone numbers that the body does not mention", () => {
    fc.assert(
      fc.property(arbitrary.contactAndPatch(), ([contact, changes]) => {
        const merged = Result.getOrThrow(ContactMerge.patch(contact, changes, { ...context, team: contact.team }))
        const fields = ["firstName", "email", "status", "stage", "tags", "customContext", "industryContext"] as const
        for (const field of fields) if (!(field in changes)) expect(merged[field]).toEqual(contact[field])
        const named = new Set((changes.phoneNumbers ?? []).map((entry) => entry.id))
        const rest = contact.phoneNumbers.filter((number) => !named.has(number.id))
        const after = new Map(merged.phoneNumbers.map((number) => [number.id, number]))
        for (const number of rest) {
          expect(after.get(number.id)).toEqual({ ...number, primary: after.get(number.id)?.primary })
        }
        const added = (changes.phoneNumbers ?? []).filter((entry) => entry.id === undefined)
        expect(merged.phoneNumbers.length).toBe(contact.phoneNumbers.length + added.length)
      })
    )
  })

  it("a contact with phone numbers has exactly one primary number and no number twice", () => {
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

const primaries = (numbers: ReadonlyArray<NewContactNumber>) =>
  numbers.filter((number) => number.primary).map((number) => number.phoneNumber)

/** Returns the contact as a store returns it: with ids for the new phone numbers. */
const stored = (
  write: Omit<Contact, "phoneNumbers"> & { readonly phoneNumbers: ReadonlyArray<NewContactNumber> }
): Contact => ({
  ...write,
  phoneNumbers: write.phoneNumbers.map((number, index) => ({
    ...number,
    id: number.id ?? ContactNumberId.make(1_000 + index)
  }))
})
