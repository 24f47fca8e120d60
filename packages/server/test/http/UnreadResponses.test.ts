import { createServer } from "node:http"
import { describe, expect, it, onTestFinished } from "vitest"
import * as UnreadResponses from "frontdesk/UnreadResponses"
import { raw } from "../support/http.ts"

const size = 40_000_000

/** A server whose answers are larger than the buffers of the kernel, and must be read within limits. */
const serving = async (limits: UnreadResponses.Limits): Promise<string> => {
  const body = Buffer.alloc(size, "a")
  const server = createServer((_request, response) => void response.end(body))
  UnreadResponses.limit(server, limits)
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
}

const request = "GET / HTTP/1.1\r\nHost: frontdesk\r\n\r\n"

describe("an answer that is not read in time", () => {
  it.each([
    ["alone", request],
    ["before others on its connection", request.repeat(3)]
  ])("%s is cut off with its connection", async (_name, text) => {
    const caller = await raw(await serving({ maxMillis: 100 }))
    caller.socket.on("error", () => {})
    caller.socket.pause()
    caller.socket.write(text)
    // The server has given up by then; what its kernel had taken can still be read.
    await new Promise((resolve) => setTimeout(resolve, 300))
    caller.socket.resume()
    await caller.closed
    expect(caller.answer()).toMatch(/^HTTP\/1.1 200 OK/)
    expect(caller.answer().length).toBeLessThan(size)
  })

  it("is left alone when the caller reads it in time, also slowly", async () => {
    const caller = await raw(await serving({ maxMillis: 20_000 }))
    caller.socket.pause()
    caller.socket.write(request)
    const step = setInterval(() => {
      caller.socket.resume()
      setImmediate(() => caller.socket.pause())
    }, 1)
    onTestFinished(() => clearInterval(step))
    await expect.poll(() => caller.answer().length, { timeout: 20_000 }).toBeGreaterThan(size)
  })
})

/** A connection that asks so often, and reads nothing before it is told to. */
const idle = async (address: string, text = request) => {
  const caller = await raw(address)
  caller.socket.on("error", () => {})
  caller.socket.pause()
  caller.socket.write(text)
  return caller
}

describe("unread answers of all connections together", () => {
  it("have so many bytes and no more: the connections that asked first are closed", async () => {
    const address = await serving({ maxBytes: 3.5 * size })
    const callers = []
    for (let count = 0; count < 6; count++) {
      callers.push(await idle(address))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    for (const caller of callers) caller.socket.resume()
    await Promise.all(callers.slice(0, 3).map(({ closed }) => closed))
    for (const caller of callers.slice(0, 3)) expect(caller.answer().length).toBeLessThan(size)
    for (const caller of callers.slice(3)) {
      await expect.poll(() => caller.answer().length, { timeout: 20_000 }).toBeGreaterThan(size)
    }
  })

  it("count those that wait behind another on their connection", async () => {
    const address = await serving({ maxBytes: 2.5 * size })
    const first = await idle(address, request.repeat(4))
    await new Promise((resolve) => setTimeout(resolve, 100))
    const second = await idle(address)
    first.socket.resume()
    second.socket.resume()
    await first.closed
    expect(first.answer().length).toBeLessThan(4 * size)
    await expect.poll(() => second.answer().length, { timeout: 20_000 }).toBeGreaterThan(size)
  })
})
