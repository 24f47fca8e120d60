import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import * as CalendarEventKey from "@frontdesk/core/calendar-event/CalendarEventKey"

describe("CalendarEventKey", () => {
  it.each([
    ["7", { id: 7 }],
    ["9007199254740991", { id: 9007199254740991 }],
    ["0C9A3F0E-6B1D-4B8E-9C5A-1F2E3D4C5B6A", { uuid: "0c9a3f0e-6b1d-4b8e-9c5a-1f2e3d4c5b6a" }]
  ])("%s is parsed as an id, or as a UUID in lower case (C-4.6-4)", (text, key) => {
    expect(CalendarEventKey.parse(text)).toEqual(Option.some(key))
  })

  it.each(["", "0", "07", "-1", "1.0", "1e3", " 7", "9999999999999999", "0c9a3f0e", "seven"])(
    "%j is neither an id nor a UUID",
    (text) => {
      expect(CalendarEventKey.parse(text)).toEqual(Option.none())
    }
  )
})
