import { describe, expect, it } from "@effect/vitest"
import { personalize } from "@frontdesk/core/call/Personalization"
import { toText } from "@frontdesk/core/variable/Template"
import { lookup, type TemplateSources } from "@frontdesk/core/call/TemplateSources"
import { contact, recordKey } from "@frontdesk/testing/arbitrary/contact"
import * as Result from "effect/Result"
import * as fc from "fast-check"

const maxInsertedLength = 100_000
const maxVariableBytes = 262_144

const empty = { contact: null, businessContext: {} }

const personalized = (sources: TemplateSources) => Result.getOrThrow(personalize(sources))

describe("Personalization.personalize", () => {
  it("business values have the prefix business_, so that they never replace the call's variables (C-2.4-7, D-TPL-2)", () => {
    const sources = { contact: null, businessContext: { city: "Boston", open: true }, callVariables: { city: "Rome" } }
    expect(personalized(sources).variables).toEqual({ business_city: "Boston", business_open: true, city: "Rome" })
  })

  it("a variable that names other variables gets their texts unrendered (D-TPL-3)", () => {
    const callVariables = { a: "{{b}}", b: "[{{c}}]", c: "end", n: 7, t: "{{n}}" }
    expect(personalized({ ...empty, callVariables }).own).toEqual({ a: "[{{c}}]", b: "[end]", c: "end", n: 7, t: "7" })
  })

  it("a name without a value is replaced by the empty text and listed once (D-TPL-4)", () => {
    const { own, unresolved } = personalized({ ...empty, callVariables: { a: "{{x}}{{y}}", b: "<{{x}}>" } })
    expect(own).toEqual({ a: "", b: "<>" })
    expect(unresolved).toEqual(["x", "y"])
  })

  it("a short text that names a long value many times fails, without building the long text (D-CALL-17)", () => {
    const inserting = (length: number, times: number) =>
      personalize({
        contact: null,
        businessContext: { x: "x".repeat(length) },
        callVariables: { greeting: "{{business_x}}".repeat(times) }
      })
    expect(Result.getOrThrow(inserting(maxInsertedLength, 1)).own["greeting"]).toHaveLength(maxInsertedLength)
    expect(Result.getOrThrow(Result.flip(inserting(maxInsertedLength + 1, 1))).problems).toMatchObject([
      { field: "variables", code: "invalid_value" }
    ])
    expect(Result.isFailure(inserting(10_000_000, 70))).toBe(true)
  })

  it("an empty value is inserted also when the maximum length is reached", () => {
    const { unresolved } = personalized({
      contact: null,
      businessContext: { x: "x".repeat(maxInsertedLength), nothing: "" },
      callVariables: { greeting: "{{business_x}}{{business_nothing}}" }
    })
    expect(unresolved).toEqual([])
  })

  it("a contact's texts, numbers and booleans stay as they are, null counts as no value, and objects and lists become JSON text", () => {
    const [sample] = fc.sample(contact(), { numRuns: 1, seed: 1 })
    if (sample === undefined) throw new Error("no contact")
    const customContext = { seats: 3, vip: true, note: null, address: { city: "Bonn" }, pets: ["cat"], plan: "gold" }
    const { variables } = personalized({
      contact: { ...sample, customContext },
      businessContext: {},
      callVariables: {}
    })
    expect(variables).toMatchObject({ seats: 3, vip: true, address: '{"city":"Bonn"}', pets: '["cat"]', plan: "gold" })
    expect(variables).not.toHaveProperty("note")
  })

  it("all variables together fail with too_large above 256 KiB of JSON (D-VAL-10)", () => {
    // {"business_x":""} has 17 bytes.
    const withValue = (length: number) =>
      personalize({ contact: null, businessContext: { x: "x".repeat(length) }, callVariables: {} })
    expect(Result.isSuccess(withValue(maxVariableBytes - 17))).toBe(true)
    expect(Result.getOrThrow(Result.flip(withValue(maxVariableBytes - 16))).problems).toMatchObject([
      { field: "variables", code: "too_large" }
    ])
  })
})

describe("laws of Personalization", () => {
  const plain = fc.oneof(fc.stringMatching(/^[a-z ]*$/), fc.integer(), fc.boolean())
  const record = fc.array(fc.tuple(recordKey(), plain), { maxLength: 5 }).map((entries) => Object.fromEntries(entries))
  const sources = fc.record({ contact: fc.option(contact()), businessContext: record, callVariables: record })

  it("each variable that the agent receives has the value that a template inserts for its name", () => {
    fc.assert(
      fc.property(sources, (sources) => {
        const find = lookup(sources)
        for (const [name, value] of Object.entries(personalized(sources).variables)) {
          expect([name, String(value)]).toEqual([name, toText(find(name) ?? null)])
        }
      })
    )
  })
})
