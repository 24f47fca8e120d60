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

it("the receiver handles a signed delivery", async () => {
  const { send, handled } = await start()
  expect(await send({ id: "d1", body: '{"event_type":"call.ended"}' })).toBe(200)
  expect(handled).toEqual([{ id: "d1", event: "call.ended", payload: { event_type: "call.ended" } }])
})

it("the receiver handles a delivery once and answers 200 to repeats", async () => {
  const { send, handled } = await start()
  expect(await send({ id: "d1" })).toBe(200)
  expect(await send({ id: "d1" })).toBe(200)
  expect(await send({ id: "d2" })).toBe(200)
  expect(handled.map(({ id }) => id)).toEqual(["d1", "d2"])
})

it("the receiver answers 409 to a repeat while it handles the delivery, and handles it once", async () => {
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const { send, handled } = await start(() => {
    entered.resolve()
    return gate.promise
  })
  const first = send({ id: "d1" })
  await entered.promise
  expect(await send({ id: "d1" })).toBe(409)
  gate.resolve()
  expect(await first).toBe(200)
  expect(await send({ id: "d1" })).toBe(200)
  expect(handled).toHaveLength(1)
})

it("the receiver answers 500 when handling fails, and handles the repeat", async () => {
  let fails = true
  const { send, handled } = await start(async () => {
    if (fails) throw new Error("the database is down")
  })
  expect(await send({ id: "d1" })).toBe(500)
  fails = false
  expect(await send({ id: "d1" })).toBe(200)
  expect(handled).toHaveLength(1)
})

it("the receiver refuses a wrong signature and a timestamp that is too old or too new", async () => {
  const { send, handled } = await start()
  expect(await send({ id: "d1", body: "{}", signed: '{"a":1}' })).toBe(401)
  expect(await send({ id: "d1", timestamp: now - 301 })).toBe(401)
  expect(await send({ id: "d1", timestamp: now + 301 })).toBe(401)
  expect(console.error).toHaveBeenLastCalledWith("refused:", "too-early")
  expect(handled).toEqual([])
})

it("the receiver refuses a body that is too large, and a method other than POST", async () => {
  const { send, handled, url } = await start()
  const text = (length: number) => JSON.stringify("a".repeat(length - 2))
  expect(await send({ id: "d1", body: text(1_048_577) })).toBe(413)
  expect(handled).toEqual([])
  expect(await send({ id: "d1", body: text(1_048_576) })).toBe(200)
  expect((await fetch(url)).status).toBe(405)
})

it("the program prints each delivery once", async () => {
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
  [2, "WEBHOOK_SECRET is invalid", "abc", "0"],
  [2, "PORT is invalid", secret, "http"],
  [1, "The receiver cannot listen: ", secret, "used"]
])(
  "the program ends with status %i and prints one line that begins: %s",
  async (code, message, WEBHOOK_SECRET, port) => {
    const other = createServer().listen(0, "127.0.0.1")
    servers.push(other)
    await once(other, "listening")
    const address = other.address()
    const usedPort = String(typeof address === "object" ? address?.port : "")
    const program = spawn(process.execPath, [new URL("../src/main.ts", import.meta.url).pathname], {
      env: { ...process.env, WEBHOOK_SECRET, PORT: port === "used" ? usedPort : port },
      stdio: ["ignore", "ignore", "pipe"]
    })
    const [printed, end] = await Promise.all([text(program.stderr), once(program, "exit")])
    expect(end).toEqual([code, null])
    expect(printed).toMatch(new RegExp(`^${message}.*\n$`))
  }
)

interface Sent {
  readonly id: string
  readonly body?: string
  /** The body that is signed. Default: the body that is sent. */
  readonly signed?: string
  readonly timestamp?: number
}

const post = async (url: string, { id, body = "{}", signed = body, timestamp = now }: Sent): Promise<number> => {
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${signed}`).digest("base64")
  const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` }
  return (await fetch(url, { method: "POST", body, headers })).status
}

const start = async (before: () => Promise<void> = async () => undefined) => {
  const handled: Array<Delivery> = []
  const server = makeServer({ secrets: [secret], now: () => now * 1_000 }, async (delivery) => {
    await before()
    handled.push(delivery)
  })
  servers.push(server)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}/`
  return { send: (sent: Sent) => post(url, sent), handled, url }
}
