import { describe, expect, it } from "@effect/vitest"
import type { Contact } from "@frontdesk/core/contact/Contact"
import * as DefaultVariables from "@frontdesk/core/variable/DefaultVariables"
import * as TemplateSources from "@frontdesk/core/call/TemplateSources"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as contacts from "@frontdesk/testing/arbitrary/contact"
import * as fc from "fast-check"

describe("TemplateSources", () => {
  const [jo] = fc.sample(contacts.contact(), { numRuns: 1, seed: 1 })
  if (jo === undefined) throw new Error("no contact")
  const number = PhoneNumber.make("+12025550123")
  const contact: Contact = {
    ...jo,
    firstName: "Jo",
    lastName: null,
    company: "Acme",
    city: null,
    customContext: { company: "Custom", city: null, plan: "gold", business_hours: "never" },
    phoneNumbers: [
      { ...numberOf(1, "+12025550199"), primary: false },
      { ...numberOf(2, number), primary: true }
    ]
  }
  const lookup = TemplateSources.lookup({
    callVariables: { plan: "call" },
    contact,
    businessContext: { company_name: "Biz", hours: "9-5", first_name: "No" }
  })

  it.each([
    ["plan", "call"],
    ["company", "Custom"],
    ["first_name", "Jo"],
    ["full_name", "Jo"],
    ["phone_number", number],
    ["business_company_name", "Biz"],
    ["business_first_name", "No"],
    ["business_hours", "never"]
  ])(
    "the value of %s is %s, by the order of call, contact and business variables (C-2.4-7, D-TPL-2)",
    (name, expected) => {
      expect(lookup(name)).toBe(expected)
    }
  )

  it.each([
    "city",
    "last_name",
    "company_name",
    "hours",
    "business_",
    "business_plan",
    "constructor",
    "__proto__",
    "business_constructor",
    "customer_company_name"
  ])("%s has no value", (name) => {
    expect(lookup(name) ?? null).toBeNull()
  })

  it("a contact without names has no full name", () => {
    expect(TemplateSources.contactFields({ ...contact, firstName: null, lastName: null }).full_name).toBeNull()
  })

  it("a call without a contact has call variables and business variables", () => {
    const lookup = TemplateSources.lookup({ callVariables: { a: 1 }, contact: null, businessContext: { b: true } })
    expect([lookup("a"), lookup("business_b"), lookup("first_name")]).toEqual([1, true, undefined])
  })

  it("every default contact variable is a field of the contact", () => {
    expect(Object.keys(TemplateSources.contactFields(contact))).toEqual([...DefaultVariables.contactNames])
  })
})

function numberOf(id: number, phoneNumber: string): Contact["phoneNumbers"][number] {
  const [sample] = fc.sample(contacts.contactNumbers({ minLength: 1, maxLength: 1 }), { numRuns: 1, seed: id })
  if (sample?.[0] === undefined) throw new Error("no number")
  return { ...sample[0], phoneNumber: PhoneNumber.make(phoneNumber) }
}
