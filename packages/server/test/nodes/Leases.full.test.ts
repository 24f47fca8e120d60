import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import * as Nodes from "./Nodes.ts"

/** A lease is as short as the timeout allows, and that long enough to strike a node before it gives up. */
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

/** A receiver that never answers the first request of a delivery, and the others at once. */
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

/** Three nodes that hold leases on six deliveries; one of them, and what it holds. */
const holding = async (nodes: Nodes.Nodes, receiver: Receiver.Receiver) => {
  const all = await Promise.all(Nodes.range(3).map(() => nodes.start()))
  const [first] = all
  if (first === undefined) throw new Error("There is no node")
  await Nodes.subscribe(first, receiver.url, "calendar.created")
  await Promise.all(Nodes.range(6).map((index) => Nodes.book(first, `event ${index}`)))
  await receiver.received(6)
  const [send] = nodes.deeds("send")
  const node = all.find(({ pid }) => pid === send?.pid)
  if (node === undefined) throw new Error("Nobody has sent anything")
  const own = nodes.deeds("send").filter(({ pid }) => pid === node.pid)
  return { node, others: all.filter((one) => one !== node), own: new Set(own.map(({ of }) => of)) }
}

/** Holds what a node held when it was struck against what came of it. */
const takenOver = async (
  nodes: Nodes.Nodes,
  receiver: Receiver.Receiver,
  held: ReadonlyArray<typeof Delivery.Type>
) => {
  await Nodes.delivered(nodes, 6)
  for (const { delivery_id, due_at } of held) {
    const [, again, ...more] = receiver.requests.filter((request) => idOf(request) === delivery_id)
    expect(more).toEqual([])
    const dueAt = due_at ?? Number.POSITIVE_INFINITY
    expect(again?.at).toBeGreaterThanOrEqual(dueAt - nodes.database.clockError)
  }
  const ids = new Set(held.map(({ delivery_id }) => delivery_id))
  return (await read(nodes)).filter(({ delivery_id }) => ids.has(delivery_id))
}

describe.concurrent("what a node holds", () => {
  it("is taken over by the others when its leases have ended after it was killed, and not before", async () => {
    await using receiver = await openReceiver()
    await using nodes = await Nodes.open({ settings })
    const { node, own } = await holding(nodes, receiver)
    node.kill()
    await node.ended
    const held = (await read(nodes)).filter(({ delivery_id }) => own.has(delivery_id))
    expect(held.map(({ state }) => state)).toEqual(held.map(() => "leased"))
    for (const { attempts } of await takenOver(nodes, receiver, held)) expect(attempts).toBe(1)
  }, 180_000)

  it("is not changed any more by a node that was frozen past its leases", async () => {
    await using receiver = await openReceiver()
    await using nodes = await Nodes.open({ settings })
    const { node, own } = await holding(nodes, receiver)
    node.freeze()
    const held = (await read(nodes)).filter(({ delivery_id }) => own.has(delivery_id))
    expect(held.map(({ state }) => state)).toEqual(held.map(() => "leased"))
    await takenOver(nodes, receiver, held)
    const before = await read(nodes)
    node.thaw()
    // What it still has to record it records before it ends.
    node.stop()
    expect(await node.ended).toEqual({ code: 0, signal: null })
    expect(await read(nodes)).toEqual(before)
    expect(before.filter(({ delivery_id }) => own.has(delivery_id)).map(({ attempts }) => attempts)).toEqual(
      held.map(() => 1)
    )
  }, 180_000)

  it("is not sent any more by a node that was frozen before it sent it, when the webhook was deleted meanwhile", async () => {
    await using receiver = await Receiver.open()
    await using nodes = await Nodes.open({ settings })
    const kill = { signal: "SIGSTOP", point: "DeliveryQueue.claim taken", when: "after", pass: 1 } as const
    const frozen = await nodes.start({ kill })
    const webhook = await Nodes.subscribe(frozen, receiver.url, "calendar.created")
    Nodes.good(await Nodes.book(frozen, "first"))
    await Nodes.until(
      () => nodes.deeds("SIGSTOP").length,
      (times) => times === 1
    )
    const frozenAt = performance.now()
    const other = await nodes.start()
    Nodes.good(await other.ask("POST", `/api/v1/webhooks/${webhook}/delete`))
    // A claim that is older than a second is checked before it is sent.
    await Nodes.until(
      () => performance.now() - frozenAt,
      (age) => age > 1_500
    )
    frozen.thaw()
    frozen.stop()
    expect(await frozen.ended).toEqual({ code: 0, signal: null })
    expect(nodes.deeds("claimed")).toHaveLength(1)
    expect([nodes.deeds("send"), receiver.requests]).toEqual([[], []])
  }, 180_000)

  it("does not keep the others waiting when it was frozen in a transaction", async () => {
    await using receiver = await Receiver.open()
    await using nodes = await Nodes.open({ settings })
    const kill = { signal: "SIGSTOP", point: "DeliveryQueue.record uncommitted", when: "after", pass: 1 } as const
    const frozen = await nodes.start({ kill })
    await Nodes.subscribe(frozen, receiver.url, "calendar.created")
    Nodes.good(await Nodes.book(frozen, "first"))
    await Nodes.until(
      () => nodes.deeds("SIGSTOP").length,
      (times) => times === 1
    )
    const other = await nodes.start()
    // The frozen one holds the webhook until the database ends its transaction.
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
