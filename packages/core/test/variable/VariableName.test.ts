import { describe, expect, it } from "@effect/vitest"
import * as VariableName from "@frontdesk/core/variable/VariableName"
import * as arbitrary from "@frontdesk/testing/arbitrary/variable"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

const code = (name: string, contextType: "contact" | "business") =>
  VariableName.problem(name, contextType, "name")?.code

describe("VariableName", () => {
  it.each(["a", "plan", "zip_code", "_", "2nd_floor", "__proto__", "a".repeat(64)])("%s is a name", (name) => {
    expect(code(name, "contact")).toBeUndefined()
    expect(code(name, "business")).toBeUndefined()
  })

  it.each(["", "Plan", "zip-code", "a b", "ä", "a\n", "a.b", "a".repeat(65)])("%j is not a name (C-2.4-1)", (name) => {
    expect(code(name, "contact")).toBe("invalid_value")
    expect(code(name, "business")).toBe("invalid_value")
  })

  it("the JSON Schema of VariableName has the pattern of C-2.4-1", () => {
    const { definitions } = Schema.toJsonSchemaDocument(VariableName.VariableName)
    expect(JSON.stringify(definitions)).toContain('"pattern":"^[a-z0-9_]{1,64}$"')
  })

  it("the name of a contact variable cannot begin with business_ (D-VAR-1)", () => {
    expect(VariableName.problem("business_plan", "contact", "name")).toMatchObject({ field: "name", code: "reserved" })
    expect(code("business_", "contact")).toBe("reserved")
    expect(code("business", "contact")).toBeUndefined()
    expect(code("business_plan", "business")).toBeUndefined()
  })

  it.each([
    ["plan", "Plan"],
    ["zip_code", "Zip Code"],
    ["2nd_floor", "2nd Floor"],
    ["company_name", "Company Name"],
    ["a__b", "A  B"],
    ["__", "__"]
  ])("the display name of %s is %j (C-4.5-5)", (name, display) => {
    expect(VariableName.displayName(name)).toBe(display)
  })

  it("a display name is not blank, and in lower case with underscores for its spaces it equals the name", () => {
    fc.assert(
      fc.property(arbitrary.variableName(), (name) => {
        const display = VariableName.displayName(name)
        expect(display.trim()).not.toBe("")
        expect(display.toLowerCase().replaceAll(" ", "_")).toBe(name)
      })
    )
  })
})
