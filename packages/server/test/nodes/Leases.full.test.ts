import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import * as Nodes from "./Nodes.ts"

/** The timeout is long enough to kill or suspend a node during an attempt. The lease is the shortest one for it. */
const settings = {
  FRONTDESK_WEBHOOK_TIMEOUT: "10 seconds",
  FRONTDESK_WEBHOOK_LEASE: "20 seconds",
  FRONTDESK_WEBHOOK_RETRY_DELAYS: "300 ms,300 ms"
}

const Delivery = Schema.Struct({
  delivery_id: Schema.String,
  state: Schema.String,
  due_at: Schema.NullOr(Schema.Int),
  attempts: Schema.Int
})
const decode = Schema.decodeUnknownSync(Schema.Array(Delivery))

const read = async ({ database }: Nodes.Nodes) =>
  decode(await database.rows("SELECT delivery_id, state, due_at, attempts FROM webhook_delivery ORDER BY id"))

/** Opens a receiver that never answers the first request of a delivery, and answers later requests at once. */
const openReceiver = () => {
  const known = new Set<string>()
  return Receiver.open({
    plan: ({ headers }) => {
      const id = headers["x-service-delivery-id"] ?? ""
      if (known.has(id)) return Behaviour.answer()
      known.add(id)
      return Behaviour.hang
    }
  })
}

const idOf = ({ headers }: Receiver.Receiver["requests"][number]): string => headers["x-service-delivery-id"] ?? ""

/** Starts three nodes that have claimed six deliveries. Returns one of them, the others, and the ids of its deliveries. */
const startWithClaims = async (nodes: Nodes.Nodes, receiver: Receiver.Receiver) => {
  const all = await Promise.all(Nodes.range(3).map(() => nodes.start()))
  const [first] = all
  if (first === undefined) throw new Error("There is no node")
  await Nodes.subscribe(first, receiver.url, "calendar.created")
  await Promise.all(Nodes.range(6).map((index) => Nodes.book(first, `event ${index}`)))
  await receiver.received(6)
  const [send] = nodes.traced("send")
  const node = all.find(({ pid }) => pid === send?.pid)
  if (node === undefined) throw new Error("No node has sent a delivery")
  const own = nodes.traced("send").filter(({ pid }) => pid === node.pid)
  return { node, others: all.filter((one) => one !== node), own: new Set(own.map(({ of }) => of)) }
}

/** Checks that each delivery was sent once more, after its lease, and returns the deliveries after that. */
const expectTakenOver = async (
  nodes: Nodes.Nodes,
  receiver: Receiver.Receiver,
  claimed: ReadonlyArray<typeof Delivery.Type>
) => {
  await Nodes.delivered(nodes, 6)
  for (const { delivery_id, due_at } of claimed) {
    const [, again, ...more] = receiver.requests.filter((request) => idOf(request) === delivery_id)
    expect(more).toEqual([])
    const dueAt = due_at ?? Number.POSITIVE_INFINITY
    expect(again?.at).toBeGreaterThanOrEqual(dueAt - nodes.database.clockError)
  }
  const ids = new Set(claimed.map(({ delivery_id }) => delivery_id))
  return (await read(nodes)).filter(({ delivery_id }) => ids.has(delivery_id))
}

describe.concurrent("the deliveries that a node has claimed", () => {
  it("are taken over by other nodes after the node was killed, when the leases have ended and not before", async () => {
    await using receiver = await openReceiver()
    await using nodes = await Nodes.open({ settings })
    const { node, own } = await startWithClaims(nodes, receiver)
    node.kill()
    await node.ended
    const claimed = (await read(nodes)).filter(({ delivery_id }) => own.has(delivery_id))
    expect(claimed.map(({ state }) => state)).toEqual(claimed.map(() => "leased"))
    for (const { attempts } of await expectTakenOver(nodes, receiver, claimed)) expect(attempts).toBe(1)
  }, 180_000)

  it("are not changed by a node that was suspended until after its leases", async () => {
    await using receiver = await openReceiver()
    await using nodes = await Nodes.open({ settings })
    const { node, own } = await startWithClaims(nodes, receiver)
    node.freeze()
    const claimed = (await read(nodes)).filter(({ delivery_id }) => own.has(delivery_id))
    expect(claimed.map(({ state }) => state)).toEqual(claimed.map(() => "leased"))
    await expectTakenOver(nodes, receiver, claimed)
    const before = await read(nodes)
    node.thaw()
    // A stopping node tries to record its results before it ends.
    node.stop()
    expect(await node.ended).toEqual({ code: 0, signal: null })
    expect(await read(nodes)).toEqual(before)
    expect(before.filter(({ delivery_id }) => own.has(delivery_id)).map(({ attempts }) => attempts)).toEqual(
      claimed.map(() => 1)
    )
  }, 180_000)

  it("are not sent by a node that was suspended before sending, when the webhook was deleted meanwhile", async () => {
    await using receiver = await Receiver.open()
    await using nodes = await Nodes.open({ settings })
    const kill = { signal: "SIGSTOP", point: "DeliveryQueue.claim taken", when: "after", pass: 1 } as const
    const frozen = await nodes.start({ kill })
    const webhook = await Nodes.subscribe(frozen, receiver.url, "calendar.created")
    Nodes.expectOk(await Nodes.book(frozen, "first"))
    await Nodes.until(
      () => nodes.traced("SIGSTOP").length,
      (times) => times === 1
    )
    const frozenAt = performance.now()
    const other = await nodes.start()
    Nodes.expectOk(await other.ask("POST", `/api/v1/webhooks/${webhook}/delete`))
    // A node checks a claim that is older than a second before it sends the delivery.
    await Nodes.until(
      () => performance.now() - frozenAt,
      (age) => age > 1_500
    )
    frozen.thaw()
    frozen.stop()
    expect(await frozen.ended).toEqual({ code: 0, signal: null })
    expect(nodes.traced("claimed")).toHaveLength(1)
    expect([nodes.traced("send"), receiver.requests]).toEqual([[], []])
  }, 180_000)

  it("do not block other nodes when the node was suspended in a transaction", async () => {
    await using receiver = await Receiver.open()
    await using nodes = await Nodes.open({ settings })
    const kill = { signal: "SIGSTOP", point: "DeliveryQueue.record uncommitted", when: "after", pass: 1 } as const
    const frozen = await nodes.start({ kill })
    await Nodes.subscribe(frozen, receiver.url, "calendar.created")
    Nodes.expectOk(await Nodes.book(frozen, "first"))
    await Nodes.until(
      () => nodes.traced("SIGSTOP").length,
      (times) => times === 1
    )
    const other = await nodes.start()
    // The suspended node has locked the webhook until the database ends its transaction.
    await Nodes.until(
      () => Nodes.book(other, "second", {}, "second"),
      (answer) => answer?.status === 201
    )
    await Nodes.delivered(nodes, 2)
    const before = await read(nodes)
    frozen.thaw()
    frozen.stop()
    expect(await frozen.ended).toEqual({ code: 0, signal: null })
    expect(await read(nodes)).toEqual(before)
    expect(before.map(({ attempts }) => attempts)).toEqual([1, 1])
  }, 180_000)
})
