import { durationSeconds } from "@frontdesk/core/call/Call"
import * as DateTime from "effect/DateTime"
import { describe, expect, it } from "vitest"

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

describe("Call.durationSeconds", () => {
  it("durationSeconds returns whole seconds and is never negative", () => {
    const lasting = (milliseconds: number) =>
      durationSeconds({ startedAt: at(5), endedAt: DateTime.add(at(5), { milliseconds }) })
    expect([lasting(999), lasting(60_001), lasting(-1)]).toEqual([0, 60, 0])
  })

  it("durationSeconds of a running call is null (D-CALL-23)", () => {
    expect(durationSeconds({ startedAt: at(5), endedAt: null })).toBeNull()
  })
})
