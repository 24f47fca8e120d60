import { describe, expect, it } from "@effect/vitest"
import {
  CancelCalendarEvent,
  CreateCalendarEvent,
  PatchCalendarEvent,
  PutCalendarEvent
} from "@frontdesk/core/calendar-event/CalendarEventInput"
import { CreateCall } from "@frontdesk/core/call/CallInput"
import { CreateContact, PatchContact, PutContact } from "@frontdesk/core/contact/ContactInput"
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
})
