// Laws of a product that embeds the core: promises to its own users, checked with generated inputs.
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
  it("the booking page offers each start once, in order", () => {
    fc.assert(
      fc.property(availability.question(), (query) => {
        const starts = Result.getOrThrow(Slots.find(query)).map((slot) => slot.start)
        expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => a - b))
      })
    )
  })

  it("the booking page shows the same instants to a viewer in another time zone", () => {
    fc.assert(
      fc.property(availability.question(), availability.timeZone(), (query, viewer) => {
        for (const slot of Result.getOrThrow(Slots.find(query))) {
          expect(DateTime.toEpochMillis(DateTime.makeUnsafe(TimeZone.formatOffset(slot.start, viewer)))).toBe(
            slot.start
          )
        }
      })
    )
  })
})

describe("our import of contacts", () => {
  it("the import leaves every contact that has numbers with one primary number", () => {
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

  it("the import shows a name with the first and the last name", () => {
    fc.assert(
      fc.property(contacts.contact(), (contact) => {
        expect(fullName(contact)).toContain(contact.firstName ?? "")
        expect(fullName(contact)).toContain(contact.lastName ?? "")
      })
    )
  })
})

describe("our web page for variables", () => {
  it("the page accepts the stored value of every number that it has accepted", () => {
    fc.assert(
      fc.property(variables.acceptedValue("number"), ({ value }) => {
        const stored = Result.getOrThrow(VariableValue.validate("number", null, value))
        expect(VariableValue.validate("number", null, stored)).toEqual(Result.succeed(stored))
      })
    )
  })
})
