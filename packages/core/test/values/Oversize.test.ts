import { describe, expect, it } from "@effect/vitest"
import {
  CancelCalendarEvent,
  CreateCalendarEvent,
  PatchCalendarEvent,
  PutCalendarEvent
} from "@frontdesk/core/calendar-event/CalendarEventInput"
import { CreateCall } from "@frontdesk/core/call/CallInput"
import { CreateContact, PatchContact, PutContact } from "@frontdesk/core/contact/ContactInput"
import * as JsonSize from "@frontdesk/core/values/JsonSize"
import * as Oversize from "@frontdesk/core/values/Oversize"
import * as Wire from "@frontdesk/core/values/Wire"
import { CreateVariable, PatchVariable, PutVariable } from "@frontdesk/core/variable/VariableInput"
import { SetBusinessContext } from "@frontdesk/core/business-context/BusinessContextInput"
import { RotateSecret, CreateWebhook, PatchWebhook, PutWebhook } from "@frontdesk/core/webhook/WebhookInput"
import * as Schema from "effect/Schema"

const inputs = {
  CreateCall: Wire.snakeCase(CreateCall),
  CancelCalendarEvent: Wire.snakeCase(CancelCalendarEvent),
  CreateContact: Wire.snakeCase(CreateContact),
  PatchContact: Wire.snakeCase(PatchContact),
  PutContact: Wire.snakeCase(PutContact),
  CreateCalendarEvent: Wire.snakeCase(CreateCalendarEvent),
  PatchCalendarEvent: Wire.snakeCase(PatchCalendarEvent),
  PutCalendarEvent: Wire.snakeCase(PutCalendarEvent),
  RotateSecret: Wire.snakeCase(RotateSecret),
  SetBusinessContext: Wire.snakeCase(SetBusinessContext),
  CreateVariable: Wire.snakeCase(CreateVariable),
  PatchVariable: Wire.snakeCase(PatchVariable),
  PutVariable: Wire.snakeCase(PutVariable),
  CreateWebhook: Wire.snakeCase(CreateWebhook),
  PatchWebhook: Wire.snakeCase(PatchWebhook),
  PutWebhook: Wire.snakeCase(PutWebhook)
} satisfies Record<string, Schema.Top>

const collections = Object.entries(inputs).flatMap(([name, schema]) =>
  Oversize.collections(schema).map((collection) => ({ name, schema, ...collection }))
)

const counted = collections.flatMap(({ maxItems, ...collection }) =>
  maxItems === null ? [] : [{ ...collection, maxItems }]
)

const measured = collections.flatMap(({ maxBytes, ...collection }) =>
  maxBytes === null ? [] : [{ ...collection, maxBytes }]
)

/** Returns a collection of `size` items that counts how many of them are read. */
const countingReads = (kind: "array" | "object", size: number) => {
  const reads = { count: 0 }
  const target: object =
    kind === "array"
      ? Array.from({ length: size }, () => "x")
      : Object.fromEntries(Array.from({ length: size }, (_, index) => [`name_${index}`, "x"]))
  const value: unknown = new Proxy(target, {
    get: (of, key): unknown => {
      if (Object.hasOwn(of, key) && key !== "length") reads.count += 1
      return Reflect.get(of, key)
    }
  })
  return { reads, value }
}

describe("Oversize", () => {
  it("every collection of an input schema has a maximum number of items or bytes", () => {
    const fields = collections.map(({ field }) => field)
    expect(new Set(fields)).toEqual(
      new Set([
        "custom_context",
        "industry_context",
        "metadata",
        "phone_numbers",
        "select_options",
        "subscribed_events",
        "tags",
        "variables"
      ])
    )
    expect(collections.filter(({ maxBytes, maxItems }) => maxBytes === null && maxItems === null)).toEqual([])
  })

  it.each(counted)("$name: no item of $field is read when there are too many", ({ field, kind, maxItems, schema }) => {
    const { reads, value } = countingReads(kind, maxItems + 1)
    const pruned = Oversize.compile(schema)({ other: 1, [field]: value })
    expect(reads.count).toBe(0)
    expect(pruned).toEqual({
      value: { other: 1, [field]: kind === "array" ? [] : {} },
      problems: [{ field, code: "too_many", message: `Expected at most ${maxItems} items` }]
    })
  })

  it.each(counted)(
    "$name: $field with the maximum number of items is accepted",
    ({ field, kind, maxItems, schema }) => {
      const { value } = countingReads(kind, maxItems)
      expect(Oversize.compile(schema)({ [field]: value }).problems).toEqual([])
    }
  )

  it.each(measured)(
    "$name: $field with more than $maxBytes bytes of JSON is emptied",
    ({ field, maxBytes, schema }) => {
      const prune = Oversize.compile(schema)
      // {"a":""} has 8 bytes, and each euro sign has 3.
      const fits = { a: "€".repeat(Math.floor((maxBytes - 8) / 3)) }
      expect(prune({ [field]: fits })).toEqual({ value: { [field]: fits }, problems: [] })
      expect(prune({ [field]: { a: `${fits.a}€` } })).toEqual({
        value: { [field]: {} },
        problems: [{ field, code: "too_large", message: `Expected at most ${maxBytes} bytes of JSON in UTF-8` }]
      })
    }
  )

  it("an oversized array inside an item is emptied and named with the item's index, and the rest stays", () => {
    const Inner = Schema.Struct({ names: Schema.NullOr(Schema.Array(Schema.String).check(Schema.isMaxLength(1))) })
    const prune = Oversize.compile(Schema.Array(Inner).check(Schema.isMaxLength(2)))
    expect(prune([{ names: ["a"] }, { names: ["a", "b"] }])).toEqual({
      value: [{ names: ["a"] }, { names: [] }],
      problems: [{ field: "[1].names", code: "too_many", message: "Expected at most 1 items" }]
    })
  })

  it("a value of another type is unchanged and reported by the decoder only", () => {
    const prune = Oversize.compile(inputs.PutContact)
    for (const value of [null, 1, "x", [], { tags: null, phone_numbers: "x" }]) {
      expect(prune(value)).toEqual({ value, problems: [] })
    }
  })

  it("compile with several maxima uses the smallest of each kind", () => {
    const List = Schema.Array(Schema.String).check(Schema.isMaxLength(2), Schema.isMaxLength(5))
    expect(Oversize.compile(List)(["a", "b", "c"]).problems).toMatchObject([{ message: "Expected at most 2 items" }])
    const Json = Schema.Record(Schema.String, Schema.Json).check(JsonSize.withMaxBytes(9), JsonSize.withMaxBytes(20))
    expect(Oversize.compile(Json)({ a: "12" }).problems).toMatchObject([
      { message: "Expected at most 9 bytes of JSON in UTF-8" }
    ])
  })

  it("an object with exactly the maximum number of bytes is unchanged", () => {
    const prune = Oversize.compile(Schema.Record(Schema.String, Schema.Json).check(JsonSize.withMaxBytes(9)))
    expect(prune({ a: "1" })).toEqual({ value: { a: "1" }, problems: [] })
  })

  it("checks that are grouped count, and checks of other kinds do not", () => {
    const group = Schema.makeFilterGroup([Schema.isMaxLength(1), Schema.isUnique()])
    const List = Schema.Array(Schema.String).check(Schema.isMinLength(5), group)
    expect(Oversize.compile(List)(["a", "b"]).problems).toMatchObject([{ message: "Expected at most 1 items" }])
    expect(Oversize.compile(Schema.Array(Schema.String).check(Schema.isMinLength(2)))(["a", "b", "c"])).toEqual({
      value: ["a", "b", "c"],
      problems: []
    })
  })

  it("a union of two collections with maxima is left to the decoder", () => {
    const list = (max: number) => Schema.Array(Schema.String).check(Schema.isMaxLength(max))
    const value = ["a", "b", "c"]
    expect(Oversize.compile(Schema.Union([list(1), list(2)]))(value)).toEqual({ value, problems: [] })
  })

  it("a list whose items have maxima and that has none itself is examined item by item", () => {
    const Names = Schema.Array(Schema.String).check(Schema.isMaxLength(1))
    expect(Oversize.compile(Schema.Array(Names))([["a"], ["a", "b"]])).toEqual({
      value: [["a"], []],
      problems: [{ field: "[1]", code: "too_many", message: "Expected at most 1 items" }]
    })
  })

  it("an item of a list with elements of fixed types is left to the decoder", () => {
    const Names = Schema.Array(Schema.String).check(Schema.isMaxLength(1))
    const value = [1, ["a", "b"]]
    expect(Oversize.compile(Schema.TupleWithRest(Schema.Tuple([Schema.Finite]), [Names]))(value)).toEqual({
      value,
      problems: []
    })
    expect(Oversize.compile(Schema.Tuple([Names]))([["a", "b"]])).toEqual({ value: [["a", "b"]], problems: [] })
  })

  it("an inner list is named with the whole path, and fields of prototypes are not read", () => {
    const Names = Schema.Array(Schema.String).check(Schema.isMaxLength(1))
    const prune = Oversize.compile(Schema.Struct({ outer: Schema.Struct({ list: Schema.Array(Names) }) }))
    expect(prune({ outer: { list: [["a", "b"]] } }).problems).toMatchObject([{ field: "outer.list[0]" }])
    const inherited: unknown = Object.create({ outer: { list: [["a", "b"]] } })
    expect(prune(inherited).problems).toEqual([])
  })

  it("an object without oversized fields is the same object afterwards", () => {
    const body = { tags: ["a"] }
    expect(Oversize.compile(inputs.PutContact)(body).value).toBe(body)
  })

  it("compile returns at most 100 problems, and empties every oversized collection", () => {
    const Names = Schema.Array(Schema.String).check(Schema.isMaxLength(0))
    const { problems, value } = Oversize.compile(Schema.Array(Names))(Array.from({ length: 101 }, () => ["a"]))
    expect(problems).toHaveLength(100)
    expect(value).toEqual(Array.from({ length: 101 }, () => []))
  })
})

describe("Oversize.collections", () => {
  it("collections lists nested arrays and objects with their paths, kinds and maxima", () => {
    const schema = Schema.Struct({
      outer: Schema.Struct({ rows: Schema.Array(Schema.Array(Schema.String).check(Schema.isMaxLength(3))) }),
      pair: Schema.Tuple([Schema.Array(Schema.String), Schema.String]),
      data: Schema.NullOr(Schema.Record(Schema.String, Schema.Json).check(JsonSize.withMaxBytes(9)))
    })
    expect(Oversize.collections(schema)).toEqual([
      { field: "outer.rows", kind: "array", maxItems: null, maxBytes: null },
      { field: "outer.rows.[]", kind: "array", maxItems: 3, maxBytes: null },
      { field: "pair.[]", kind: "array", maxItems: null, maxBytes: null },
      { field: "data", kind: "object", maxItems: null, maxBytes: 9 }
    ])
  })
})
