import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { type ContextVariable, VariableId } from "@frontdesk/core/variable/ContextVariable"
import type { CreateVariable } from "@frontdesk/core/variable/VariableInput"
import * as VariableMerge from "@frontdesk/core/variable/VariableMerge"
import * as arbitrary from "@frontdesk/testing/arbitrary/variable"
import * as Result from "effect/Result"
import * as fc from "fast-check"

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
      "an empty list, blank, repeated or too many options fail, and a problem of an option has its index (D-VAR-4)",
      (selectOptions, expected) => {
        expect(failure(VariableMerge.create({ ...plan, selectOptions }, account))).toEqual(expected)
      }
    )

    it("a select can have 500 options", () => {
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
