import { describe, expect, it } from "@effect/vitest"
import * as ContactColumns from "@frontdesk/core/contact-file/ContactColumns"
import * as Result from "effect/Result"

const read = (fields: ReadonlyArray<string | null>, cells: ReadonlyArray<string>) =>
  Result.merge(ContactColumns.toContact(fields, { cells, isMalformed: false }))

describe("ContactColumns", () => {
  it("toContact reads each field from its column, and a cell without text as absent (D-IMP-3)", () => {
    expect(
      read(
        ["first_name", null, "email", "team_id", "tags", "custom_context.plan", "industry_context", "city"],
        ["Jo", "x", " jo@example.com ", "7", " vip ; new;", "gold", '{"a":[1]}', ""]
      )
    ).toEqual({
      firstName: "Jo",
      email: "jo@example.com",
      teamId: 7,
      tags: ["vip", "new"],
      customContext: { plan: "gold" },
      industryContext: { a: [1] }
    })
    expect(read(["first_name", "city"], ["Jo"])).toEqual({ firstName: "Jo" })
  })

  it("toContact reads several numbers with their types, without the characters between the digits", () => {
    const fields = ["phone_number", "phone_type", "phone_number", "phone_type", "do_not_call"]
    expect(read(fields, ["'+1 (202) 555-0100", "mobile", "+12025550101", "", "yes"])).toEqual({
      phoneNumbers: [
        { phoneNumber: "+12025550100", phoneType: "mobile", doNotCall: true },
        { phoneNumber: "+12025550101" }
      ]
    })
    expect(read(["phone_number", "phone_number"], ["", "+12025550101"])).toEqual({
      phoneNumbers: [{ phoneNumber: "+12025550101" }]
    })
  })

  it("toContact ignores a permit to call, because a file may be older than the wish not to be called (D-IMP-6)", () => {
    expect(read(["phone_number", "do_not_call"], ["+12025550100", "no"])).toEqual({
      phoneNumbers: [{ phoneNumber: "+12025550100" }]
    })
    const numbers = JSON.stringify([{ phone_number: "+12025550100", do_not_call: false }])
    expect(read(["phone_numbers"], [numbers])).toEqual({ phoneNumbers: [{ phoneNumber: "+12025550100" }] })
  })

  it("toContact names the fields of invalid cells", () => {
    const problems = read(
      ["email", "phone_number", "tags", "do_not_call", "custom_context", "team_id"],
      ["jo", "123", "", "maybe", "[1]", "x"]
    )
    expect(problems).toMatchObject([
      { field: "email" },
      { field: "team_id" },
      { field: "custom_context" },
      { field: "phone_numbers[0].phone_number" },
      { field: "phone_numbers[0].do_not_call" }
    ])
  })

  it("toContact refuses a malformed line, and one with more cells than the header", () => {
    expect(read(["city"], ["a", "b"])).toMatchObject([{ code: "malformed" }])
    expect(Result.merge(ContactColumns.toContact(["city"], { cells: ["a"], isMalformed: true }))).toMatchObject([
      { code: "malformed" }
    ])
  })
})
