import { CalendarPayload, payload as calendarPayload } from "@frontdesk/core/calendar-event/CalendarWebhookEvent"
import {
  type CallEventName,
  CallPayload,
  payload as callPayload,
  ToolPayload,
  toolPayload
} from "@frontdesk/core/call/CallWebhookEvent"
import * as JsonEncoder from "@frontdesk/core/values/JsonEncoder"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import { snakeCase } from "@frontdesk/core/values/Wire"
import { payload as testPayload, TestPayload } from "@frontdesk/core/webhook/TestWebhookEvent"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import * as Arbitrary from "@frontdesk/testing/arbitrary/webhook"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const namedCalendar = fc.constantFrom(
  ...WebhookEventName.literals.filter((name): name is Extract<typeof name, `calendar.${string}`> =>
    name.startsWith("calendar.")
  )
)

const namedCall = fc.constantFrom(
  ...WebhookEventName.literals.filter((name): name is CallEventName => name.startsWith("call.") && name !== "call.tool")
)

const json = fc.jsonValue().filter(Schema.is(Schema.Json))

const shownToolCall = fc.record({
  name: Arbitrary.awkwardText(),
  arguments: json,
  answer: json,
  durationMs: fc.nat(),
  at: Arbitrary.instant()
})

describe("JsonEncoder of the payloads of webhook events (C-6.2-1, C-6.2-2, D-HOOK-10)", () => {
  const kinds: ReadonlyArray<[string, Schema.Codec<unknown, unknown>, fc.Arbitrary<Uint8Array>]> = [
    [
      "a calendar event",
      CalendarPayload,
      fc
        .tuple(namedCalendar, Arbitrary.announcedCalendarEvent(), Arbitrary.awkwardText(), Arbitrary.instant())
        .map((given) => calendarPayload(...given))
    ],
    [
      "a call",
      CallPayload,
      fc.tuple(namedCall, Arbitrary.announcedCall(), Arbitrary.instant()).map((given) => callPayload(...given))
    ],
    [
      "a tool call",
      ToolPayload,
      fc.tuple(Arbitrary.announcedCall(), shownToolCall, Arbitrary.instant()).map((given) => toolPayload(...given))
    ],
    ["a test", TestPayload, fc.tuple(Arbitrary.webhook(), Arbitrary.instant()).map((given) => testPayload(...given))]
  ]

  it.each(kinds)("law: the payload of %s has the bytes that its schema encodes", (_, schema, payload) => {
    const decode = Schema.decodeUnknownSync(schema)
    const encode = Schema.encodeUnknownSync(schema)
    fc.assert(
      fc.property(payload, (bytes) => {
        const text = Utf8.decode(bytes) ?? ""
        expect(text).toBe(JSON.stringify(encode(decode(JSON.parse(text)))))
      })
    )
  })
})

describe("JsonEncoder.compile", () => {
  const Slot = snakeCase(
    Schema.Struct({
      startTime: Timestamp,
      endTime: Schema.NullOr(Timestamp),
      alsoAt: Schema.optionalKey(Schema.Array(Timestamp)),
      // A shape that only the schema itself encodes.
      isFree: Schema.optionalKey(Schema.BooleanFromBit)
    })
  )
  const at = DateTime.makeUnsafe("2026-03-08T13:00:00.123Z")
  const encode = JsonEncoder.compile(Slot)

  it.each([
    { startTime: at, endTime: null },
    { startTime: at, endTime: at, alsoAt: [] },
    { startTime: at, endTime: at, alsoAt: [at, at], isFree: true }
  ])("value %# has the JSON that the schema encodes, key by key", (value) => {
    expect(JSON.stringify(encode(value))).toBe(JSON.stringify(Schema.encodeSync(Slot)(value)))
  })

  it("a key that the schema does not name is left out", () => {
    const value = { startTime: at, endTime: null, note: "internal" }
    expect(encode(value)).toEqual({ start_time: "2026-03-08T13:00:00.123Z", end_time: null })
  })
})
