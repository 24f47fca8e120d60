import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { describe, expect, inject, it } from "vitest"
import * as Nodes from "./Nodes.ts"

/** The maximum number of deliveries that a node sends to one webhook at a time. */
const maxInFlight = 8

/**
 * The poll interval of a node, and the additional time on a busy machine. Both together are far less than the 40 seconds
 * after which a node notices that its listening connection is dead.
 */
const [pollInterval, busyTime] = [1_000, 15_000]

describe("a listening connection that dies silently", () => {
  it("delays deliveries by at most one poll interval", async () => {
    await using receiver = await Receiver.open({
      plan: ({ body }) => (body.includes("hold") ? Behaviour.hang : Behaviour.answer())
    })
    await using proxy = await Proxy.open(inject("postgresUrl"))
    await using nodes = await Nodes.open({
      settings: { FRONTDESK_WEBHOOK_TIMEOUT: "80 seconds", FRONTDESK_WEBHOOK_LEASE: "90 seconds" }
    })
    // The first node has the maximum in flight for the webhook, so the other node sends what is booked on the first.
    const full = await nodes.start()
    await Nodes.subscribe(full, receiver.url, "calendar.created")
    for (const index of Nodes.range(maxInFlight)) Nodes.expectOk(await Nodes.book(full, `hold ${index}`))
    await receiver.received(maxInFlight)
    const other = await nodes.start({ settings: { FRONTDESK_DATABASE_URL: proxy.through(nodes.database.url) } })

    /** Books events one after the other, and returns how long each delivery took, in milliseconds. */
    const deliveryTimes = async (name: string): Promise<ReadonlyArray<number>> => {
      const found: Array<number> = []
      for (const index of Nodes.range(8)) {
        const bookedAt = performance.now()
        Nodes.expectOk(await Nodes.book(full, `${name} ${index}`))
        await Nodes.until(
          () => receiver.requests.some(({ body }) => body.includes(`${name} ${index}`)),
          (isThere) => isThere
        )
        found.push(performance.now() - bookedAt)
      }
      return found
    }
    const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, next) => total + next, 0)

    const notified = await deliveryTimes("notified")
    expect(proxy.stallListeners()).toBe(1)
    const polled = await deliveryTimes("polled")
    expect(Math.max(...polled)).toBeLessThan(pollInterval + busyTime)
    // Polling adds half a second on average. Without this check the node might not have been notified at all before.
    expect(sum(notified)).toBeLessThan(0.75 * sum(polled))
    expect(new Set(nodes.traced("send").map(({ pid }) => pid))).toEqual(new Set([full.pid, other.pid]))
    other.stop()
    expect(await other.ended).toEqual({ code: 0, signal: null })
  }, 180_000)
})
