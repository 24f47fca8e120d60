import { describe, expect, it } from "@effect/vitest"
import { fullName, shorten } from "@frontdesk/core/contact/Contact"
import * as arbitrary from "@frontdesk/testing/arbitrary/contact"
import * as fc from "fast-check"

describe("Contact", () => {
  it.each([
    ["Jo", "Li", "Jo Li"],
    ["Jo", null, "Jo"],
    [null, "Li", "Li"],
    ["Jo", "", "Jo"],
    ["", "Li", "Li"],
    [null, null, ""],
    ["", "", ""]
  ])("the full name of %j and %j is %j (D-VAL-2)", (firstName, lastName, name) => {
    expect(fullName({ firstName, lastName })).toBe(name)
  })

  it("shorten empties both contexts and keeps every other field", () => {
    fc.assert(
      fc.property(arbitrary.contact(), (contact) => {
        expect(shorten(contact)).toEqual({ ...contact, customContext: {}, industryContext: {} })
      })
    )
  })
})
