import { describe, expect, it } from "@effect/vitest"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

const Slot = Wire.snakeCase(
  Schema.Struct({ startTime: Schema.String, id: Schema.Int, remindBeforeMinutes: Schema.optionalKey(Schema.Int) })
)

describe("Wire", () => {
  it("snakeCase encodes names in snake_case and decodes them to camelCase", () => {
    expect(Schema.encodeSync(Slot)({ startTime: "x", id: 1, remindBeforeMinutes: 5 })).toEqual({
      start_time: "x",
      id: 1,
      remind_before_minutes: 5
    })
    expect(Schema.decodeUnknownSync(Slot)({ start_time: "x", id: 1 })).toEqual({ startTime: "x", id: 1 })
  })

  it("snakeCase does not decode names in camelCase", () => {
    expect(() => Schema.decodeUnknownSync(Slot)({ startTime: "x", id: 1 })).toThrow(/start_time/)
  })
})
