import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { describe, expect, it } from "vitest"
import * as Nodes from "./Nodes.ts"

describe("three nodes", () => {
  it("send each reminder once as a webhook event and once as a mail", { timeout: 180_000 }, async () => {
    const events = 40
    await using receiver = await Receiver.open()
    await using nodes = await Nodes.open()
    const all = await Promise.all(Nodes.range(3).map(() => nodes.start()))
    const [first] = all
    if (first === undefined) return
    await Nodes.subscribe(first, receiver.url, "calendar.reminder")
    // All reminders are due at the same moment, so that all nodes look for them at the same time.
    const due = Nodes.withReminder(Date.now() + 3_000)
    for (const index of Nodes.range(events)) {
      Nodes.expectOk(await Nodes.book(first, `event_${index}`, { ...due, customer_email: "zoe@example.com" }))
    }
    const mails = () => nodes.traced("mail").filter(({ of }) => of.startsWith("reminder "))
    await Nodes.until(
      () => mails().length,
      (length) => length >= events
    )
    await Nodes.delivered(nodes, events)
    // No reminder and no task is left that could be sent later.
    expect(await Nodes.count(nodes, "SELECT * FROM reminder WHERE NOT is_sent")).toBe(0)
    await Nodes.until(
      () => Nodes.count(nodes, "SELECT id FROM outbox_task"),
      (left) => left === 0
    )
    expect(receiver.requests.length).toBe(events)
    expect(mails().map(({ of }) => of)).toHaveLength(new Set(mails().map(({ of }) => of)).size)
    expect(mails().length).toBe(events)
  })
})
