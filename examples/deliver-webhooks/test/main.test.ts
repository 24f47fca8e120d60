import { type ChildProcess, spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { afterEach, expect, it } from "vitest"

const secret = "whsec_c2VjcmV0"
const folder = mkdtempSync(join(tmpdir(), "shop-"))
const children = new Set<ChildProcess>()
let server: Server | undefined

afterEach(() => {
  for (const child of children) child.kill("SIGKILL")
  server?.closeAllConnections()
  server?.close()
  rmSync(folder, { recursive: true, force: true })
})

const start = (url: string, ...args: ReadonlyArray<string>): ChildProcess => {
  const child = spawn(process.execPath, [new URL("../src/main.ts", import.meta.url).pathname, ...args], {
    env: { ...process.env, SHOP_DATABASE: join(folder, "shop.db"), WEBHOOK_URL: url, WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "pipe"]
  })
  children.add(child)
  return child
}

interface Arrival {
  readonly id: string
  readonly event: string
  readonly isSigned: boolean
  readonly body: string
}

it("every order arrives although the worker is killed while one of them is in flight", async () => {
  const arrived: Array<Arrival> = []
  const all = Promise.withResolvers<void>()
  const workers: Array<ChildProcess> = []

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const { "x-shop-delivery-id": id, "x-shop-event": event, "x-shop-signature": signature } = request.headers
    const isSigned = signature === createHmac("sha256", secret).update(body).digest("hex")
    arrived.push({ id: String(id), event: String(event), isSigned, body: body.toString() })
    // The first worker is killed before it receives its first answer.
    if (arrived.length === 1) workers[0]?.kill("SIGKILL")
    else response.end()
    // The first arrival got no answer, so its delivery must arrive again.
    if (arrived.length > 3 && new Set(arrived.slice(1).map((arrival) => arrival.id)).size === 3) all.resolve()
  }
  server = createServer((request, response) => void receive(request, response)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`

  expect(await once(start(url, "order", "3"), "exit")).toEqual([0, null])
  const first = start(url, "deliver")
  workers.push(first)
  expect(await once(first, "exit")).toEqual([null, "SIGKILL"])
  const second = start(url, "deliver")
  const logged = Promise.withResolvers<void>()
  let printed = ""
  second.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    printed += chunk
    if (printed.match(/webhook attempt.*outcome=delivered.*\n/g)?.length === 3) logged.resolve()
  })
  await all.promise

  const orders = [1, 2, 3].map((order) => JSON.stringify({ order, article: "a chair" }))
  expect([...new Set(arrived.map(({ body }) => body))].toSorted()).toEqual(orders)
  expect(arrived.every(({ event, isSigned }) => event === "order.placed" && isSigned)).toBe(true)
  // A repeated delivery has the same id.
  expect(new Set(arrived.map(({ id, body }) => `${id} ${body}`)).size).toBe(3)
  expect(arrived.filter(({ id }) => id === arrived[0]?.id)).toHaveLength(2)
  // The log has a line for each attempt.
  await logged.promise
})

const anyUrl = "http://127.0.0.1:9/"

it.each([
  ["Expected a command", anyUrl, []],
  ["COUNT, the number of orders, must be", anyUrl, ["order", "abc"]],
  ["COUNT, the number of orders, must be", anyUrl, ["order", "-1"]],
  ["Set WEBHOOK_URL", "", ["deliver"]],
  ["WEBHOOK_URL cannot be used", "http://jo:secret@127.0.0.1/", ["deliver"]]
])(
  'the program ends with status 2 and a message that begins "%s", for the URL %j and the arguments %j',
  async (expected, url, args) => {
    const child = start(url, ...args)
    let message = ""
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      message += chunk
    })
    expect(await once(child, "close")).toEqual([2, null])
    expect(message).toMatch(new RegExp(`^${expected}.*\n$`))
  }
)
