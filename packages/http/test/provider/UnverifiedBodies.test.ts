import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as RateLimiter from "@frontdesk/core/access/RateLimiter"
import type { Callback } from "@frontdesk/core/call/CallProvider"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import * as Callbacks from "@frontdesk/http/provider/Callbacks"
import { FakeCallProvider } from "@frontdesk/testing/fake/FakeCallProvider"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as http from "node:http"
import * as net from "node:net"
import { describe, expect, it } from "vitest"
import { services } from "../world.ts"

/** The most bytes of a callback that the fake takes. */
const most = 10_000

type Limits = Omit<Callbacks.CallbackOptions, "publicUrl">

/** A server with limits, the callbacks that its adapter saw, and what it logged. */
const open = async (limits: Limits, mayBeAuthentic?: () => boolean) => {
  const logged: Array<string> = []
  const publicUrl = new URL("https://api.example.com")
  const runtime = ManagedRuntime.make(
    Layer.unwrap(
      Effect.map(Callbacks.routes({ publicUrl, ...limits }), (extra) => FrontdeskHttp.layerServe({ extra }))
    ).pipe(
      Layer.provide(Logger.layer([Logger.map(Logger.formatJson, (line) => void logged.push(line))])),
      Layer.provideMerge(NodeHttpServer.layer(() => http.createServer(), { port: 0, host: "127.0.0.1" })),
      Layer.provideMerge(services(RateLimiter.RateLimiter.layerUnlimited))
    )
  )
  const came: Array<Callback> = []
  const port = await runtime.runPromise(
    Effect.gen(function* () {
      yield* (yield* FakeCallProvider).ingestWith((callback) => {
        came.push(callback)
        return { _tag: "Reported", reports: [] }
      }, mayBeAuthentic)
      return Number(new URL(HttpServer.formatAddress((yield* HttpServer.HttpServer).address)).port)
    })
  )
  return { came, logged, port, [Symbol.asyncDispose]: () => runtime.dispose() }
}

/** A request that says it has a body of the most bytes, of which some are sent at once. */
const begin = (port: number, bytes: number, head = `Content-Length: ${most}`) => {
  const socket = net.connect(port, "127.0.0.1")
  const text = `POST /providers/fake/status HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${"x".repeat(bytes)}`
  const isSent = new Promise((resolve) => socket.write(text, resolve))
  const answer = new Promise<string>((resolve) => {
    let received = ""
    socket.on("data", (chunk) => {
      received += String(chunk)
      if (received.includes("\r\n\r\n")) resolve(received)
    })
    socket.on("error", () => socket.destroy())
    socket.on("close", () => resolve(received))
  })
  return {
    answer,
    isSent,
    more: (text: string) => void socket.write(text),
    [Symbol.dispose]: () => void socket.destroy()
  }
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])

describe("bodies of callbacks, over sockets", () => {
  it("are not read when the headers show that they are not the provider's", async () => {
    await using server = await open({}, () => false)
    for (let times = 0; times < 2; times++) {
      using request = begin(server.port, 0)
      const answer = await request.answer
      expect(statusOf(answer)).toBe(403)
      expect(answer).toContain("invalid_signature")
    }
    expect(server.came).toEqual([])
    expect(server.logged).toHaveLength(1)
    expect(server.logged[0]).toContain("does not bear the provider's signature")
  })

  it("hold so many bytes together and no more: one beyond is 503, and the others are taken", async () => {
    await using server = await open({ maxUnverifiedBytes: 15_000 })
    for (let times = 0; times < 3; times++) {
      const requests = [begin(server.port, 9_000), begin(server.port, 9_000)] as const
      using _first = requests[0]
      using _second = requests[1]
      const [refused, other] = await Promise.race([
        requests[0].answer.then((answer) => [answer, requests[1]] as const),
        requests[1].answer.then((answer) => [answer, requests[0]] as const)
      ])
      expect(statusOf(refused)).toBe(503)
      expect(refused).toMatch(/\r\nretry-after: 1\r\n/i)
      expect(refused).toContain("service_unavailable")
      other.more("x".repeat(1_000))
      expect(statusOf(await other.answer)).toBe(200)
      expect(server.came).toHaveLength(times + 1)
    }
    expect(server.logged).toHaveLength(1)
  })

  it("give way to newer ones: one that is kept back keeps none from being taken that comes at once", async () => {
    await using server = await open({ maxUnverifiedBytes: 20_000 })
    for (let times = 0; times < 3; times++) {
      using first = begin(server.port, most - 1)
      await first.isSent
      using second = begin(server.port, most - 1)
      await second.isSent
      using third = begin(server.port, most)
      expect(statusOf(await third.answer)).toBe(200)
      const answer = await Promise.race([first.answer, second.answer])
      expect(statusOf(answer)).toBe(503)
    }
  })

  it("count until the connection breaks off", async () => {
    await using server = await open({ maxUnverifiedBytes: 15_000 })
    for (let times = 0; times < 3; times++) {
      using broken = begin(server.port, 9_000)
      await broken.isSent
    }
    const whole = async () => {
      using request = begin(server.port, most)
      return statusOf(await request.answer)
    }
    await expect.poll(whole, { timeout: 10_000 }).toBe(200)
  })

  it("are given back when they are refused as too large", async () => {
    await using server = await open({ maxUnverifiedBytes: 15_000 })
    for (let times = 0; times < 3; times++) {
      using request = begin(server.port, 0, "Transfer-Encoding: chunked")
      request.more(`2af9\r\n${"x".repeat(11_001)}\r\n`)
      expect(statusOf(await request.answer)).toBe(413)
    }
    using request = begin(server.port, most)
    expect(statusOf(await request.answer)).toBe(200)
  })

  it("count for nothing until they come: connections that send none are in nobody's way", async () => {
    await using server = await open({ maxUnverifiedBytes: most })
    const silent = Array.from({ length: 50 }, () => begin(server.port, 0))
    using request = begin(server.port, most)
    expect(statusOf(await request.answer)).toBe(200)
    for (const each of silent) each[Symbol.dispose]()
  })

  it("that do not come in time are 503, and hold nothing any more", async () => {
    await using server = await open({ maxUnverifiedBytes: 15_000, bodyPatience: "100 millis" })
    using slow = begin(server.port, 9_000)
    const answer = await slow.answer
    expect(statusOf(answer)).toBe(503)
    expect(answer).toMatch(/\r\nretry-after: 1\r\n/i)
    expect(server.logged.join()).toContain("did not come in time")
    using request = begin(server.port, most)
    expect(statusOf(await request.answer)).toBe(200)
    expect(server.came.map(({ body }) => body.length)).toEqual([most])
  })

  it("are read whole however small their chunks are", async () => {
    await using server = await open({})
    const body = Array.from({ length: 3_000 }, (_, index) => String.fromCharCode(97 + (index % 26))).join("")
    using request = begin(server.port, 0, "Transfer-Encoding: chunked")
    request.more(body.replace(/./g, "1\r\n$&\r\n") + "0\r\n\r\n")
    expect(statusOf(await request.answer)).toBe(200)
    expect(new TextDecoder().decode(server.came[0]?.body)).toBe(body)
  })
})
