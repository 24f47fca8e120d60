import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as ClockOffset from "@frontdesk/storage-postgres/clock/ClockOffset"

/**
 * Returns a sample of a clock that is `ahead` ms ahead. The request takes `way` ms, and the response takes `back` ms.
 */
const sample = (sentAt: number, way: number, back: number, ahead: number): ClockOffset.Sample => ({
  sentAt,
  receivedAt: sentAt + way + back,
  serverTime: sentAt + way + ahead
})

describe("the offset of the server's clock", () => {
  it("is taken from the sample with the shortest round trip", () => {
    const slow = ClockOffset.after(undefined, sample(0, 90, 10, 5_000))
    const quick = ClockOffset.after(slow, sample(100, 1, 1, 5_000))
    expect(ClockOffset.after(quick, sample(110, 400, 0, 5_000)).value).toBe(5_000)
  })

  it("is corrected by a slow sample only as far as the sample disproves it", () => {
    const known = ClockOffset.after(undefined, sample(0, 1, 1, 5_000))
    expect(ClockOffset.after(known, sample(10, 50, 50, 6_000)).value).toBe(5_950)
  })

  it("becomes less precise with time, so that a new sample of the same quality replaces it", () => {
    const known = ClockOffset.after(undefined, sample(0, 1, 1, 5_000))
    expect(ClockOffset.after(known, sample(60_000, 2, 2, 5_010)).value).toBe(5_010)
  })

  it("law: differs from the true offset by at most its error, however long requests and responses take", () => {
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
