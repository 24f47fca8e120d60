import { describe, expect, it } from "@effect/vitest"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import { EmailAddress } from "@frontdesk/core/values/EmailAddress"
import * as Text from "@frontdesk/core/values/Text"
import * as Wire from "@frontdesk/core/values/Wire"
import { VariableName } from "@frontdesk/core/variable/VariableName"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const Body = Schema.Struct({
  name: Schema.String,
  email: Schema.optionalKey(
    Schema.NullOr(Schema.String.check(Schema.isMaxLength(3, { expected: "at most 3 characters" })))
  ),
  numbers: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Struct({ number: PhoneNumber }))))
})

const problems = (input: unknown) =>
  Effect.runSync(
    Schema.decodeUnknownEffect(Body)(input, { errors: "all" }).pipe(
      Effect.flip,
      Effect.map((error) => FieldProblems.fromIssue(error.issue))
    )
  )

const problemsOf = (schema: Schema.Codec<unknown, unknown>, input: unknown) =>
  Result.match(Schema.decodeUnknownResult(schema, { errors: "all" })(input), {
    onSuccess: () => [],
    onFailure: (error) => FieldProblems.fromIssue(error.issue)
  })

describe("FieldProblems", () => {
  it("fromIssue returns one problem with the path of each invalid field", () => {
    expect(problems({ email: "long", numbers: [{ number: "+12025550100" }, { number: "12" }] })).toEqual([
      { field: "name", code: "missing", message: "This field is required" },
      { field: "email", code: "invalid_value", message: "Expected at most 3 characters" },
      {
        field: "numbers[1].number",
        code: "invalid_value",
        message: "Expected a phone number in E.164 form, for example +12025550123"
      }
    ])
  })

  it("a value of another type has the code invalid_type, not invalid_value", () => {
    expect(problems({ name: 1 })[0]?.code).toBe("invalid_type")
    expect(problems({ name: "a", numbers: "x" })[0]).toMatchObject({ field: "numbers", code: "invalid_type" })
  })

  it.each([
    ["a string", Schema.String.check(Schema.isMinLength(1)), "a string"],
    ["a string that may be null, in two unions", Schema.NullOr(Schema.NullOr(Text.upTo(3))), "a string"],
    ["an e-mail address", Schema.NullOr(EmailAddress), "an e-mail address, for example jo@example.com"],
    ["a variable name", VariableName, "1 to 64 lowercase letters, digits and underscores"],
    ["a number that may be null, in two unions", Schema.NullOr(Schema.NullOr(Schema.Finite)), "a number"],
    ["a whole number", Schema.NullOr(Schema.Int.check(Schema.isGreaterThan(0))), "a whole number"],
    ["an array", Schema.NullOr(Schema.Array(Schema.String)), "an array"],
    ["a struct", Wire.snakeCase(Schema.Struct({ aB: Schema.String })), "an object"],
    ["literals", Schema.NullOr(Schema.Literals(["inbound", "outbound"])), 'one of "inbound", "outbound"'],
    ["a literal or a number", Schema.Union([Schema.Literal("all"), Schema.Finite]), '"all" or a number'],
    ["a string or a number", Schema.Union([Schema.String, Schema.Finite, Schema.String]), "a string or a number"],
    ["null", Schema.Null, "null"]
  ])("the message about a value of another type describes %s", (_, schema, words) => {
    const decoded = Schema.decodeUnknownResult(Schema.Struct({ field: schema }), { errors: "all" })({ field: true })
    const expected = [{ field: "field", code: "invalid_type", message: `Expected ${words}` }]
    expect(Result.isFailure(decoded) ? FieldProblems.fromIssue(decoded.failure.issue) : []).toEqual(expected)
  })

  it("fromIssue suggests the nearest field of the same struct for a field that is not known", () => {
    const decoded = Schema.decodeUnknownResult(Body, { errors: "all", onExcessProperty: "error" })({
      nmae: "a",
      numbers: [{ numbr: "+12025550100", colour: "red" }]
    })
    expect(Result.isFailure(decoded) ? FieldProblems.fromIssue(decoded.failure.issue) : []).toEqual(
      expect.arrayContaining([
        { field: "nmae", code: "invalid_value", message: "This field is not known. Did you mean name?" },
        { field: "numbers[0].numbr", code: "invalid_value", message: "This field is not known. Did you mean number?" },
        { field: "numbers[0].colour", code: "invalid_value", message: "This field is not known" }
      ])
    )
  })

  it.each([
    ["a boolean", Schema.Boolean, "a boolean"],
    ["a number with a description", Schema.Finite.annotate({ description: "an amount" }), "an amount"],
    [
      "a number with checks of other kinds",
      Schema.Finite.check(
        Schema.makeFilter(() => true, { expected: "an even number" }),
        Schema.makeFilter(() => true)
      ),
      "a number"
    ],
    ["a big integer", Schema.BigInt, "another value"],
    ["a big integer with a description", Schema.BigInt.annotate({ description: "a counter" }), "a counter"],
    ["literal big integers", Schema.Literals([1n, 2n]), "one of 1, 2"],
    [
      "every member of a recursive union",
      Schema.Union([Schema.suspend(() => Schema.Union([Schema.Finite, Schema.Boolean])), Schema.BigInt]),
      "a number or a boolean or another value"
    ]
  ])("the message about a text describes %s", (_, schema, words) => {
    const decoded = Schema.decodeUnknownResult(Schema.Struct({ field: schema }), { errors: "all" })({ field: "x" })
    const expected = [{ field: "field", code: "invalid_type", message: `Expected ${words}` }]
    expect(Result.isFailure(decoded) ? FieldProblems.fromIssue(decoded.failure.issue) : []).toEqual(expected)
  })

  it("a field that breaks two rules has one problem, about the first rule", () => {
    const Code = Schema.String.check(
      Schema.isMinLength(3, { expected: "3 characters" }),
      Schema.isPattern(/^x/, { expected: "a text that begins with x" })
    )
    expect(problemsOf(Code, "a")).toEqual([{ field: "", code: "invalid_value", message: "Expected 3 characters" }])
  })

  it("a problem of a value that may be null is the same with the first error only", () => {
    const decoded = Schema.decodeUnknownResult(Body)({ name: "a", email: "long" })
    expect(Result.isFailure(decoded) ? FieldProblems.fromIssue(decoded.failure.issue) : []).toEqual([
      { field: "email", code: "invalid_value", message: "Expected at most 3 characters" }
    ])
  })

  it("a problem within a renamed struct that may be null names the inner field", () => {
    const Inner = Schema.NullOr(Wire.snakeCase(Schema.Struct({ phoneType: Schema.String })))
    expect(problemsOf(Inner, { phone_type: 1 })).toEqual([
      { field: "phone_type", code: "invalid_type", message: "Expected a string" }
    ])
  })

  it("a text that a transformation of a union cannot read has the code invalid_type", () => {
    expect(problemsOf(Schema.Union([Schema.FiniteFromString, Schema.Boolean]), null)).toMatchObject([
      { code: "invalid_type", message: "Expected a string or a boolean" }
    ])
  })

  it.each([
    ["has no description", Schema.makeFilter((text: string) => text !== "x"), "Expected a valid value"],
    [
      "returns a message",
      Schema.makeFilter((text: string) => text !== "x" || "This text is taken"),
      "This text is taken"
    ]
  ])("the problem of a filter that %s has the message of the filter's issue", (_, filter, message) => {
    expect(problemsOf(Schema.String.check(filter), "x")).toEqual([{ field: "", code: "invalid_value", message }])
  })

  it.each([
    ["of another type", Schema.String, "invalid_type"],
    ["that fits no member of a union", Schema.Union([Schema.String, Schema.Finite]), "invalid_type"],
    ["that breaks a rule", Schema.Boolean.check(Schema.makeFilter(() => false, { expected: "false" })), "invalid_value"]
  ])("a filter that decodes a value %s is described by its own rule", (_, schema: Schema.Codec<unknown>, code) => {
    const filter = Schema.makeFilter(
      (value: unknown) => {
        const decoded = Schema.decodeUnknownResult(schema)(value)
        return Result.isFailure(decoded) ? decoded.failure.issue : undefined
      },
      { expected: "a value of the list" }
    )
    expect(problemsOf(Schema.Unknown.check(filter), true)).toEqual([
      { field: "", code, message: "Expected a value of the list" }
    ])
  })

  it("the codes of problems are those that the API documents", () => {
    const { invalid, missing, tooLarge, tooMany, wrongType } = FieldProblems
    expect([missing, wrongType, invalid, tooMany, tooLarge]).toEqual([
      "missing",
      "invalid_type",
      "invalid_value",
      "too_many",
      "too_large"
    ])
  })

  it("fromIssue returns at most 100 problems, so that an answer is not larger than the request (D-ERR-4)", () => {
    const numbers = Array.from({ length: 5_000 }, () => ({ number: 1 }))
    const fields = problems({ name: "a", numbers }).map(({ field }) => field)
    expect(fields).toEqual(Array.from({ length: 100 }, (_, i) => `numbers[${i}].number`))
  })

  it("a problem does not contain the invalid value, because it may be a secret (D-ERR-19)", () => {
    expect(JSON.stringify(problems({ name: { secret: "hunter2" }, email: "hunter2" }))).not.toContain("hunter2")
  })
})

describe("FieldProblems.merge", () => {
  const problem = (field: string, message: string) => ({ field, code: "invalid_value", message })

  it("merge returns the problems of both lists, and of two about one field only the first list's", () => {
    const first = [problem("a", "first"), problem("b", "first")]
    const second = [problem("b", "second"), problem("c", "second")]
    expect(FieldProblems.merge(first, second)).toEqual([...first, problem("c", "second")])
  })

  it("merge returns at most 100 problems, the first ones (D-ERR-4)", () => {
    const list = (name: string) => Array.from({ length: 70 }, (_, index) => problem(`${name}${index}`, "x"))
    const merged = FieldProblems.merge(list("a"), list("b"))
    expect(merged).toEqual([...list("a"), ...list("b").slice(0, 30)])
  })
})
