import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { attempt } from "@frontdesk/storage-sqlite/client/LockRetry"

describe("attempt", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
  afterEach(() => void vi.useRealTimers())

  it("tries again while the database is busy, and returns the first result", () => {
    const work = vi.fn(failing(BUSY)).mockImplementation(() => "done")
    for (let i = 0; i < 3; i++) {
      work.mockImplementationOnce(failing(BUSY))
    }
    const fiber = Effect.runFork(Effect.suspend(() => attempt(work, 1000)))
    vi.advanceTimersByTime(1000)
    expect(Effect.runSync(fiber.pollUnsafe() ?? Effect.die("still waiting"))).toBe("done")
    expect(work).toHaveBeenCalledTimes(4)
  })

  it("fails when the timeout has passed", () => {
    const fiber = Effect.runFork(Effect.suspend(() => attempt(failing(BUSY), 1000)))
    vi.advanceTimersByTime(999)
    expect(fiber.pollUnsafe()).toBeUndefined()
    // The last pause of 10 ms may end after the timeout.
    vi.advanceTimersByTime(20)
    expect(fiber.pollUnsafe()?._tag).toBe("Failure")
    expect(vi.getTimerCount()).toBe(0)
  })

  it("does not try again after it was interrupted", () => {
    const fiber = Effect.runFork(Effect.suspend(() => attempt(failing(BUSY), 1000)))
    expect(vi.getTimerCount()).toBe(1)
    fiber.interruptUnsafe()
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    ["a snapshot that is out of date", 517],
    ["a unique value that is taken", 2067],
    ["an error that is not SQLite's", undefined]
  ])("%s fails at once", (_, code) => {
    const work = vi.fn(failing(code))
    const error = Effect.runSync(Effect.flip(attempt(work, 1000)))
    expect(error._tag).toBe("SqlError")
    expect(work).toHaveBeenCalledOnce()
  })
})

const BUSY = 5

const failing = (errcode: number | undefined) => (): string => {
  throw Object.assign(new Error("no"), errcode === undefined ? {} : { errcode })
}
