import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import * as DefaultVariables from "@frontdesk/core/variable/DefaultVariables"

describe("DefaultVariables", () => {
  it("a new account has 12 contact and 7 business variables, all of type text and all defaults (D-VAR-2)", () => {
    const definitions = DefaultVariables.forAccount(AccountId.make(3))
    expect(definitions.map(({ contextType, name }) => `${contextType} ${name}`)).toEqual([
      ...["first_name", "last_name", "full_name", "email", "phone_number", "company", "website", "address", "city"].map(
        (name) => `contact ${name}`
      ),
      ...["state", "zip_code", "country"].map((name) => `contact ${name}`),
      ...["company_name", "industry", "website", "phone_number", "email", "address", "timezone"].map(
        (name) => `business ${name}`
      )
    ])
    expect(definitions.every((definition) => definition.isDefault && definition.variableType === "text")).toBe(true)
    expect(definitions.every((definition) => definition.accountId === 3 && definition.selectOptions === null)).toBe(
      true
    )
    expect(definitions[10]?.displayName).toBe("Zip Code")
  })
})
