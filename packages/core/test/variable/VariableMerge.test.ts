import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import * as Wire from "@frontdesk/core/values/Wire"
import { type ContextVariable, VariableId } from "@frontdesk/core/variable/ContextVariable"
import { CreateVariable, PatchVariable, PutVariable } from "@frontdesk/core/variable/VariableInput"
import { SetBusinessContext } from "@frontdesk/core/business-context/BusinessContextInput"
import * as VariableMerge from "@frontdesk/core/variable/VariableMerge"
import * as arbitrary from "@frontdesk/testing/arbitrary/variable"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

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

  it("a request can set at most 500 business variables", () => {
    const body = (size: number) => ({
      variables: Object.fromEntries(Array.from({ length: size }, (_, index) => [`v${index}`, index]))
    })
    expect(problems(Wire.snakeCase(SetBusinessContext), body(500))).toEqual([])
    expect(problems(Wire.snakeCase(SetBusinessContext), body(501))).toEqual(["variables invalid_value"])
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
})

describe("VariableMerge", () => {
  describe("create", () => {
    it("a new definition belongs to the account and is not a default variable", () => {
      expect(Result.getOrThrow(VariableMerge.create(plan, account))).toEqual({
        accountId: account,
        teamId: null,
        name: "plan",
        displayName: "Plan",
        description: null,
        variableType: "select",
        contextType: "contact",
        isDefault: false,
        selectOptions: ["basic", "gold"]
      })
    })

    it("a contact variable with the prefix of business variables fails (D-VAR-1)", () => {
      expect(failure(VariableMerge.create({ ...plan, name: "business_plan" }, account))).toEqual(["name reserved"])
    })

    it.each([null, undefined])(
      "a select with %s for options fails with MissingParameter (C-2.4-3, D-VAR-4)",
      (selectOptions) => {
        const { selectOptions: _, ...rest } = plan
        expect(
          failure(VariableMerge.create(selectOptions === null ? { ...rest, selectOptions } : rest, account))
        ).toEqual(["missing select_options"])
      }
    )

    it.each([
      [[], ["select_options invalid_value"]],
      [["a", " "], ["select_options[1] invalid_value"]],
      [
        ["a", "", "a"],
        ["select_options[1] invalid_value", "select_options[2] duplicate"]
      ],
      [Array.from({ length: 501 }, (_, index) => `o${index}`), ["select_options too_many"]]
    ])(
      "options that are absent, blank, repeated or too many fail with their index (D-VAR-4)",
      (selectOptions, expected) => {
        expect(failure(VariableMerge.create({ ...plan, selectOptions }, account))).toEqual(expected)
      }
    )

    it("a select may have 500 options", () => {
      const selectOptions = Array.from({ length: 500 }, (_, index) => `o${index}`)
      expect(failure(VariableMerge.create({ ...plan, selectOptions }, account))).toEqual([])
    })

    it("a definition of another type than select stores no options", () => {
      const made = VariableMerge.create({ ...plan, variableType: "text", selectOptions: [] }, account)
      expect(Result.getOrThrow(made).selectOptions).toBeNull()
    })
  })

  describe("PUT", () => {
    it("PUT clears an absent description, and keeps absent display name and type", () => {
      const put = Result.getOrThrow(VariableMerge.put(stored, { selectOptions: ["x"] }))
      expect(put).toEqual({ ...stored, description: null, selectOptions: ["x"] })
    })

    it("PUT of a select fails without its options (C-4.4-7)", () => {
      expect(failure(VariableMerge.put(stored, { displayName: "Tier" }))).toEqual(["missing select_options"])
      expect(Result.getOrThrow(VariableMerge.put(text, { displayName: "Tier" })).displayName).toBe("Tier")
    })
  })

  describe("PATCH", () => {
    it("PATCH changes the fields of the body and keeps the others, also the options", () => {
      expect(Result.getOrThrow(VariableMerge.patch(stored, { displayName: "Tier" }))).toEqual({
        ...stored,
        displayName: "Tier"
      })
      expect(Result.getOrThrow(VariableMerge.patch(stored, { description: null })).description).toBeNull()
      expect(Result.getOrThrow(VariableMerge.patch(stored, { variableType: "select" }))).toEqual(stored)
    })

    it("PATCH replaces all options", () => {
      expect(Result.getOrThrow(VariableMerge.patch(stored, { selectOptions: ["new"] })).selectOptions).toEqual(["new"])
    })

    it("PATCH from select to another type removes the options (D-VAR-5)", () => {
      expect(Result.getOrThrow(VariableMerge.patch(stored, { variableType: "text" })).selectOptions).toBeNull()
    })

    it("PATCH to select without options, and PATCH of a select with null for options, fail", () => {
      expect(failure(VariableMerge.patch(text, { variableType: "select" }))).toEqual(["missing select_options"])
      expect(failure(VariableMerge.patch(stored, { selectOptions: null }))).toEqual(["missing select_options"])
    })
  })

  describe("laws", () => {
    const update = arbitrary.variableCreate().map(({ displayName, description, variableType, selectOptions }) => ({
      displayName,
      variableType,
      ...(description === undefined ? {} : { description }),
      ...(selectOptions === undefined ? {} : { selectOptions })
    }))

    it("a PATCH without fields changes nothing", () => {
      fc.assert(
        fc.property(arbitrary.contextVariable(), (variable) => {
          expect(Result.getOrThrow(VariableMerge.patch(variable, {}))).toEqual(variable)
        })
      )
    })

    it("PUT and PATCH keep id, owner, name, context type and isDefault", () => {
      fc.assert(
        fc.property(arbitrary.contextVariable(), update, (variable, input) => {
          for (const rule of [VariableMerge.put, VariableMerge.patch]) {
            const { id, accountId, name, contextType, isDefault } = Result.getOrThrow(rule(variable, input))
            expect(variable).toMatchObject({ id, accountId, name, contextType, isDefault })
          }
        })
      )
    })

    it("a definition after PUT or PATCH has options exactly when it is a select", () => {
      fc.assert(
        fc.property(arbitrary.contextVariable(), update, (variable, input) => {
          for (const rule of [VariableMerge.put, VariableMerge.patch]) {
            const { variableType, selectOptions } = Result.getOrThrow(rule(variable, input))
            expect(selectOptions !== null).toBe(variableType === "select")
          }
        })
      )
    })

    it("PUT and PATCH with display name and type give the same definition", () => {
      fc.assert(
        fc.property(arbitrary.contextVariable(), update, (variable, input) => {
          expect(VariableMerge.put(variable, input)).toEqual(VariableMerge.patch(variable, input))
        })
      )
    })
  })
})

const account = AccountId.make(3)

const plan: CreateVariable = {
  name: "plan",
  displayName: "Plan",
  variableType: "select",
  contextType: "contact",
  selectOptions: ["basic", "gold"]
}

const stored: ContextVariable = {
  ...Result.getOrThrow(VariableMerge.create({ ...plan, description: "What they pay for" }, account)),
  id: VariableId.make(8)
}

const text: ContextVariable = { ...stored, variableType: "text", selectOptions: null }

const failure = (result: Result.Result<unknown, VariableMerge.DefinitionError>): ReadonlyArray<string> =>
  Result.match(result, {
    onSuccess: () => [],
    onFailure: (error) =>
      error._tag === "MissingParameter"
        ? error.fields.map((field) => `missing ${field}`)
        : error.problems.map(({ field, code }) => `${field} ${code}`)
  })
