import { describe, expect, it } from "@effect/vitest"
import { personalize } from "@frontdesk/core/call/Personalization"
import { lookup, toText } from "@frontdesk/core/variable/Template"
import { contact, recordKey } from "@frontdesk/testing/arbitrary/contact"
import * as fc from "fast-check"

const nobody = { contact: null, businessContext: {} }

describe("Personalization", () => {
  it("the call's variables come before the business context under its prefix, each under its own name (Decisions 6)", () => {
    const sources = { contact: null, businessContext: { city: "Boston", open: true }, callVariables: { city: "Rome" } }
    expect(personalize(sources).variables).toEqual({ business_city: "Boston", business_open: true, city: "Rome" })
  })

  it("a variable may use the others and is rendered in one pass (Decisions 6)", () => {
    const callVariables = { a: "{{b}}", b: "[{{c}}]", c: "end", n: 7, t: "{{n}}" }
    expect(personalize({ ...nobody, callVariables }).own).toEqual({ a: "[{{c}}]", b: "[end]", c: "end", n: 7, t: "7" })
  })

  it("a name without a value becomes nothing and is reported once (Decisions 6)", () => {
    const { own, unresolved } = personalize({ ...nobody, callVariables: { a: "{{x}}{{y}}", b: "<{{x}}>" } })
    expect(own).toEqual({ a: "", b: "<>" })
    expect(unresolved).toEqual(["x", "y"])
  })
})

describe("laws of Personalization", () => {
  const plain = fc.oneof(fc.stringMatching(/^[a-z ]*$/), fc.integer(), fc.boolean())
  const record = fc.array(fc.tuple(recordKey(), plain), { maxLength: 5 }).map((entries) => Object.fromEntries(entries))
  const sources = fc.record({ contact: fc.option(contact()), businessContext: record, callVariables: record })

  it("what the agent is told under a name is what a template finds under it", () => {
    fc.assert(
      fc.property(sources, (sources) => {
        const find = lookup(sources)
        for (const [name, value] of Object.entries(personalize(sources).variables)) {
          expect([name, String(value)]).toEqual([name, toText(find(name) ?? null)])
        }
      })
    )
  })
})
