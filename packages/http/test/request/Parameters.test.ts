import { AgentId } from "@frontdesk/core/agent/Agent"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Parameters from "@frontdesk/http/Parameters"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const texts = fc.oneof(
  fc.string(),
  fc.nat().map(String),
  fc.stringMatching(/^[0-9]{1,17}$/),
  fc.uuid(),
  fc.uuid().map((uuid) => uuid.toUpperCase()),
  fc.constantFrom("0", "01", "-1", "1 ", "9007199254740991", "9007199254740993", "9999999999999999", "")
)

describe("the parser of path values", () => {
  it.each([
    ["a database id", Wire.snakeCase(Schema.Struct({ valueOfPath: Parameters.idText(AgentId) }))],
    ["the key of a calendar event", Wire.snakeCase(Schema.Struct({ valueOfPath: Parameters.EventKeyText }))]
  ])("law: %s is parsed exactly when the schema decodes it, to the same value", (_name, schema) => {
    const parse = Parameters.structParser(schema)
    const decode = Schema.decodeUnknownResult(schema)
    fc.assert(
      fc.property(texts, (text) => {
        const values = { value_of_path: text }
        expect(parse?.(values)).toEqual(Result.getOrUndefined(decode(values)))
      })
    )
    expect(parse?.({ value_of_path: "12" })).toBeDefined()
    expect(parse?.({})).toBeUndefined()
  })

  it("does not exist for a struct with a field that only a schema decodes", () => {
    const schema = Schema.Struct({ id: Parameters.idText(AgentId), other: Schema.String })
    expect(Parameters.structParser(schema)).toBeUndefined()
  })
})
