import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { anonymous } from "@frontdesk/core/call/InboundNumber"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { asAccount, idOf, inbound, jo, makeAccount, makeCall, numbers, test } from "./calls.ts"

describe("request_callback", () => {
  test(
    "plans a call at the first free time of the day, and a repeat gets the first answer",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { tools } = yield* makeCall(of, inbound, jo)
      const args = { reason: "Invoice", date: "2026-06-02", weekday: "Tuesday", part_of_day: "afternoon" }
      const answer = yield* tools.call("request_callback", args)
      expect(answer).toMatchObject({
        say: "We will call you back Tuesday June 2nd at 3 pm.",
        event: { title: `Call back ${numbers.first}`, start_time: "2026-06-02T15:00:00-04:00" }
      })
      expect(yield* tools.call("request_callback", {})).toEqual(answer)
      const event = yield* asAccount(of.account)((yield* CalendarEvents).get({ id: idOf(answer) }))
      expect(event).toMatchObject({ eventType: "voice_call", customer: { phone: numbers.first, notes: "Invoice" } })
      expect(yield* tools.call("my_appointments", {})).toMatchObject({ events: [{ id: event.id }] })
      const { tools: other } = yield* makeCall(of, { phoneNumber: numbers.second })
      expect(yield* other.call("request_callback", args)).toMatchObject({
        event: { start_time: "2026-06-02T15:15:00-04:00" }
      })
    })
  )

  test(
    "is refused when date and weekday disagree, when no time is free, and when there is no number to call",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { tools } = yield* makeCall(of)
      expect(yield* tools.call("request_callback", { date: "2026-06-02", weekday: "Monday" })).toMatchObject({
        say: "June 2nd is a Tuesday. Which day do you mean?",
        error: "weekday_mismatch"
      })
      expect(yield* tools.call("request_callback", { date: "2026-06-02" })).toMatchObject({ error: "unknown_weekday" })
      expect(yield* tools.call("request_callback", { date: "2026-06-06", weekday: "Saturday" })).toMatchObject({
        error: "slot_unavailable",
        slots: []
      })
      const withheld = yield* makeCall(of, { ...inbound, phoneNumber: anonymous })
      expect(yield* withheld.tools.call("request_callback", {})).toMatchObject({ error: "phone_number_missing" })
      const stated = yield* withheld.tools.call("request_callback", { customer_phone: numbers.second })
      const event = yield* asAccount(of.account)((yield* CalendarEvents).get({ id: idOf(stated) }))
      expect(event).toMatchObject({
        title: `Call back ${numbers.second}`,
        customer: { phone: "", notes: numbers.second }
      })
    })
  )
})

describe("request_callback at the same time", () => {
  test(
    "books one call back for a call, whatever the arguments are, and one each for several calls",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { tools } = yield* makeCall(of)
      const parts = ["morning", "afternoon", "morning", "afternoon"]
      const asked = parts.map((part_of_day) => tools.call("request_callback", { part_of_day }))
      const answers = yield* Effect.all(asked, { concurrency: "unbounded" })
      expect(new Set(answers.map(idOf)).size).toBe(1)
      expect(yield* tools.call("my_appointments", {})).toMatchObject({ events: [{}] })
      const others = yield* Effect.forEach(["+12025550131", "+12025550132", "+12025550133"], (phoneNumber) =>
        makeCall(of, { phoneNumber: PhoneNumber.make(phoneNumber) })
      )
      const each = yield* Effect.all(
        others.map(({ tools }) => tools.call("request_callback", {})),
        { concurrency: "unbounded" }
      )
      expect(new Set(each.map(idOf)).size).toBe(3)
    })
  )
})
