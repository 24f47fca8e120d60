import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { describe, expect, inject, it } from "vitest"
import * as Nodes from "./Nodes.ts"

/** As many as a node sends to one webhook at a time. */
const places = 8

/**
 * How often the store is asked when nothing wakes a node, and how much longer that may take on a busy machine: still far
 * less than the 40 seconds after which the node sees that nobody notifies it any more.
 */
const [poll, busy] = [1_000, 15_000]

describe("a connection that listens and dies without a word", () => {
  it("costs a node no more than the time of a poll", async () => {
    await using receiver = await Receiver.open({
      plan: ({ body }) => (body.includes("hold") ? Behaviour.hang : Behaviour.answer())
    })
    await using proxy = await Proxy.open(inject("postgresUrl"))
    await using nodes = await Nodes.open({
      settings: { FRONTDESK_WEBHOOK_TIMEOUT: "80 seconds", FRONTDESK_WEBHOOK_LEASE: "90 seconds" }
    })
    // One node has no place left for the webhook, so what happens on it is sent by the other.
    const full = await nodes.start()
    await Nodes.subscribe(full, receiver.url, "calendar.created")
    for (const index of Nodes.range(places)) Nodes.good(await Nodes.book(full, `hold ${index}`))
    await receiver.received(places)
    const other = await nodes.start({ settings: { FRONTDESK_DATABASE_URL: proxy.through(nodes.database.url) } })

    /** Books some, one after the other; answers how long each was on its way. */
    const waits = async (name: string): Promise<ReadonlyArray<number>> => {
      const found: Array<number> = []
      for (const index of Nodes.range(8)) {
        const bookedAt = performance.now()
        Nodes.good(await Nodes.book(full, `${name} ${index}`))
        await Nodes.until(
          () => receiver.requests.some(({ body }) => body.includes(`${name} ${index}`)),
          (isThere) => isThere
        )
        found.push(performance.now() - bookedAt)
      }
      return found
    }
    const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, next) => total + next, 0)

    const told = await waits("told")
    expect(proxy.stallListeners()).toBe(1)
    const asked = await waits("asked")
    expect(Math.max(...asked)).toBeLessThan(poll + busy)
    // Otherwise it was not notified before either. A poll adds half a second on average, a busy machine adds to both.
    expect(sum(told)).toBeLessThan(0.75 * sum(asked))
    expect(new Set(nodes.deeds("send").map(({ pid }) => pid))).toEqual(new Set([full.pid, other.pid]))
    other.stop()
    expect(await other.ended).toEqual({ code: 0, signal: null })
  }, 180_000)
})
