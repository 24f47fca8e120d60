import { describe, expect, it } from "@effect/vitest"
import * as CustomContext from "@frontdesk/core/contact/CustomContext"

const definitions: CustomContext.Definitions = new Map([
  ["seats", { variableType: "number", selectOptions: null }],
  ["plan", { variableType: "select", selectOptions: ["basic", "gold"] }]
])

describe("CustomContext.canonical", () => {
  it("a value of a defined variable becomes its canonical form", () => {
    expect(CustomContext.canonical({ seats: "42", plan: "gold" }, definitions)).toEqual({
      context: { seats: 42, plan: "gold" },
      problems: []
    })
  })

  it("a value that does not fit its type is unchanged, and is a problem with the name of the variable", () => {
    const { context, problems } = CustomContext.canonical({ seats: "many", plan: "gold" }, definitions)
    expect(context).toEqual({ seats: "many", plan: "gold" })
    expect(problems.map(({ code, field }) => `${field} ${code}`)).toEqual(["custom_context.seats invalid_value"])
  })

  it("every value that does not fit its type has a problem with the message of its type", () => {
    const { problems } = CustomContext.canonical({ plan: "silver", seats: true, note: 1 }, definitions)
    expect(problems.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      "custom_context.plan: Expected one of the options of the variable",
      "custom_context.seats: Expected a finite number, or a numeric string that a number can represent exactly (about 15 digits)"
    ])
  })

  it("a name without a definition can have any JSON value", () => {
    const supplied = { note: { seats: "many" }, ["__proto__"]: [1] }
    expect(CustomContext.canonical(supplied, definitions)).toEqual({ context: supplied, problems: [] })
    expect(CustomContext.canonical({ seats: "many" })).toEqual({ context: { seats: "many" }, problems: [] })
  })

  it("null fits every type and is unchanged", () => {
    expect(CustomContext.canonical({ seats: null }, definitions)).toEqual({ context: { seats: null }, problems: [] })
  })
})
