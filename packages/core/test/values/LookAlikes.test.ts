import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as LookAlikes from "@frontdesk/core/values/LookAlikes"
import { Instant } from "@frontdesk/core/values/Timestamp"
import { foreign } from "@frontdesk/core/values/PlainCopy"

// A plain object: what every look-alike is after `PlainCopy.copy`.
const plain = () => ({ "~effect/DateTime": 1 })

describe("LookAlikes (D-VAL-5)", () => {
  it.each([
    ["an instant", Schema.DateTimeUtc, DateTime.makeUnsafe(0)],
    ["a duration", Schema.Duration, Duration.seconds(1)],
    ["a redacted value", Schema.Redacted(Schema.String), Redacted.make("x")],
    ["an instant that may be null", Schema.NullOr(Schema.DateTimeUtc), DateTime.makeUnsafe(0)],
    ["an instant or a duration", Schema.Union([Schema.DateTimeUtc, Schema.Duration]), Duration.seconds(1)]
  ])("a plain object in the place of %s is replaced, and the real value is not", (_, schema, real) => {
    const replace = LookAlikes.compile(schema)
    expect(replace(plain())).toBe(foreign)
    expect(replace(real)).toBe(real)
    expect(replace(null)).toBe(null)
  })

  it("a plain object in an item of an array or in a field of a struct is replaced", () => {
    const replace = LookAlikes.compile(
      Schema.Struct({ times: Schema.Array(Schema.Struct({ at: Schema.DateTimeUtc })) })
    )
    const at = DateTime.makeUnsafe(0)
    expect(replace({ times: [{ at }, { at: plain() }] })).toEqual({ times: [{ at }, { at: foreign }] })
  })

  it("a plain object is replaced where the schema also checks the range of the value", () => {
    expect(LookAlikes.compile(Instant)(plain())).toBe(foreign)
  })

  it("a plain object stays where the schema accepts JSON or another declared value", () => {
    const schema = Schema.Struct({
      data: Schema.Json,
      list: Schema.Array(Schema.Json),
      either: Schema.Union([Schema.Json, Schema.String]),
      none: Schema.Tuple([]),
      date: Schema.Date,
      inner: Schema.Struct({ a: Schema.String })
    })
    const given = { data: plain(), list: [plain()], either: plain(), none: [], date: plain(), inner: plain() }
    expect(LookAlikes.compile(schema)(given)).toEqual(structuredClone(given))
  })

  it("a value of another type is unchanged where the schema expects an array or a struct", () => {
    const schema = Schema.Struct({ times: Schema.Array(Schema.DateTimeUtc) })
    for (const value of [null, "x", [1], { times: "x" }, { times: plain() }, {}]) {
      expect(LookAlikes.compile(schema)(structuredClone(value))).toEqual(value)
    }
  })
})
