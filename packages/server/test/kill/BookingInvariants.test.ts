import { describe, expect, it } from "vitest"
import type { History } from "./History.ts"
import { checkWorld } from "./Invariants.ts"
import { booked, storedEvent } from "./sampleHistory.ts"

const neighbour = { ...storedEvent, id: 8, title: "e2" }

const violations = (history: History): string => checkWorld(history).violations.join("\n")

describe("the invariants of bookings", () => {
  it.each<readonly [string, History]>([
    ["a booking whose repeat got the first answer", booked()],
    ["a booking that was made and never answered", booked({ answers: [] })],
    ["a booking that was refused and does not exist", booked({ answers: [], isRefused: true }, { calendarEvents: [] })]
  ])("accept %s", (_, history) => {
    expect(violations(history)).not.toMatch(/the booking "e1"|overlaps/)
  })

  it.each<readonly [string, History, RegExp]>([
    [
      "an acknowledged booking that is lost",
      booked({}, { calendarEvents: [] }),
      /the booking "e1" was acknowledged and exists 0 times/
    ],
    [
      "an acknowledged booking that was made twice",
      booked({}, { calendarEvents: [storedEvent, { ...neighbour, title: "e1" }] }),
      /the booking "e1" was acknowledged and exists 2 times/
    ],
    [
      "a booking at another time",
      booked({}, { calendarEvents: [{ ...storedEvent, start_time: storedEvent.start_time - 1 }] }),
      /the booking "e1" is another event or has another time/
    ],
    [
      "a booking that a repeat refused although it exists",
      booked({ answers: [], isRefused: true }),
      /the booking "e1" was refused and exists/
    ],
    [
      "a booking that was made twice without an answer",
      booked({ answers: [] }, { calendarEvents: [storedEvent, { ...neighbour, title: "e1" }] }),
      /the booking "e1" exists 2 times/
    ],
    [
      "another event that overlaps the booking",
      booked({}, { calendarEvents: [storedEvent, { ...neighbour, start_time: storedEvent.end_time - 1 }] }),
      /"e2" overlaps "e1"/
    ],
    [
      "a booking that overlaps a long event which began before its neighbour",
      booked(
        {},
        {
          calendarEvents: [
            { ...neighbour, start_time: 0 },
            { ...neighbour, id: 9, title: "e3", start_time: 1, end_time: 2 },
            storedEvent
          ]
        }
      ),
      /"e1" overlaps "e2"/
    ],
    [
      "a repeat with another answer",
      booked({ answers: ["first", "second"] }),
      /was answered first, and its repeat second/
    ],
    [
      "an answer that differs from the stored one",
      booked({ answers: ["second"] }),
      /was answered second, and its 1 stored tool calls have first/
    ],
    ["a tool call that is not stored", booked({}, { toolCalls: [] }), /and its 0 stored tool calls/]
  ])("report %s", (_, history, problem) => {
    expect(violations(history)).toMatch(problem)
  })

  it("accept an event that begins when the booking ends, and a cancelled one at its time", () => {
    const calendarEvents = [
      storedEvent,
      { ...neighbour, start_time: storedEvent.end_time, end_time: storedEvent.end_time + 1 },
      { ...neighbour, id: 9, title: "e3", status: "cancelled" }
    ]
    expect(violations(booked({}, { calendarEvents }))).not.toMatch(/overlaps/)
  })
})
