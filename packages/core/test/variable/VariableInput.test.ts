import { describe, expect, it } from "@effect/vitest"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import * as Wire from "@frontdesk/core/values/Wire"
import { CreateVariable, PatchVariable, PutVariable } from "@frontdesk/core/variable/VariableInput"
import { VariableScalar } from "@frontdesk/core/variable/ContextVariable"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

describe("VariableInput", () => {
  const problems = (schema: Schema.Codec<unknown, unknown>, body: unknown): ReadonlyArray<string> =>
    Result.match(Schema.decodeUnknownResult(schema)(body, { errors: "all" }), {
      onSuccess: () => [],
      onFailure: (error) => FieldProblems.fromIssue(error.issue).map(({ field, code }) => `${field} ${code}`)
    })

  it("a create without fields has a problem for each required field (C-4.4-4, C-7-4)", () => {
    expect(problems(Wire.snakeCase(CreateVariable), {})).toEqual([
      "name missing",
      "display_name missing",
      "variable_type missing",
      "context_type missing"
    ])
  })

  it("a create has a problem for each invalid field", () => {
    const body = { name: "Plan", display_name: " ", variable_type: "list", context_type: 1, select_options: [1] }
    expect(problems(Wire.snakeCase(CreateVariable), body)).toEqual([
      "name invalid_value",
      "display_name invalid_value",
      "variable_type invalid_type",
      "context_type invalid_type",
      "select_options[0] invalid_type"
    ])
  })

  it("a PATCH ignores name, context type and is_default, which cannot change (C-4.4-6)", () => {
    expect(Schema.decodeUnknownSync(PatchVariable)({ name: "x", contextType: "contact", isDefault: true })).toEqual({})
  })

  it("PUT accepts null for every field, and PATCH only for description and options (D-HTTP-3, D-HTTP-4)", () => {
    const body = { display_name: null, description: null, variable_type: null, select_options: null }
    expect(problems(Wire.snakeCase(PutVariable), body)).toEqual([])
    expect(problems(Wire.snakeCase(PatchVariable), body)).toEqual([
      "display_name invalid_type",
      "variable_type invalid_type"
    ])
  })

  it.each([
    ["a display name", 200, (length: number) => ({ displayName: "x".repeat(length) })],
    ["a description", 1_000, (length: number) => ({ description: "x".repeat(length) })],
    ["an option", 200, (length: number) => ({ selectOptions: ["x".repeat(length)] })],
    ["a list of options", 500, (length: number) => ({ selectOptions: Array.from({ length }, String) })]
  ])("%s has at most %i characters or entries (D-VAR-15)", (_, max, body) => {
    expect(Schema.is(PatchVariable)(body(max))).toBe(true)
    expect(Schema.is(PatchVariable)(body(max + 1))).toBe(false)
  })

  it("a stored value is a text, a finite number or a boolean (D-VAL-1)", () => {
    const isScalar = Schema.is(VariableScalar)
    expect(["", "a", 0, 1.5, true, false].map(isScalar)).toEqual([true, true, true, true, true, true])
    expect([null, Number.NaN, [], {}].map(isScalar)).toEqual([false, false, false, false])
  })
})
