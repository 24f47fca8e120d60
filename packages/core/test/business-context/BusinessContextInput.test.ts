import { describe, expect, it } from "@effect/vitest"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import * as Wire from "@frontdesk/core/values/Wire"
import { SetBusinessContext } from "@frontdesk/core/business-context/BusinessContextInput"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

describe("BusinessContextInput", () => {
  const problems = (schema: Schema.Codec<unknown, unknown>, body: unknown): ReadonlyArray<string> =>
    Result.match(Schema.decodeUnknownResult(schema)(body, { errors: "all" }), {
      onSuccess: () => [],
      onFailure: (error) => FieldProblems.fromIssue(error.issue).map(({ field, code }) => `${field} ${code}`)
    })

  it("a request can set at most 500 business variables", () => {
    const body = (size: number) => ({
      variables: Object.fromEntries(Array.from({ length: size }, (_, index) => [`v${index}`, index]))
    })
    expect(problems(Wire.snakeCase(SetBusinessContext), body(500))).toEqual([])
    expect(problems(Wire.snakeCase(SetBusinessContext), body(501))).toEqual(["variables invalid_value"])
  })
})
