import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as http from "node:http"
import * as net from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accountWithKey, services } from "../world.ts"

const key = "fd_test_arriving_0123456789abcdefghijklmnopqr"

const server = FrontdeskHttp.layerServe({ maxArrivingBytes: 150_000 }).pipe(
  Layer.provideMerge(NodeHttpServer.layer(() => http.createServer(), { port: 0, host: "127.0.0.1" })),
  Layer.provideMerge(services())
)

describe("Bodies that arrive slowly, over sockets", () => {
  const runtime = ManagedRuntime.make(server)
  let port = 0
  beforeAll(async () => {
    port = await runtime.runPromise(
      Effect.gen(function* () {
        yield* accountWithKey(key)
        return Number(new URL(HttpServer.formatAddress((yield* HttpServer.HttpServer).address)).port)
      })
    )
  })
  afterAll(() => runtime.dispose())

  /** A request whose body has so many bytes, of which the last is sent when it is told to. */
  const begin = async (bytes: number, isChunked = false) => {
    const socket = net.connect(port, "127.0.0.1")
    const body = `{"first_name":"Al"${" ".repeat(bytes - 19)}}`
    const [head, start, end] = isChunked
      ? ["Transfer-Encoding: chunked", `${(bytes - 1).toString(16)}\r\n${body.slice(0, -1)}\r\n`, "1\r\n}\r\n0\r\n\r\n"]
      : [`Content-Length: ${bytes}`, body.slice(0, -1), "}"]
    const answer = new Promise<string>((resolve) => {
      let received = ""
      socket.on("data", (chunk) => {
        received += String(chunk)
        if (received.includes("\r\n\r\n")) resolve(received)
      })
      socket.on("error", () => socket.destroy())
      socket.on("close", () => resolve(received))
    })
    const headers = `Host: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${head}`
    await new Promise((resolve) =>
      socket.write(`POST /api/v1/contacts/create HTTP/1.1\r\n${headers}\r\n\r\n${start}`, resolve)
    )
    // All that was sent has arrived.
    await new Promise((resolve) => setTimeout(resolve, 100))
    return {
      status: Effect.promise(() => answer).pipe(Effect.map((text) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]))),
      answer,
      finish: () => void socket.write(end),
      [Symbol.dispose]: () => void socket.destroy()
    }
  }

  it("hold so many bytes together: beyond, the oldest large one is 503, and small ones are taken", async () => {
    using small = await begin(1_000)
    using chunked = await begin(1_000, true)
    using oldest = await begin(90_000)
    using newest = await begin(90_000)
    const refused = await oldest.answer
    expect(refused).toMatch(/^HTTP\/1\.1 503 /)
    expect(refused).toMatch(/\r\nretry-after: \d+\r\n/i)
    expect(refused).toContain("service_unavailable")
    for (const request of [small, chunked, newest]) {
      request.finish()
      expect(await Effect.runPromise(request.status)).toBe(201)
    }
  })

  it("count until the connection breaks off", async () => {
    for (let times = 0; times < 3; times++) {
      using broken = await begin(90_000)
      expect(broken).toBeDefined()
    }
    using request = await begin(140_000)
    request.finish()
    expect(await Effect.runPromise(request.status)).toBe(201)
  })
})
