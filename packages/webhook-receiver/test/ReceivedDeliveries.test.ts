import { ReceivedDeliveries } from "@frontdesk/webhook-receiver"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("received deliveries in memory", () => {
  it("are taken by one of many who ask at once", async () => {
    const received = ReceivedDeliveries.inMemory()
    const standings = await Promise.all(Array.from({ length: 20 }, () => received.take("a")))
    expect(standings.filter((standing) => standing === "taken")).toHaveLength(1)
    expect(standings.filter((standing) => standing === "busy")).toHaveLength(19)
    expect(await received.take("b")).toBe("taken")
  })

  it("are done for as long as they are remembered, and may be taken again once forgotten", async () => {
    let now = 0
    const received = ReceivedDeliveries.inMemory({ ageSeconds: 10, now: () => now })
    await received.take("a")
    await received.done("a")
    now = 9_999
    expect(await received.take("a")).toBe("done")
    now = 10_000
    expect(await received.take("a")).toBe("taken")
    await received.forget("a")
    expect(await received.take("a")).toBe("taken")
  })

  it("are remembered for 24 hours, and 10,000 of them, by default (D-SIGN-5)", async () => {
    let now = 0
    const received = ReceivedDeliveries.inMemory({ now: () => now })
    for (let index = 0; index <= 10_000; index += 1) await received.done(String(index))
    expect(await received.take("0")).toBe("taken")
    expect(await received.take("1")).toBe("done")
    now = 24 * 60 * 60 * 1_000 - 1
    expect(await received.take("1")).toBe("done")
    now += 1
    expect(await received.take("1")).toBe("taken")
  })

  it("stay taken while they are being handled, however many others come, for 10 minutes by default", async () => {
    let now = 0
    const received = ReceivedDeliveries.inMemory({ ageSeconds: 1, capacity: 2, now: () => now })
    await received.take("slow")
    for (const id of ["a", "b", "c"]) await received.done(id)
    now = 599_999
    expect(await received.take("slow")).toBe("busy")
    now = 600_000
    expect(await received.take("slow")).toBe("taken")
  })

  it("may be taken again, by one, when their handling does not end in its time", async () => {
    let now = 0
    const received = ReceivedDeliveries.inMemory({ busySeconds: 5, now: () => now })
    await received.take("a")
    now = 5_000
    expect(await received.take("a")).toBe("taken")
    now = 9_999
    expect(await received.take("a")).toBe("busy")
    // The first one ends after all.
    await received.done("a")
    expect(await received.take("a")).toBe("done")
    await received.forget("a")
    expect(await received.take("a")).toBe("done")
  })

  it("are remembered from the last time they were done", async () => {
    let now = 0
    const received = ReceivedDeliveries.inMemory({ capacity: 2, ageSeconds: 10, now: () => now })
    await received.done("a")
    await received.done("b")
    now = 5_000
    await received.done("a")
    now = 10_000
    expect(await received.take("b")).toBe("taken")
    expect(await received.take("a")).toBe("done")
  })

  it("agree with a list of the last ones done, whatever happens to them", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            step: fc.constantFrom("take" as const, "done" as const, "forget" as const, "wait" as const),
            id: fc.constantFrom("a", "b", "c", "d", "e")
          }),
          { maxLength: 60 }
        ),
        async (history) => {
          let now = 0
          const received = ReceivedDeliveries.inMemory({ capacity: 3, ageSeconds: 4, busySeconds: 2, now: () => now })
          const busy = new Map<string, number>()
          let done: ReadonlyArray<{ readonly id: string; readonly at: number }> = []
          for (const { id, step } of history) {
            if (step === "wait") now += 1_000
            done = done.filter(({ at }) => now - at < 4_000)
            for (const [id, at] of busy) if (now - at >= 2_000) busy.delete(id)
            if (step === "take") {
              const expected = done.some((each) => each.id === id) ? "done" : busy.has(id) ? "busy" : "taken"
              expect(await received.take(id)).toBe(expected)
              if (expected === "taken") busy.set(id, now)
            }
            // Only who took a delivery may end it.
            if (step === "done" && busy.delete(id)) {
              await received.done(id)
              done = [...done, { id, at: now }].slice(-3)
            }
            if (step === "forget" && busy.delete(id)) await received.forget(id)
          }
        }
      )
    ))
})

describe("handling a delivery once", () => {
  it("handles what comes first, and tells of a repeat that it was handled", async () => {
    const received = ReceivedDeliveries.inMemory()
    let handled = 0
    const handle = async () => (handled += 1)
    expect(await ReceivedDeliveries.handleOnce(received, "a", handle)).toBe("handled")
    expect(await ReceivedDeliveries.handleOnce(received, "a", handle)).toBe("repeated")
    expect(await ReceivedDeliveries.handleOnce(received, "b", handle)).toBe("handled")
    expect(handled).toBe(2)
  })

  it("is busy while the same delivery is being handled, and repeats nothing after it", async () => {
    const received = ReceivedDeliveries.inMemory()
    const gate = Promise.withResolvers<void>()
    const first = ReceivedDeliveries.handleOnce(received, "a", () => gate.promise)
    const never = () => Promise.reject(new Error("handled twice"))
    expect(await ReceivedDeliveries.handleOnce(received, "a", never)).toBe("busy")
    gate.resolve()
    expect(await first).toBe("handled")
    expect(await ReceivedDeliveries.handleOnce(received, "a", never)).toBe("repeated")
  })

  it("hands on the failure of handling, and handles the delivery when it comes again", async () => {
    const received = ReceivedDeliveries.inMemory()
    const failure = new Error("the database is down")
    const failing = () => Promise.reject(failure)
    await expect(ReceivedDeliveries.handleOnce(received, "a", failing)).rejects.toBe(failure)
    expect(await ReceivedDeliveries.handleOnce(received, "a", async () => undefined)).toBe("handled")
  })
})
