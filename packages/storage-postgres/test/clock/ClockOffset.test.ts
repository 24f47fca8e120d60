import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as ClockOffset from "@frontdesk/storage-postgres/clock/ClockOffset"

const sample = (sentAt: number, way: number, back: number, ahead: number): ClockOffset.Sample => ({
  sentAt,
  receivedAt: sentAt + way + back,
  serverTime: sentAt + way + ahead
})

describe("the offset of the server's clock", () => {
  it("is taken from the quickest answer", () => {
    const slow = ClockOffset.after(undefined, sample(0, 90, 10, 5_000))
    const quick = ClockOffset.after(slow, sample(100, 1, 1, 5_000))
    expect(ClockOffset.after(quick, sample(110, 400, 0, 5_000)).value).toBe(5_000)
  })

  it("is corrected by a slow answer no further than that proves", () => {
    const known = ClockOffset.after(undefined, sample(0, 1, 1, 5_000))
    expect(ClockOffset.after(known, sample(10, 50, 50, 6_000)).value).toBe(5_950)
  })

  it("grows uncertain, so that an answer of the same quality replaces an old one", () => {
    const known = ClockOffset.after(undefined, sample(0, 1, 1, 5_000))
    expect(ClockOffset.after(known, sample(60_000, 2, 2, 5_010)).value).toBe(5_010)
  })

  it("is never further off than it says, whatever the ways of the answers took", () => {
    const way = fc.double({ min: 0, max: 2_000, noNaN: true })
    const answers = fc.array(fc.record({ way, back: way, pause: way }), { minLength: 1 })
    fc.assert(
      fc.property(answers, fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (answers, ahead) => {
        let now = 0
        let offset: ClockOffset.Offset | undefined
        for (const { back, pause, way } of answers) {
          now += pause
          offset = ClockOffset.after(offset, sample(now, way, back, ahead))
          now += way + back
          expect(Math.abs(offset.value - ahead)).toBeLessThanOrEqual(offset.error + 0.01)
        }
      })
    )
  })
})
