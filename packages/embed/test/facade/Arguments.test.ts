import { CreateApiKey, RotateApiKey } from "@frontdesk/core/access/ApiKeyInput"
import { CreateCalendarEvent } from "@frontdesk/core/calendar-event/CalendarEventInput"
import { CalendarEventKey } from "@frontdesk/core/calendar-event/CalendarEventKey"
import { AgentKey } from "@frontdesk/core/agent/AgentStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import * as Arguments from "../../src/facade/Arguments.ts"

/** Returns what a service with this schema receives. */
const compile = (schema: Schema.Top) => {
  const convert = Arguments.compile({ name: "input", schema })
  return (given: unknown) => convert(Result.getOrThrow(Arguments.read(given)))
}

describe("an argument", () => {
  it("with a Date or an object of Temporal becomes text", () => {
    const convert = compile(CreateCalendarEvent)
    const startTime = new Date("2026-03-02T10:00:00Z")
    expect(convert({ title: "Visit", startTime, endTime: null })).toEqual({
      title: "Visit",
      startTime: "2026-03-02T10:00:00.000Z",
      endTime: null
    })
    const temporal = (tag: string, text: string) => ({ [Symbol.toStringTag]: `Temporal.${tag}`, toString: () => text })
    expect(
      convert({
        startTime: temporal("ZonedDateTime", "2026-03-02T10:00:00-05:00[America/New_York]"),
        endTime: temporal("PlainDateTime", "2026-03-02T11:00:00")
      })
    ).toEqual({ startTime: "2026-03-02T10:00:00-05:00", endTime: "2026-03-02T11:00:00" })
  })

  it("becomes an instant, a secret or a duration where the service expects one", () => {
    const key = compile(CreateApiKey)({ expiresAt: new Date(0), value: "v".repeat(32) })
    expect(key).toEqual({ expiresAt: DateTime.makeUnsafe(0), value: Redacted.make("v".repeat(32)) })
    const rotate = compile(RotateApiKey)
    expect(rotate({ grace: "2 hours" })).toEqual({ grace: Duration.hours(2) })
    expect(rotate({ grace: "10s" })).toEqual({ grace: Duration.seconds(10) })
    expect(rotate({ grace: 250 })).toEqual({ grace: Duration.millis(250) })
    expect(rotate({ grace: "soon" })).toEqual({ grace: "soon" })
  })

  it("without an offset stays text where the service expects an instant", () => {
    expect(compile(CreateApiKey)({ expiresAt: "2030-01-01T00:00:00" })).toEqual({
      expiresAt: "2030-01-01T00:00:00"
    })
  })

  it("becomes the key of its type", () => {
    expect(compile(CalendarEventKey)(7)).toEqual({ id: 7 })
    expect(compile(CalendarEventKey)("a-b")).toEqual({ uuid: "a-b" })
    expect(compile(CalendarEventKey)({ uuid: "a-b" })).toEqual({ uuid: "a-b" })
    expect(compile(AgentKey)("asst_ada")).toEqual({ assistantId: "asst_ada" })
  })

  it("that is absent becomes an empty object where the service expects an object", () => {
    expect(compile(CreateCalendarEvent)(undefined)).toEqual({})
    expect(compile(Schema.String)(undefined)).toBeUndefined()
  })
})
