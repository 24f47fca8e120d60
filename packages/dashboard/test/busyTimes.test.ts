import type { CalendarEventItem } from "@frontdesk/client"
import { describe, expect, it } from "vitest"
import { besideEvents } from "../pages/calendar/busyTimes.ts"

const at = (hour: number): string => `2030-03-04T${String(hour).padStart(2, "0")}:00:00Z`

const busy = (start: number, end: number) => ({ start: at(start), end: at(end), providers: ["google" as const] })

const event = (start: number, end: number, status: CalendarEventItem["status"] = "scheduled"): CalendarEventItem => ({
  id: start,
  uuid: "",
  title: "",
  event_type: "meeting",
  status,
  start_time: at(start),
  end_time: at(end),
  duration_minutes: 60,
  location: null,
  has_video_conference: false,
  video_conference_url: "",
  created_by_ai_agent: false,
  customer: { name: "", email: "", phone: "" }
})

const hours = (...given: Parameters<typeof besideEvents>) =>
  besideEvents(...given).map(({ end_time: end, start_time: start }) => [
    new Date(start).getUTCHours(),
    new Date(end).getUTCHours()
  ])

describe("besideEvents", () => {
  it("leaves out a busy time that an event covers, or several together", () => {
    expect(hours([busy(9, 10), busy(11, 13), busy(15, 16)], [event(12, 13), event(9, 10), event(11, 12)])).toEqual([
      [15, 16]
    ])
  })

  it("has a busy time whole that events cover in part", () => {
    expect(hours([busy(9, 12)], [event(9, 10), event(11, 12)])).toEqual([[9, 12]])
    expect(hours([busy(9, 12)], [event(8, 11)])).toEqual([[9, 12]])
  })

  it("has a busy time at an event that takes no time", () => {
    expect(hours([busy(9, 10), busy(11, 12)], [event(9, 10, "cancelled"), event(11, 12, "completed")])).toEqual([
      [9, 10]
    ])
  })
})
