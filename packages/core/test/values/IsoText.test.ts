import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import * as IsoText from "@frontdesk/core/values/IsoText"

it("law: format returns the text of DateTime.formatIso for every instant", () => {
  // The instants that a Date can have.
  const instant = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 })
  const ofOurTime = fc.integer({ min: 0, max: 4_102_444_800_000 })
  fc.assert(
    fc.property(fc.oneof(instant, ofOurTime), (millis) => {
      const time = DateTime.makeUnsafe(millis)
      expect(IsoText.format(time)).toBe(DateTime.formatIso(time))
    }),
    { numRuns: 10_000 }
  )
})

it.each([
  "0000-01-01T00:00:00.000Z",
  "1969-12-31T23:59:59.999Z",
  "2024-02-29T12:34:56.789Z",
  "9999-12-31T23:59:59.999Z",
  "+010000-01-01T00:00:00.000Z",
  "-000001-12-31T23:59:59.999Z"
])("format returns %s", (text) => {
  expect(IsoText.format(DateTime.makeUnsafe(text))).toBe(text)
})
