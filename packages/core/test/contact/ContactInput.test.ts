import { describe, expect, it } from "@effect/vitest"
import { PatchContact, PutContact } from "@frontdesk/core/contact/ContactInput"
import { maxDepth } from "@frontdesk/core/values/JsonSize"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import * as Wire from "@frontdesk/core/values/Wire"
import * as arbitrary from "@frontdesk/testing/arbitrary/contact"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

const wirePut = Wire.snakeCase(PutContact)
const wirePatch = Wire.snakeCase(PatchContact)

/** Returns the problems of a body, each as field and code. A valid body has none. */
const problems = (schema: typeof wirePut | typeof wirePatch, body: unknown): ReadonlyArray<string> =>
  Result.match(Schema.decodeUnknownResult(schema)(body, { errors: "all" }), {
    onSuccess: () => [],
    onFailure: (error) => FieldProblems.fromIssue(error.issue).map(({ field, code }) => `${field} ${code}`)
  })

describe("ContactInput", () => {
  it("names are in snake_case in JSON and in camelCase after decoding, also within phone numbers", () => {
    const body = { first_name: "Jo", phone_numbers: [{ phone_number: "+12025550123", do_not_call: true }] }
    const input = { firstName: "Jo", phoneNumbers: [{ phoneNumber: "+12025550123", doNotCall: true }] }
    expect(Schema.decodeUnknownSync(wirePut)(body)).toEqual(input)
    expect(Schema.encodeSync(wirePut)(Schema.decodeUnknownSync(wirePut)(body))).toEqual(body)
    expect(Schema.decodeUnknownSync(wirePatch)(body)).toEqual(input)
  })

  it("every field is optional, and unknown fields are ignored", () => {
    expect(Schema.decodeUnknownSync(wirePut)({ nickname: 1, full_name: "x", id: "y" })).toEqual({})
    expect(Schema.decodeUnknownSync(wirePatch)({})).toEqual({})
  })

  it("a phone number that is not in E.164 form is a problem of its entry", () => {
    const body = { phone_numbers: [{ phone_number: "+12025550123" }, { phone_number: "(202) 555-0123" }] }
    expect(problems(wirePut, body)).toEqual(["phone_numbers[1].phone_number invalid_value"])
    expect(problems(wirePatch, body)).toEqual(["phone_numbers[1].phone_number invalid_value"])
  })

  it("an entry of phone_numbers needs its number in a PUT and in a PATCH (C-2.3-4)", () => {
    expect(problems(wirePut, { phone_numbers: [{}] })).toEqual(["phone_numbers[0].phone_number missing"])
    expect(problems(wirePatch, { phone_numbers: [{ id: 1 }] })).toEqual(["phone_numbers[0].phone_number missing"])
  })

  it("every invalid field has a problem", () => {
    expect(problems(wirePut, { first_name: 1, email: "jo", team_id: 0, custom_context: [] })).toEqual([
      "first_name invalid_type",
      "email invalid_value",
      "team_id invalid_value",
      "custom_context invalid_type"
    ])
  })

  it("PUT accepts null for every field, and any id of a phone number, which it ignores (D-CON-7)", () => {
    const all = Object.keys(Schema.encodeSync(wirePut)(fullPut))
    expect(problems(wirePut, Object.fromEntries(all.map((field) => [field, null])))).toEqual([])
    const body = { phone_numbers: [{ id: "x", phone_number: "+12025550123", primary: null }] }
    expect(Schema.decodeUnknownSync(wirePut)(body)).toEqual({
      phoneNumbers: [{ id: "x", phoneNumber: "+12025550123", primary: null }]
    })
  })

  it("PATCH rejects null for a field that cannot be cleared (D-HTTP-3)", () => {
    const fields = ["status", "stage", "tags", "phone_numbers", "custom_context", "industry_context"]
    expect(problems(wirePatch, Object.fromEntries(fields.map((field) => [field, null]))).toSorted()).toEqual(
      fields.map((field) => `${field} invalid_type`).toSorted()
    )
    expect(problems(wirePatch, { first_name: null, email: null, website: null, team_id: null })).toEqual([])
    expect(problems(wirePatch, { phone_numbers: [{ phone_number: "+12025550123", primary: null }] })).toEqual([
      "phone_numbers[0].primary invalid_type"
    ])
  })

  it.each([
    [
      "email",
      ["jo@example.com", "j.o+x@a.b.example.org", "jörg@exämple.de"],
      [
        "",
        "jo",
        "jo@",
        "@example.com",
        "jo@host",
        "a b@c.de",
        "a@b@c.de",
        "Jo <jo@example.com>",
        "jo@example.com\n",
        `${"a".repeat(65)}@example.com`
      ]
    ],
    [
      "website",
      ["https://example.com", "HTTP://example.com:80/a?b#c", "https://[::1]/x", "https://exämple.de"],
      [
        "",
        "example.com",
        "ftp://example.com",
        "https://",
        "https://a b",
        "https://user:secret@example.com",
        "javascript:alert(1)",
        "https://example.com\n"
      ]
    ],
    ["status", ["x", " ", "a".repeat(50)], ["", "a".repeat(51), 1]],
    ["stage", ["x", "a".repeat(50)], ["", "a".repeat(51)]],
    ["first_name", ["", "a".repeat(100), "\u{1F600}"], ["a".repeat(101), "\0", "\uD83D"]],
    ["zip_code", ["", "12345-6789"], ["1".repeat(21)]],
    [
      "tags",
      [[], ["vip", "VIP"], Array.from({ length: 100 }, (_, index) => `t${index}`)],
      [["a".repeat(101)], [""], [" "], [1], "vip", Array.from({ length: 101 }, (_, index) => `t${index}`)]
    ],
    ["team_id", [1], ["1", 1.5, -1, true]]
  ])("%s accepts its valid values and rejects the others", (field, valid, invalid) => {
    for (const value of valid) expect([value, problems(wirePut, { [field]: value })]).toEqual([value, []])
    for (const value of invalid) expect([value, problems(wirePut, { [field]: value }).length]).toEqual([value, 1])
    for (const value of invalid) expect([value, problems(wirePatch, { [field]: value }).length]).toEqual([value, 1])
  })

  it.each([
    ["first_name", 100],
    ["last_name", 100],
    ["company", 200],
    ["address", 500],
    ["city", 100],
    ["state", 100],
    ["zip_code", 20],
    ["country", 100],
    ["status", 50],
    ["stage", 50]
  ])("%s has at most %i characters in a PUT and in a PATCH (D-CON-10)", (field, max) => {
    for (const schema of [wirePut, wirePatch]) {
      expect(problems(schema, { [field]: "x".repeat(max) })).toEqual([])
      expect(problems(schema, { [field]: "x".repeat(max + 1) })).toEqual([`${field} invalid_value`])
    }
  })

  it("a phone type has at most 50 characters, and a tag 100 (D-CON-10)", () => {
    const numbers = (length: number) => ({
      phone_numbers: [{ phone_number: "+12025550123", phone_type: "x".repeat(length) }]
    })
    for (const schema of [wirePut, wirePatch]) {
      expect(problems(schema, numbers(50))).toEqual([])
      expect(problems(schema, numbers(51))).toEqual(["phone_numbers[0].phone_type invalid_value"])
      expect(problems(schema, { tags: ["x".repeat(100)] })).toEqual([])
      expect(problems(schema, { tags: ["x".repeat(101)] })).toEqual(["tags[0] invalid_value"])
    }
  })

  it("a PATCH clears a phone type with null", () => {
    const body = { phone_numbers: [{ phone_number: "+12025550123", phone_type: null }] }
    expect(Schema.decodeUnknownSync(wirePatch)(body)).toEqual({
      phoneNumbers: [{ phoneNumber: "+12025550123", phoneType: null }]
    })
  })

  it("a website has at most 2,048 characters, and its host and port have nothing before or after them", () => {
    const website = (length: number) => "https://example.com/".padEnd(length, "x")
    expect(problems(wirePut, { website: website(2_048) })).toEqual([])
    expect(problems(wirePut, { website: website(2_049) })).toEqual(["website invalid_value"])
    for (const text of ["see https://example.com", "https://example.com:123456", "https://example.com:80x"]) {
      expect([text, problems(wirePut, { website: text })]).toEqual([text, ["website invalid_value"]])
    }
    for (const text of ["https://example.com:1", "https://example.com:65535/a", "https://[2001:db8::1]:443"]) {
      expect([text, problems(wirePut, { website: text })]).toEqual([text, []])
    }
  })

  it("a context can have any key, and is rejected when it has more than the maximum number of levels", () => {
    const context = { ["__proto__"]: { a: [null] }, constructor: 1, "": 2 }
    expect(JSON.stringify(Schema.decodeUnknownSync(wirePut)({ custom_context: context }).customContext)).toBe(
      JSON.stringify(context)
    )
    const nested = (levels: number): unknown => (levels === 0 ? {} : { a: nested(levels - 1) })
    expect(problems(wirePatch, { custom_context: nested(maxDepth - 1) })).toEqual([])
    expect(problems(wirePatch, { custom_context: nested(maxDepth) })).toEqual(["custom_context invalid_value"])
  })

  it("every generated PUT is valid", () => {
    fc.assert(
      fc.property(arbitrary.contactPut(), (input) => {
        expect(problems(wirePut, Schema.encodeSync(wirePut)(input))).toEqual([])
      })
    )
  })

  it("an e-mail address and a website with half a million parts are rejected in linear time", () => {
    expect(
      problems(wirePut, { email: `${"a.".repeat(500_000)}@`, website: `https://${"a/".repeat(500_000)} ` })
    ).toHaveLength(2)
  })
})

const fullPut: typeof PutContact.Type = {
  firstName: null,
  lastName: null,
  email: null,
  company: null,
  website: null,
  address: null,
  city: null,
  state: null,
  zipCode: null,
  country: null,
  teamId: null,
  status: null,
  stage: null,
  tags: null,
  phoneNumbers: null,
  customContext: null,
  industryContext: null
}
