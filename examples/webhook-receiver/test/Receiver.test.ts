import { spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { makeServer } from "../src/Receiver.ts"
import type { Delivery } from "../src/Receiver.ts"

const key = Buffer.from("a secret of the tests")
const secret = `whsec_${key.toString("base64")}`
const now = 1_772_974_800
const servers: Array<Server> = []

beforeEach(() => {
  vi.spyOn(console, "error").mockReturnValue()
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  vi.restoreAllMocks()
})

it("takes a signed delivery", async () => {
  const { send, taken } = await start()
  expect(await send({ id: "d1", body: '{"event_type":"call.ended"}' })).toBe(200)
  expect(taken).toEqual([{ id: "d1", event: "call.ended", payload: { event_type: "call.ended" } }])
})

it("takes a delivery once, however often it comes", async () => {
  const { send, taken } = await start()
  expect(await send({ id: "d1" })).toBe(200)
  expect(await send({ id: "d1" })).toBe(200)
  expect(await send({ id: "d2" })).toBe(200)
  expect(taken.map(({ id }) => id)).toEqual(["d1", "d2"])
})

it("answers a delivery that is still being taken so that it comes again, and takes it once", async () => {
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const { send, taken } = await start(() => {
    entered.resolve()
    return gate.promise
  })
  const first = send({ id: "d1" })
  await entered.promise
  expect(await send({ id: "d1" })).toBe(409)
  gate.resolve()
  expect(await first).toBe(200)
  expect(await send({ id: "d1" })).toBe(200)
  expect(taken).toHaveLength(1)
})

it("hears of a delivery again when taking it failed", async () => {
  let fails = true
  const { send, taken } = await start(async () => {
    if (fails) throw new Error("the database is down")
  })
  expect(await send({ id: "d1" })).toBe(500)
  fails = false
  expect(await send({ id: "d1" })).toBe(200)
  expect(taken).toHaveLength(1)
})

it("refuses what is not genuine, or not of now", async () => {
  const { send, taken } = await start()
  expect(await send({ id: "d1", body: "{}", signed: '{"a":1}' })).toBe(401)
  expect(await send({ id: "d1", timestamp: now - 301 })).toBe(401)
  expect(await send({ id: "d1", timestamp: now + 301 })).toBe(401)
  expect(console.error).toHaveBeenLastCalledWith("refused:", "too-early")
  expect(taken).toEqual([])
})

it("refuses a body that is too long, and another method", async () => {
  const { send, taken, url } = await start()
  const text = (length: number) => JSON.stringify("a".repeat(length - 2))
  expect(await send({ id: "d1", body: text(1_048_577) })).toBe(413)
  expect(taken).toEqual([])
  expect(await send({ id: "d1", body: text(1_048_576) })).toBe(200)
  expect((await fetch(url)).status).toBe(405)
})

it("prints each delivery once when it is run", async () => {
  const program = spawn(process.execPath, [new URL("../src/main.ts", import.meta.url).pathname], {
    env: { ...process.env, PORT: "0", WEBHOOK_SECRET: `${secret} whsec_b2xk` },
    stdio: ["ignore", "pipe", "inherit"]
  })
  try {
    const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]()
    const line = async () => String((await lines.next()).value)
    const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(await line())?.[1] ?? ""
    const timestamp = Math.floor(Date.now() / 1_000)
    for (const id of ["d1", "d1", "d2"]) {
      expect(await post(url, { id, body: '{"event_type":"call.ended"}', timestamp })).toBe(200)
    }
    expect(await line()).toBe('call.ended d1 {"event_type":"call.ended"}')
    expect(await line()).toBe('call.ended d2 {"event_type":"call.ended"}')
    expect(await post(url, { id: "d3", body: '{"order":1}', timestamp })).toBe(200)
    expect(await line()).toBe('d3 {"order":1}')
  } finally {
    program.kill()
  }
})

it.each([
  [2, "WEBHOOK_SECRET is no secret of a webhook", "abc", "0"],
  [2, "PORT is no port", secret, "http"],
  [1, "The receiver cannot listen: ", secret, "taken"]
])("ends with %i and says in one line: %s", async (code, message, WEBHOOK_SECRET, port) => {
  const other = createServer().listen(0, "127.0.0.1")
  servers.push(other)
  await once(other, "listening")
  const address = other.address()
  const taken = String(typeof address === "object" ? address?.port : "")
  const program = spawn(process.execPath, [new URL("../src/main.ts", import.meta.url).pathname], {
    env: { ...process.env, WEBHOOK_SECRET, PORT: port === "taken" ? taken : port },
    stdio: ["ignore", "ignore", "pipe"]
  })
  const [said, end] = await Promise.all([text(program.stderr), once(program, "exit")])
  expect(end).toEqual([code, null])
  expect(said).toMatch(new RegExp(`^${message}.*\n$`))
})

interface Sent {
  readonly id: string
  readonly body?: string
  /** The body that is signed; the one that is sent unless said. */
  readonly signed?: string
  readonly timestamp?: number
}

const post = async (url: string, { id, body = "{}", signed = body, timestamp = now }: Sent): Promise<number> => {
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${signed}`).digest("base64")
  const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` }
  return (await fetch(url, { method: "POST", body, headers })).status
}

const start = async (before: () => Promise<void> = async () => undefined) => {
  const taken: Array<Delivery> = []
  const server = makeServer({ secrets: [secret], now: () => now * 1_000 }, async (delivery) => {
    await before()
    taken.push(delivery)
  })
  servers.push(server)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}/`
  return { send: (sent: Sent) => post(url, sent), taken, url }
}
