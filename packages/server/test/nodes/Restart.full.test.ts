import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import * as Nodes from "./Nodes.ts"

const [clients, restarts] = [4, 2]

describe("a rolling restart", () => {
  it("loses no answered request, and every webhook event arrives", async () => {
    await using receiver = await Receiver.open()
    await using nodes = await Nodes.open()
    const places: Array<Nodes.Node> = [await nodes.start(), await nodes.start()]
    const [first] = places
    if (first === undefined) return
    await Nodes.subscribe(first, receiver.url, "calendar.created")
    const answered: Array<string> = []
    const unexpected: Array<string> = []
    const over = new AbortController()

    /** Books one event after the other. If a node does not answer, it sends the request to the next with the same key. */
    const client = async (name: number): Promise<void> => {
      let place = name
      for (let index = 0; !over.signal.aborted; index += 1) {
        const title = `event ${name} ${index}`
        for (let isDone = false; !isDone;) {
          const node = places[place % places.length]
          const answer =
            node === undefined || node.hasEnded() ? null : await Nodes.book(node, title, {}, title.replaceAll(" ", "-"))
          if (answer?.status === 201) {
            answered.push(title)
            isDone = true
          } else if (answer === null || answer.status === 409) {
            // 409: the other node still executes the request with this key.
            if (answer === null) place += 1
            await sleep(5)
          } else {
            unexpected.push(`${answer.status} ${answer.body}`)
            isDone = true
          }
        }
      }
    }
    const load = Promise.all(Nodes.range(clients).map(client))
    for (const _ of Nodes.range(restarts)) {
      for (const [place, node] of places.entries()) {
        const before = answered.length
        node.stop()
        expect(await node.ended).toEqual({ code: 0, signal: null })
        places[place] = await nodes.start()
        // Enough requests that every client has used the new node.
        await Nodes.until(
          () => answered.length,
          (length) => length > before + clients * 5
        )
      }
    }
    over.abort()
    await load

    expect(unexpected).toEqual([])
    await Nodes.delivered(nodes, answered.length)
    const rows = await nodes.database.rows("SELECT title FROM calendar_event")
    expect(rows).toHaveLength(answered.length)
    expect(rows).toEqual(expect.arrayContaining(answered.map((title) => ({ title }))))
    expect(new Set(receiver.requests.map(({ headers }) => headers["x-service-delivery-id"])).size).toBe(answered.length)
  }, 180_000)
})
