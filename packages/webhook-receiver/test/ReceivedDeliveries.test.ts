import { ReceivedDeliveries } from "@frontdesk/webhook-receiver"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("ReceivedDeliveries.inMemory", () => {
  it("one of many concurrent claims of a delivery succeeds", async () => {
    const received = ReceivedDeliveries.inMemory()
    const results = await Promise.all(Array.from({ length: 20 }, () => received.claim("a")))
    expect(results.filter((result) => result === "claimed")).toHaveLength(1)
    expect(results.filter((result) => result === "busy")).toHaveLength(19)
    expect(await received.claim("b")).toBe("claimed")
  })

  it("a completed delivery can be claimed again after ageSeconds, and a released one at once", async () => {
    let now = 0
    const received = ReceivedDeliveries.inMemory({ ageSeconds: 10, now: () => now })
    await received.claim("a")
    await received.complete("a")
    now = 9_999
    expect(await received.claim("a")).toBe("completed")
    now = 10_000
    expect(await received.claim("a")).toBe("claimed")
    await received.release("a")
    expect(await received.claim("a")).toBe("claimed")
  })

  it("by default 10,000 completed deliveries are stored for 24 hours (D-SIGN-5)", async () => {
    let now = 0
    const received = ReceivedDeliveries.inMemory({ now: () => now })
    for (let index = 0; index <= 10_000; index += 1) await received.complete(String(index))
    expect(await received.claim("0")).toBe("claimed")
    expect(await received.claim("1")).toBe("completed")
    now = 24 * 60 * 60 * 1_000 - 1
    expect(await received.claim("1")).toBe("completed")
    now += 1
    expect(await received.claim("1")).toBe("claimed")
  })

  it("by default a claim lasts 10 minutes, whatever the capacity and ageSeconds", async () => {
    let now = 0
    const received = ReceivedDeliveries.inMemory({ ageSeconds: 1, capacity: 2, now: () => now })
    await received.claim("slow")
    for (const id of ["a", "b", "c"]) await received.complete(id)
    now = 599_999
    expect(await received.claim("slow")).toBe("busy")
    now = 600_000
    expect(await received.claim("slow")).toBe("claimed")
  })

  it("a delivery can be claimed again, once, after busySeconds, and the first handler can still complete it", async () => {
    let now = 0
    const received = ReceivedDeliveries.inMemory({ busySeconds: 5, now: () => now })
    await received.claim("a")
    now = 5_000
    expect(await received.claim("a")).toBe("claimed")
    now = 9_999
    expect(await received.claim("a")).toBe("busy")
    // The first handler ends after all.
    await received.complete("a")
    expect(await received.claim("a")).toBe("completed")
    await received.release("a")
    expect(await received.claim("a")).toBe("completed")
  })

  it("a delivery that is completed twice is stored for ageSeconds after the second time", async () => {
    let now = 0
    const received = ReceivedDeliveries.inMemory({ capacity: 2, ageSeconds: 10, now: () => now })
    await received.complete("a")
    await received.complete("b")
    now = 5_000
    await received.complete("a")
    now = 10_000
    expect(await received.claim("b")).toBe("claimed")
    expect(await received.claim("a")).toBe("completed")
  })

  it("law: claims agree with a model that lists the last completed deliveries, in any history", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            step: fc.constantFrom("claim" as const, "complete" as const, "release" as const, "wait" as const),
            id: fc.constantFrom("a", "b", "c", "d", "e")
          }),
          { maxLength: 60 }
        ),
        async (history) => {
          let now = 0
          const received = ReceivedDeliveries.inMemory({ capacity: 3, ageSeconds: 4, busySeconds: 2, now: () => now })
          const busy = new Map<string, number>()
          let completed: ReadonlyArray<{ readonly id: string; readonly at: number }> = []
          for (const { id, step } of history) {
            if (step === "wait") now += 1_000
            completed = completed.filter(({ at }) => now - at < 4_000)
            for (const [id, at] of busy) if (now - at >= 2_000) busy.delete(id)
            if (step === "claim") {
              const expected = completed.some((entry) => entry.id === id)
                ? "completed"
                : busy.has(id)
                  ? "busy"
                  : "claimed"
              expect(await received.claim(id)).toBe(expected)
              if (expected === "claimed") busy.set(id, now)
            }
            // Only a claimed delivery is completed or released.
            if (step === "complete" && busy.delete(id)) {
              await received.complete(id)
              completed = [...completed, { id, at: now }].slice(-3)
            }
            if (step === "release" && busy.delete(id)) await received.release(id)
          }
        }
      )
    ))
})

describe("ReceivedDeliveries.handleOnce", () => {
  it("returns handled for the first call and repeated for the next, and handles the delivery once", async () => {
    const received = ReceivedDeliveries.inMemory()
    let handled = 0
    const handle = async () => (handled += 1)
    expect(await ReceivedDeliveries.handleOnce(received, "a", handle)).toBe("handled")
    expect(await ReceivedDeliveries.handleOnce(received, "a", handle)).toBe("repeated")
    expect(await ReceivedDeliveries.handleOnce(received, "b", handle)).toBe("handled")
    expect(handled).toBe(2)
  })

  it("returns busy while the delivery is being handled, and repeated after it", async () => {
    const received = ReceivedDeliveries.inMemory()
    const gate = Promise.withResolvers<void>()
    const first = ReceivedDeliveries.handleOnce(received, "a", () => gate.promise)
    const never = () => Promise.reject(new Error("handled twice"))
    expect(await ReceivedDeliveries.handleOnce(received, "a", never)).toBe("busy")
    gate.resolve()
    expect(await first).toBe("handled")
    expect(await ReceivedDeliveries.handleOnce(received, "a", never)).toBe("repeated")
  })

  it("rejects with the error of the handler, and handles the delivery at the next call", async () => {
    const received = ReceivedDeliveries.inMemory()
    const failure = new Error("the database is down")
    const failing = () => Promise.reject(failure)
    await expect(ReceivedDeliveries.handleOnce(received, "a", failing)).rejects.toBe(failure)
    expect(await ReceivedDeliveries.handleOnce(received, "a", async () => undefined)).toBe("handled")
  })
})
