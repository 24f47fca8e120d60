import { createHmac } from "node:crypto"
import { once } from "node:events"
import type { Server } from "node:http"
import * as Redacted from "effect/Redacted"
import { afterEach, expect, it } from "vitest"
import { makeReceiver } from "../src/Receiver.ts"
import type { Delivery } from "../src/Receiver.ts"

const secret = "whsec_dGVzdA=="
const servers: Array<Server> = []

afterEach(() => servers.splice(0).forEach((server) => server.close()))

it("takes a signed delivery", async () => {
  const { send, taken } = await start()
  expect(await send({ id: "d1", body: '{"event_type":"call.ended"}' })).toBe(200)
  expect(taken).toEqual([{ id: "d1", event: "call.ended", body: { event_type: "call.ended" } }])
})

it("takes a delivery once, however often it comes", async () => {
  const { send, taken } = await start()
  expect(await send({ id: "d1", body: "{}" })).toBe(200)
  expect(await send({ id: "d1", body: "{}" })).toBe(200)
  expect(await send({ id: "d2", body: "{}" })).toBe(200)
  expect(taken.map(({ id }) => id)).toEqual(["d1", "d2"])
})

it("refuses a body that is not the one that was signed", async () => {
  const { send, taken } = await start()
  expect(await send({ id: "d1", body: "{}", signed: '{"a":1}' })).toBe(401)
  expect(taken).toEqual([])
})

it("hears of a delivery again when taking it failed", async () => {
  let fails = true
  const { send, taken } = await start(async () => {
    if (fails) throw new Error("the database is down")
  })
  expect(await send({ id: "d1", body: "{}" })).toBe(500)
  fails = false
  expect(await send({ id: "d1", body: "{}" })).toBe(200)
  expect(taken).toHaveLength(1)
})

const start = async (before: () => Promise<void> = async () => undefined) => {
  const taken: Array<Delivery> = []
  const server = makeReceiver(Redacted.make(secret), async (delivery) => {
    await before()
    taken.push(delivery)
  })
  servers.push(server)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const send = async (delivery: { readonly id: string; readonly body: string; readonly signed?: string }) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      body: delivery.body,
      headers: {
        "X-Service-Event": "call.ended",
        "X-Service-Delivery-ID": delivery.id,
        "X-Service-Signature": createHmac("sha256", secret)
          .update(delivery.signed ?? delivery.body)
          .digest("hex")
      }
    })
    return response.status
  }
  return { send, taken }
}
