import { createServer, type RequestListener } from "node:http"
import { describe, expect, it, onTestFinished } from "vitest"
import * as OpenRequests from "frontdesk/OpenRequests"
import * as UnreadResponses from "frontdesk/UnreadResponses"
import { raw } from "../support/http.ts"

const size = 40_000_000

/** A server with large answers, and what has happened at it. */
interface Serving {
  readonly url: string
  /** The number of requests that the server has received. */
  readonly requests: () => number
  /** The number of connections that are closed on the side of the server. */
  readonly closedConnections: () => number
}

const large = Buffer.alloc(size, "a")

/** Starts a server with limits for unread answers. Its answers are larger than the buffers of the kernel. */
const openServer = async (
  limits: UnreadResponses.Limits,
  answer: RequestListener = (_request, response) => void response.end(large)
): Promise<Serving> => {
  let requests = 0
  let closedConnections = 0
  const server = createServer((request, response) => {
    requests += 1
    answer(request, response)
  })
  server.on("connection", (socket) => {
    socket.once("close", () => {
      closedConnections += 1
    })
  })
  UnreadResponses.limit(server, OpenRequests.watch(server), limits)
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    requests: () => requests,
    closedConnections: () => closedConnections
  }
}

const pollOptions = { interval: 5, timeout: 20_000 }

const request = "GET / HTTP/1.1\r\nHost: frontdesk\r\n\r\n"

describe("an answer that the client does not read in time", () => {
  it.each([
    ["a single answer", request],
    ["the first of three pipelined answers", request.repeat(3)]
  ])("is truncated by closing the connection: %s", async (_name, text) => {
    const server = await openServer({ maxMillis: 100 })
    const caller = await raw(server.url)
    caller.socket.on("error", () => {})
    caller.socket.pause()
    caller.socket.write(text)
    await expect.poll(server.closedConnections, pollOptions).toBe(1)
    // The client can still read the bytes that the kernel had accepted.
    caller.socket.resume()
    await caller.closed
    expect(caller.answer()).toMatch(/^HTTP\/1.1 200 OK/)
    expect(caller.answer().length).toBeLessThan(size)
  })

  it("is complete when the client reads it slowly but in time", async () => {
    const caller = await raw((await openServer({ maxMillis: 20_000 })).url)
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

describe("an answer that waits behind another one of its connection", () => {
  it("is not cut off while the other one is being made", async () => {
    const { url } = await openServer({ maxMillis: 300 }, ({ url }, response) => {
      if (url === "/") return void response.end("the second answer")
      const step = setInterval(() => {
        response.write("a part")
        if ((response.req.socket.bytesWritten ?? 0) < 500) return
        clearInterval(step)
        response.end()
      }, 50)
    })
    const caller = await raw(url)
    caller.socket.write(`GET /parts HTTP/1.1\r\nHost: frontdesk\r\n\r\n${request}`)
    await expect.poll(caller.answer, pollOptions).toMatch(/the second answer$/)
  })
})

/** Opens a connection, sends the requests, and reads nothing until the test resumes the socket. */
const connectWithoutReading = async (url: string, text = request) => {
  const caller = await raw(url)
  caller.socket.on("error", () => {})
  caller.socket.pause()
  caller.socket.write(text)
  return caller
}

describe("the maximum size of all unread answers together", () => {
  it("closes the connections with the oldest requests when it is exceeded", async () => {
    const server = await openServer({ maxBytes: 3.5 * size })
    const callers = []
    for (let count = 1; count <= 6; count++) {
      callers.push(await connectWithoutReading(server.url))
      // The next request must arrive after this one, so that the order of the requests is known.
      await expect.poll(server.requests, pollOptions).toBe(count)
    }
    await expect.poll(server.closedConnections, pollOptions).toBe(3)
    for (const caller of callers) caller.socket.resume()
    await Promise.all(callers.slice(0, 3).map(({ closed }) => closed))
    for (const caller of callers.slice(0, 3)) expect(caller.answer().length).toBeLessThan(size)
    for (const caller of callers.slice(3)) {
      await expect.poll(() => caller.answer().length, { timeout: 20_000 }).toBeGreaterThan(size)
    }
  })

  it("includes answers that wait behind another answer on their connection", async () => {
    const server = await openServer({ maxBytes: 2.5 * size })
    const first = await connectWithoutReading(server.url, request.repeat(4))
    await expect.poll(server.requests, pollOptions).toBe(4)
    const second = await connectWithoutReading(server.url)
    await expect.poll(server.closedConnections, pollOptions).toBe(1)
    first.socket.resume()
    second.socket.resume()
    await first.closed
    expect(first.answer().length).toBeLessThan(4 * size)
    await expect.poll(() => second.answer().length, { timeout: 20_000 }).toBeGreaterThan(size)
  })
})
