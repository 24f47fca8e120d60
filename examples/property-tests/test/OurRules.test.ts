// Laws of a product that embeds the core: what it promises its own users, over inputs nobody thought of.
import * as Slots from "@frontdesk/core/availability/Slots"
import { fullName } from "@frontdesk/core/contact/Contact"
import * as ContactMerge from "@frontdesk/core/contact/ContactMerge"
import * as TimeZone from "@frontdesk/core/values/TimeZone"
import * as VariableValue from "@frontdesk/core/variable/VariableValue"
import * as availability from "@frontdesk/testing/arbitrary/availability"
import * as contacts from "@frontdesk/testing/arbitrary/contact"
import * as variables from "@frontdesk/testing/arbitrary/variable"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("our booking page", () => {
  it("never offers the same start twice, and offers them in order", () => {
    fc.assert(
      fc.property(availability.question(), (question) => {
        const starts = Result.getOrThrow(Slots.find(question)).map((slot) => slot.start)
        expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => a - b))
      })
    )
  })

  it("shows a viewer in another zone the same instants", () => {
    fc.assert(
      fc.property(availability.question(), availability.timeZone(), (question, viewer) => {
        for (const slot of Result.getOrThrow(Slots.find(question))) {
          expect(DateTime.toEpochMillis(DateTime.makeUnsafe(TimeZone.formatOffset(slot.start, viewer)))).toBe(
            slot.start
          )
        }
      })
    )
  })
})

describe("our import of contacts", () => {
  it("never leaves a contact with two primary numbers", () => {
    fc.assert(
      fc.property(contacts.contactAndPatch(), ([contact, patch]) => {
        const merged = ContactMerge.patch(contact, patch, {
          now: contact.updatedAt,
          settings: { contactStatuses: null, contactStages: null },
          team: contact.team
        })
        if (Result.isFailure(merged)) return
        const primaries = merged.success.phoneNumbers.filter((number) => number.primary)
        expect(primaries).toHaveLength(Math.min(1, merged.success.phoneNumbers.length))
      })
    )
  })

  it("shows a name that holds both names we know", () => {
    fc.assert(
      fc.property(contacts.contact(), (contact) => {
        expect(fullName(contact)).toContain(contact.firstName ?? "")
        expect(fullName(contact)).toContain(contact.lastName ?? "")
      })
    )
  })
})

describe("our form of variables", () => {
  it("accepts again what it has stored", () => {
    fc.assert(
      fc.property(variables.acceptedValue("number"), ({ value }) => {
        const stored = Result.getOrThrow(VariableValue.validate("number", null, value))
        expect(VariableValue.validate("number", null, stored)).toEqual(Result.succeed(stored))
      })
    )
  })
})
