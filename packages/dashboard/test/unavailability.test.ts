import type { Account, CalendarEventItem } from "@frontdesk/client"
import { expect, it } from "vitest"
import { reasonsOf } from "../pages/calendar/unavailability.ts"
import { makeFormats } from "../pages/ui/formats.ts"

/* oxlint-disable-next-line typescript/no-unsafe-type-assertion
   -- The reasons read these settings of the account alone. */
const account = {
  working_hours: { mon: [["09:00", "17:00"]] },
  date_overrides: {},
  buffer_before_minutes: 0,
  buffer_after_minutes: 15,
  minimum_notice_minutes: 0
} as unknown as Account

const at = (time: string): number => Date.parse(`2040-01-02T${time}:00Z`)

const event: CalendarEventItem = {
  id: 1,
  uuid: "",
  title: "Visit",
  event_type: "appointment",
  status: "confirmed",
  start_time: new Date(at("11:00")).toISOString(),
  end_time: new Date(at("12:00")).toISOString(),
  duration_minutes: 60,
  location: null,
  has_video_conference: false,
  video_conference_url: "",
  created_by_ai_agent: false,
  customer: { name: "", email: "", phone: "" }
}

const reasons = (start: string, end: string, change: Partial<Account> = {}) =>
  reasonsOf(
    { start: at(start), end: at(end) },
    {
      account: { ...account, ...change },
      events: [event, { ...event, status: "cancelled", title: "Cancelled" }],
      busy: [{ range: { start: at("14:00"), end: at("15:00") }, calendars: "Google Calendar" }]
    },
    makeFormats("UTC")
  )

it.each([
  ["16:30", "17:30", /^The working hours of this day are 09:00 – 17:00/],
  ["11:30", "12:30", /^“Visit” is at /],
  ["12:00", "12:30", /^“Visit” ends at .* and 15 minutes after it are kept free/],
  ["14:30", "15:30", /^A busy time in Google Calendar is at /]
])("the time from %s to %s has one reason", (start, end, reason) => {
  expect(reasons(start, end)).toEqual([expect.stringMatching(reason)])
})

it("names every reason, and none for a free time", () => {
  expect(reasons("09:00", "10:00")).toEqual([])
  expect(reasons("11:00", "12:00", { working_hours: {} })).toHaveLength(2)
  expect(reasons("09:00", "10:00", { minimum_notice_minutes: 60 * 24 * 365 * 20 })).toEqual([
    "An appointment needs a notice of 7300 days."
  ])
})
