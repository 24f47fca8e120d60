import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { checkSize, plan } from "@frontdesk/core/business-context/BusinessContextMerge"
import { type ContextVariable, VariableId } from "@frontdesk/core/variable/ContextVariable"
import type { SetBusinessContext } from "@frontdesk/core/business-context/BusinessContextInput"
import * as arbitrary from "@frontdesk/testing/arbitrary/variable"
import * as Result from "effect/Result"
import * as fc from "fast-check"

const account = AccountId.make(3)

const variable = (name: string, options: Partial<ContextVariable> = {}): ContextVariable => ({
  id: VariableId.make(1),
  accountId: account,
  teamId: null,
  name,
  displayName: name,
  description: null,
  variableType: "text",
  contextType: "business",
  isDefault: false,
  selectOptions: null,
  ...options
})

const defined = [
  variable("industry"),
  variable("seats", { variableType: "number" }),
  variable("open", { variableType: "boolean" }),
  variable("tier", { variableType: "select", selectOptions: ["basic", "gold"] })
]

const set = (variables: SetBusinessContext["variables"], autoCreateVariables?: boolean) =>
  plan({ variables, ...(autoCreateVariables === undefined ? {} : { autoCreateVariables }) }, defined, account)

const failure = (result: ReturnType<typeof plan>) => Result.getOrThrow(Result.flip(result))

describe("BusinessContextMerge", () => {
  it("checkSize refuses a change to more than 64 KiB of JSON, unless it makes a larger context smaller (D-VAL-10)", () => {
    const check = (current: Record<string, string>, change: Parameters<typeof checkSize>[1]) =>
      Result.match(checkSize(current, change), {
        onSuccess: () => "fits",
        onFailure: ({ problems: [first] }) => `${first.field} ${first.code}`
      })
    // {"a":"","b":""} has 15 bytes.
    const rest = "x".repeat(65_536 - 15 - 10)
    expect(check({ a: rest }, { set: { b: "x".repeat(10) }, remove: [] })).toBe("fits")
    expect(check({ a: rest }, { set: { b: "x".repeat(11) }, remove: [] })).toBe("variables too_large")
    const tooLarge = "x".repeat(70_000)
    expect(check({ a: tooLarge }, { set: { a: tooLarge.replace("x", "y") }, remove: [] })).toBe("variables too_large")
    expect(check({ a: rest }, { set: { b: rest }, remove: ["a"] })).toBe("fits")
    expect(check({ a: rest, b: rest, c: "x" }, { set: {}, remove: ["c"] })).toBe("fits")
  })

  it("with auto-creation, a value that does not fit a team mate's definition gets an own definition (D-VAR-13)", () => {
    const foreign = [variable("seats", { accountId: AccountId.make(4), variableType: "number" })]
    const withTeam = (value: string, autoCreateVariables: boolean) =>
      plan({ variables: { seats: value }, autoCreateVariables }, foreign, account)
    expect(Result.getOrThrow(withTeam("42", true))).toMatchObject({ define: [], set: { seats: 42 } })
    expect(Result.getOrThrow(withTeam("42", false))).toMatchObject({ define: [], set: { seats: 42 } })
    expect(Result.getOrThrow(withTeam("many", true))).toMatchObject({
      define: [{ name: "seats", accountId: account, teamId: null, variableType: "text" }],
      set: { seats: "many" }
    })
    expect(failure(withTeam("many", false))).toMatchObject({ _tag: "InvalidValue", problems: [{ name: "seats" }] })
    // A value must fit the account's own definition.
    const own = plan({ variables: { seats: "many" }, autoCreateVariables: true }, [...foreign, ...defined], account)
    expect(failure(own)).toMatchObject({ _tag: "InvalidValue" })
  })

  it("values are set in canonical form, and null removes a value (C-2.4-8 and C-2.4-9, D-VAL-1)", () => {
    expect(Result.getOrThrow(set({ seats: "42", open: "yes", tier: "gold", industry: null }))).toEqual({
      define: [],
      set: { seats: 42, open: true, tier: "gold" },
      remove: ["industry"]
    })
  })

  it("the error names every value that does not fit its definition", () => {
    expect(failure(set({ seats: "many", open: true, tier: "silver", industry: 5 }))).toMatchObject({
      _tag: "InvalidValue",
      problems: [
        { name: "seats", expected: "number" },
        { name: "tier", expected: "select" },
        { name: "industry", expected: "text" }
      ]
    })
  })

  it("without auto-creation, missing definitions are reported before invalid values (D-VAR-12)", () => {
    expect(failure(set({ a: 1, seats: "many", "B b": 2 }))).toMatchObject({
      _tag: "UndefinedVariable",
      names: ["a", "B b"]
    })
    expect(failure(set({ a: 1 }, false))).toMatchObject({ _tag: "UndefinedVariable", names: ["a"] })
  })

  it("auto-creation defines a name with the type of its value and a derived display name (C-4.5-4, C-4.5-5)", () => {
    const { define, set: values } = Result.getOrThrow(
      set({ head_count: 5, is_open: true, founded: "1999-12-31", motto: "Hi", seats: 1 }, true)
    )
    expect(define.map(({ name, displayName, variableType }) => [name, displayName, variableType])).toEqual([
      ["head_count", "Head Count", "number"],
      ["is_open", "Is Open", "boolean"],
      ["founded", "Founded", "date"],
      ["motto", "Motto", "text"]
    ])
    expect(define[0]).toMatchObject({
      accountId: account,
      contextType: "business",
      isDefault: false,
      selectOptions: null
    })
    expect(values).toEqual({ head_count: 5, is_open: true, founded: "1999-12-31", motto: "Hi", seats: 1 })
  })

  it("auto-creation refuses an object or an array (D-VAR-10)", () => {
    expect(failure(set({ a: {}, b: [1], c: 1 }, true))).toMatchObject({
      _tag: "InvalidValue",
      problems: [
        { name: "a", expected: "scalar" },
        { name: "b", expected: "scalar" }
      ]
    })
  })

  it("auto-creation refuses invalid names (C-2.4-1)", () => {
    expect(failure(set({ "Head Count": 5, ok: 1, "": 2 }, true))).toMatchObject({
      _tag: "ValidationError",
      problems: [{ field: "variables.Head Count" }, { field: "variables." }]
    })
  })

  it("null removes the value of a deleted definition and creates no definition (D-VAR-10, D-VAR-12)", () => {
    for (const auto of [true, false]) {
      expect(Result.getOrThrow(set({ gone: null }, auto))).toEqual({
        define: [],
        set: {},
        remove: ["gone"]
      })
    }
  })

  it("null under an invalid name has no effect", () => {
    const odd = { "No Name": null, "": null, "\0": null, "\ud800": null, A: null }
    expect(Result.getOrThrow(set(odd)).remove).toEqual([])
  })

  it("a variable may have a name that every object inherits, such as constructor", () => {
    const { define, set: values } = Result.getOrThrow(set({ ["__proto__"]: "x", constructor: 1 }, true))
    expect(define.map(({ name }) => name)).toEqual(["__proto__", "constructor"])
    expect(Object.entries(values)).toEqual([
      ["__proto__", "x"],
      ["constructor", 1]
    ])
    expect(failure(set({ constructor: 1 }))).toMatchObject({ _tag: "UndefinedVariable", names: ["constructor"] })
  })

  it("the account's own definition of a name counts before others, and then the first of the list (D-VAR-13)", () => {
    const numeric = variable("x", { accountId: AccountId.make(1), variableType: "number" })
    const boolean = variable("x", { accountId: AccountId.make(2), variableType: "boolean" })
    const own = variable("x", { variableType: "text" })
    const valueOf = (definitions: ReadonlyArray<ContextVariable>) =>
      Result.getOrThrow(plan({ variables: { x: "1" } }, definitions, account)).set
    expect(valueOf([numeric, boolean, own])).toEqual({ x: "1" })
    expect(valueOf([numeric, boolean])).toEqual({ x: 1 })
    expect(valueOf([boolean, numeric])).toEqual({ x: true })
  })

  it("a repeat without auto-creation succeeds with the created definitions and sets the same values", () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), arbitrary.dateText())
    const variables = fc.dictionary(arbitrary.variableName(), value, { noNullPrototype: true })
    fc.assert(
      fc.property(variables, (variables) => {
        const first = Result.getOrThrow(plan({ variables, autoCreateVariables: true }, [], account))
        const made = first.define.map((definition) => ({ ...definition, id: VariableId.make(1) }))
        expect(Result.getOrThrow(plan({ variables }, made, account))).toEqual({ ...first, define: [] })
        expect(Object.keys(first.set)).toEqual(Object.keys(variables))
      })
    )
  })
})
