import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { expect } from "vitest"
import * as Nodes from "./Nodes.ts"

/** Checks that three nodes claim and send every delivery once, and that each node claims some of them. */
export const expectOneClaim = async (
  webhooks: number,
  events: number,
  options: Nodes.NodesOptions = {}
): Promise<void> => {
  await using receiver = await Receiver.open()
  await using nodes = await Nodes.open(options)
  const all = await Promise.all(Nodes.range(3).map(() => nodes.start()))
  const [node] = all
  if (node === undefined) return
  for (const index of Nodes.range(webhooks)) {
    await Nodes.subscribe(node, `${receiver.url}/${index}`, "calendar.created")
  }
  await Promise.all(
    all.map(async (node, index) => {
      for (const event of Nodes.range(events)) {
        if (event % all.length === index) Nodes.expectOk(await Nodes.book(node, `event ${event}`))
      }
    })
  )
  await Nodes.delivered(nodes, webhooks * events)

  const arrivals = Map.groupBy(receiver.requests, ({ headers }) => headers["x-service-delivery-id"])
  expect(arrivals.size).toBe(webhooks * events)
  expect([...arrivals].filter(([, requests]) => requests.length > 1)).toEqual([])
  const claims = nodes.traced("claimed")
  expect(claims.length).toBe(webhooks * events)
  expect(new Set(claims.map(({ of }) => of)).size).toBe(webhooks * events)
  expect(new Set(claims.map(({ pid }) => pid))).toEqual(new Set(all.map(({ pid }) => pid)))
  expect(await Nodes.count(nodes, "SELECT id FROM webhook_delivery WHERE attempts <> 1 OR results <> 1")).toBe(0)
}
