import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { defaultLimits } from "@frontdesk/core/access/AccountLimits"
import { type ContextVariable, VariableId } from "@frontdesk/core/variable/ContextVariable"
import * as VariableQuota from "@frontdesk/core/variable/VariableQuota"
import * as Result from "effect/Result"

describe("VariableQuota (D-VAR-16)", () => {
  const definition = (id: number, fields: Partial<ContextVariable> = {}): ContextVariable => ({
    id: VariableId.make(id),
    accountId: AccountId.make(1),
    teamId: null,
    name: `v${id}`,
    displayName: "V",
    description: null,
    variableType: "text",
    contextType: "contact",
    isDefault: false,
    selectOptions: null,
    ...fields
  })
  const refusalOf = (before: ReadonlyArray<ContextVariable>, after: ReadonlyArray<ContextVariable>) =>
    Result.match(VariableQuota.check({ ...defaultLimits, variables: 2, variableBytes: 1_000 }, before, after), {
      onSuccess: () => null,
      onFailure: ({ limit, resource }) => [resource, limit]
    })
  const [one, two, three] = [definition(1), definition(2), definition(3)]

  it("a definition beyond the maximum number is rejected, and the maximum itself is accepted", () => {
    expect(refusalOf([one], [one, two])).toBeNull()
    expect(refusalOf([one, two], [one, two, three])).toEqual(["variables", 2])
  })

  it("default definitions do not count", () => {
    expect(refusalOf([one, two], [one, two, definition(3, { isDefault: true, name: "x".repeat(2_000) })])).toBeNull()
  })

  it("above the maximum number, a change that adds no definition is accepted", () => {
    expect(refusalOf([one, two, three], [one, two, three])).toBeNull()
    expect(refusalOf([one, two, three, definition(4)], [one, two, three])).toBeNull()
  })

  it.each([
    ["name", { name: "x".repeat(1_000) }],
    ["display name", { displayName: "x".repeat(1_000) }],
    ["description", { description: "x".repeat(1_000) }],
    ["options", { selectOptions: ["x".repeat(1_000)] }]
  ])("the %s of a definition counts as bytes", (_, fields) => {
    const large = definition(1, fields)
    expect(refusalOf([], [large])).toEqual(["variableBytes", 1_000])
    expect(refusalOf([large], [large])).toBeNull()
  })

  it("the maximum of bytes itself is accepted", () => {
    // {"description":"","displayName":"V","name":"v1","selectOptions":null} has 69 bytes.
    expect(refusalOf([], [definition(1, { description: "x".repeat(931) })])).toBeNull()
    expect(refusalOf([], [definition(1, { description: "x".repeat(932) })])).toEqual(["variableBytes", 1_000])
  })
})
