import { CalendarPayload, payload as calendarPayload } from "@frontdesk/core/calendar-event/CalendarWebhookEvent"
import { CallPayload, payload as callPayload } from "@frontdesk/core/call/CallWebhookEvent"
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

const named = <Prefix extends string>(prefix: Prefix) =>
  fc.constantFrom(
    ...WebhookEventName.literals.filter((name): name is Extract<typeof name, `${Prefix}.${string}`> =>
      name.startsWith(`${prefix}.`)
    )
  )

describe("JsonEncoder of the payloads of webhook events (C-6.2-1, C-6.2-2, D-HOOK-10)", () => {
  const kinds: ReadonlyArray<[string, Schema.Codec<unknown, unknown>, fc.Arbitrary<Uint8Array>]> = [
    [
      "a calendar event",
      CalendarPayload,
      fc
        .tuple(named("calendar"), Arbitrary.announcedCalendarEvent(), Arbitrary.awkwardText(), Arbitrary.instant())
        .map((given) => calendarPayload(...given))
    ],
    [
      "a call",
      CallPayload,
      fc.tuple(named("call"), Arbitrary.announcedCall(), Arbitrary.instant()).map((given) => callPayload(...given))
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
