import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { describe, expect, it } from "vitest"
import * as Nodes from "./Nodes.ts"

const minute = 60_000

/** Returns the options of a node whose clock differs from the clock of the database by `shift` milliseconds. */
const shifted = (shift: number): Nodes.NodeOptions => ({
  settings: {
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, "shiftedClock.ts")).href}`,
    CLOCK_SHIFT_MILLIS: String(shift)
  }
})

const shifts = [7 * minute, -7 * minute]

describe.concurrent("nodes whose clocks differ by minutes", () => {
  it("retry a delivery when its wait is over by the clock of the database, regardless of which node sends", async () => {
    const delays = [1_000, 2_000]
    const events = 12
    const tries = new Map<string | undefined, number>()
    await using receiver = await Receiver.open({
      plan: ({ headers }) => {
        const id = headers["x-service-delivery-id"]
        tries.set(id, (tries.get(id) ?? 0) + 1)
        return Behaviour.answer((tries.get(id) ?? 0) > delays.length ? 200 : 500)
      }
    })
    await using nodes = await Nodes.open({
      settings: { FRONTDESK_WEBHOOK_RETRY_DELAYS: delays.map((delay) => `${delay} ms`).join() }
    })
    const all = await Promise.all(shifts.map((shift) => nodes.start(shifted(shift))))
    const [first] = all
    if (first === undefined) return
    await Nodes.subscribe(first, receiver.url, "calendar.created")
    for (const index of Nodes.range(events)) {
      const node = all[index % all.length]
      if (node !== undefined) Nodes.expectOk(await Nodes.book(node, `event ${index}`))
    }
    await Nodes.delivered(nodes, events)
    const byDelivery = [...Map.groupBy(receiver.requests, ({ headers }) => headers["x-service-delivery-id"]).values()]
    expect(byDelivery.length).toBe(events)
    for (const arrivals of byDelivery) {
      for (const [index, { at }] of arrivals.slice(1).entries()) {
        const wait = at - (arrivals[index]?.at ?? 0)
        expect(wait).toBeGreaterThanOrEqual((delays[index] ?? 0) - 2 * nodes.database.clockError)
      }
    }
  }, 180_000)

  it("send a reminder once, when it is due by the clock of the database", async () => {
    const events = 10
    await using receiver = await Receiver.open()
    await using nodes = await Nodes.open()
    const all = await Promise.all(shifts.map((shift) => nodes.start(shifted(shift))))
    const [first] = all
    if (first === undefined) return
    await Nodes.subscribe(first, receiver.url, "calendar.reminder")
    const due = Date.now() + 3_000
    for (const index of Nodes.range(events)) {
      const node = all[index % all.length]
      if (node !== undefined) Nodes.expectOk(await Nodes.book(node, `event ${index}`, Nodes.withReminder(due)))
    }
    await Nodes.delivered(nodes, events)
    for (const { at } of receiver.requests) expect(at).toBeGreaterThanOrEqual(due - nodes.database.clockError)
    expect(receiver.requests.length).toBe(events)
  }, 180_000)
})
