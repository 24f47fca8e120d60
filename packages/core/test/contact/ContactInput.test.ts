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

/** The fields that are wrong; empty when the body is good. */
const wrong = (schema: typeof wirePut | typeof wirePatch, body: unknown): ReadonlyArray<string> =>
  Result.match(Schema.decodeUnknownResult(schema)(body, { errors: "all" }), {
    onSuccess: () => [],
    onFailure: (error) => FieldProblems.fromIssue(error.issue).map(({ field, code }) => `${field} ${code}`)
  })

describe("ContactInput", () => {
  it("a body is in snake_case on the wire and in camelCase in the program, numbers included", () => {
    const body = { first_name: "Jo", phone_numbers: [{ phone_number: "+12025550123", do_not_call: true }] }
    const input = { firstName: "Jo", phoneNumbers: [{ phoneNumber: "+12025550123", doNotCall: true }] }
    expect(Schema.decodeUnknownSync(wirePut)(body)).toEqual(input)
    expect(Schema.encodeSync(wirePut)(Schema.decodeUnknownSync(wirePut)(body))).toEqual(body)
    expect(Schema.decodeUnknownSync(wirePatch)(body)).toEqual(input)
  })

  it("every field is optional and unknown fields are ignored", () => {
    expect(Schema.decodeUnknownSync(wirePut)({ nickname: 1, full_name: "x", id: "y" })).toEqual({})
    expect(Schema.decodeUnknownSync(wirePatch)({})).toEqual({})
  })

  it("a number that is not strict E.164 is refused at its path", () => {
    const body = { phone_numbers: [{ phone_number: "+12025550123" }, { phone_number: "(202) 555-0123" }] }
    expect(wrong(wirePut, body)).toEqual(["phone_numbers[1].phone_number invalid_value"])
    expect(wrong(wirePatch, body)).toEqual(["phone_numbers[1].phone_number invalid_value"])
  })

  it("a number entry needs its number under both methods (C-2.3-4)", () => {
    expect(wrong(wirePut, { phone_numbers: [{}] })).toEqual(["phone_numbers[0].phone_number missing"])
    expect(wrong(wirePatch, { phone_numbers: [{ id: 1 }] })).toEqual(["phone_numbers[0].phone_number missing"])
  })

  it("every wrong field is named", () => {
    expect(wrong(wirePut, { first_name: 1, email: "jo", team_id: 0, custom_context: [] })).toEqual([
      "first_name invalid_type",
      "email invalid_value",
      "team_id invalid_value",
      "custom_context invalid_type"
    ])
  })

  it("PUT takes null for every field, and ignores the id of a number whatever it is (D-CON-7)", () => {
    const all = Object.keys(Schema.encodeSync(wirePut)(fullPut))
    expect(wrong(wirePut, Object.fromEntries(all.map((field) => [field, null])))).toEqual([])
    const body = { phone_numbers: [{ id: "x", phone_number: "+12025550123", primary: null }] }
    expect(Schema.decodeUnknownSync(wirePut)(body)).toEqual({
      phoneNumbers: [{ phoneNumber: "+12025550123", primary: null }]
    })
  })

  it("PATCH refuses null where there is nothing to clear (D-HTTP-3)", () => {
    const fields = ["status", "stage", "tags", "phone_numbers", "custom_context", "industry_context"]
    expect(wrong(wirePatch, Object.fromEntries(fields.map((field) => [field, null]))).toSorted()).toEqual(
      fields.map((field) => `${field} invalid_type`).toSorted()
    )
    expect(wrong(wirePatch, { first_name: null, email: null, website: null, team_id: null })).toEqual([])
    expect(wrong(wirePatch, { phone_numbers: [{ phone_number: "+12025550123", primary: null }] })).toEqual([
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
  ])("%s takes what it should and nothing else", (field, good, bad) => {
    for (const value of good) expect([value, wrong(wirePut, { [field]: value })]).toEqual([value, []])
    for (const value of bad) expect([value, wrong(wirePut, { [field]: value }).length]).toEqual([value, 1])
    for (const value of bad) expect([value, wrong(wirePatch, { [field]: value }).length]).toEqual([value, 1])
  })

  it("a context keeps any key and is refused when it is too deep to be written", () => {
    const context = { ["__proto__"]: { a: [null] }, constructor: 1, "": 2 }
    expect(JSON.stringify(Schema.decodeUnknownSync(wirePut)({ custom_context: context }).customContext)).toBe(
      JSON.stringify(context)
    )
    const nested = (levels: number): unknown => (levels === 0 ? {} : { a: nested(levels - 1) })
    expect(wrong(wirePatch, { custom_context: nested(maxDepth - 1) })).toEqual([])
    expect(wrong(wirePatch, { custom_context: nested(maxDepth) })).toEqual(["custom_context invalid_value"])
  })

  it("what the arbitraries make is valid input", () => {
    fc.assert(
      fc.property(arbitrary.contactPut(), (input) => {
        expect(wrong(wirePut, Schema.encodeSync(wirePut)(input))).toEqual([])
      })
    )
  })

  it("an address of many parts is judged in time that grows with its length", () => {
    expect(
      wrong(wirePut, { email: `${"a.".repeat(500_000)}@`, website: `https://${"a/".repeat(500_000)} ` })
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
