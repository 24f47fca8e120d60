import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { describe, expect, it } from "vitest"
import * as Nodes from "./Nodes.ts"

describe("three nodes on one database", () => {
  it("claim none of 10,000 deliveries twice, and each node claims some", { timeout: 180_000 }, async () => {
    await using receiver = await Receiver.open()
    await using nodes = await Nodes.open()
    const all = await Promise.all(Nodes.range(3).map(() => nodes.start()))
    const [node] = all
    if (node === undefined) return
    for (const index of Nodes.range(20)) {
      await Nodes.subscribe(node, `${receiver.url}/${index}`, "calendar.created")
    }
    await Promise.all(
      all.map(async (node, index) => {
        for (const event of Nodes.range(500)) {
          if (event % all.length === index) Nodes.expectOk(await Nodes.book(node, `event ${event}`))
        }
      })
    )
    await Nodes.delivered(nodes, 10_000)

    const arrivals = Map.groupBy(receiver.requests, ({ headers }) => headers["x-service-delivery-id"])
    expect(arrivals.size).toBe(10_000)
    expect([...arrivals].filter(([, requests]) => requests.length > 1)).toEqual([])
    const claims = nodes.traced("claimed")
    expect(claims.length).toBe(10_000)
    expect(new Set(claims.map(({ of }) => of)).size).toBe(10_000)
    expect(new Set(claims.map(({ pid }) => pid))).toEqual(new Set(all.map(({ pid }) => pid)))
    expect(await Nodes.count(nodes, "SELECT id FROM webhook_delivery WHERE attempts <> 1 OR results <> 1")).toBe(0)
  })
})
