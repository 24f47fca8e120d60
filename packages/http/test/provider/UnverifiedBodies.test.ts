import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as RateLimiter from "@frontdesk/core/access/RateLimiter"
import type { Callback } from "@frontdesk/core/call/CallProvider"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import * as Callbacks from "@frontdesk/http/provider/Callbacks"
import { FakeCallProvider } from "@frontdesk/testing/fake/FakeCallProvider"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as http from "node:http"
import * as net from "node:net"
import { describe, expect, it } from "vitest"
import { services } from "../testApi.ts"

/** The maximum size in bytes of a callback of the fake provider. */
const maxCallbackBytes = 10_000

type Limits = Omit<Callbacks.CallbackOptions, "publicUrl">

/**
 * Opens a server with limits. `ingested` has the callbacks that the adapter received, and `logged` the identifiers of the log lines.
 */
const open = async (limits: Limits, mayBeAuthentic?: () => boolean) => {
  const logged: Array<LogCapture.LogLine["event"]> = []
  const publicUrl = new URL("https://api.example.com")
  const runtime = ManagedRuntime.make(
    Layer.unwrap(
      Effect.map(Callbacks.routes({ publicUrl, ...limits }), (extra) => FrontdeskHttp.layerServe({ extra }))
    ).pipe(
      Layer.provide(LogCapture.layer(({ event }) => void logged.push(event), "Info")),
      Layer.provideMerge(NodeHttpServer.layer(() => http.createServer(), { port: 0, host: "127.0.0.1" })),
      Layer.provideMerge(services(RateLimiter.RateLimiter.layerUnlimited))
    )
  )
  const ingested: Array<Callback> = []
  const port = await runtime.runPromise(
    Effect.gen(function* () {
      yield* (yield* FakeCallProvider).ingestWith((callback) => {
        ingested.push(callback)
        return { _tag: "Reported", reports: [] }
      }, mayBeAuthentic)
      return Number(new URL(HttpServer.formatAddress((yield* HttpServer.HttpServer).address)).port)
    })
  )
  return { ingested, logged, port, [Symbol.asyncDispose]: () => runtime.dispose() }
}

/** Begins a callback of the maximum size, and sends only some bytes of its body. `more` sends further bytes. */
const begin = (port: number, bytes: number, head = `Content-Length: ${maxCallbackBytes}`) => {
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

describe("callbacks whose signature is not verified yet, over sockets", () => {
  it("are answered with 403 without reading their body when the headers cannot be the provider's", async () => {
    await using server = await open({}, () => false)
    for (let times = 0; times < 2; times++) {
      using request = begin(server.port, 0)
      const answer = await request.answer
      expect(statusOf(answer)).toBe(403)
      expect(answer).toContain("invalid_signature")
    }
    expect(server.ingested).toEqual([])
    // The second warning follows the first within a minute, so it is not logged.
    expect(server.logged).toEqual(["callback.signature_refused"])
  })

  it("are answered with 503 when their bodies together exceed the limit, and the others are received", async () => {
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
      expect(server.ingested).toHaveLength(times + 1)
    }
    expect(server.logged).toHaveLength(1)
  })

  it("no longer count when the connection has failed", async () => {
    await using server = await open({ maxUnverifiedBytes: 15_000 })
    for (let times = 0; times < 3; times++) {
      using broken = begin(server.port, 9_000)
      await broken.isSent
    }
    const whole = async () => {
      using request = begin(server.port, maxCallbackBytes)
      return statusOf(await request.answer)
    }
    await expect.poll(whole, { timeout: 10_000 }).toBe(200)
  })

  it("no longer count when their body is too large", async () => {
    await using server = await open({ maxUnverifiedBytes: 15_000 })
    for (let times = 0; times < 3; times++) {
      using request = begin(server.port, 0, "Transfer-Encoding: chunked")
      request.more(`2af9\r\n${"x".repeat(11_001)}\r\n`)
      expect(statusOf(await request.answer)).toBe(413)
    }
    using request = begin(server.port, maxCallbackBytes)
    expect(statusOf(await request.answer)).toBe(200)
  })

  it("do not count before their body arrives, so that silent connections do not use up the limit", async () => {
    await using server = await open({ maxUnverifiedBytes: maxCallbackBytes })
    const silent = Array.from({ length: 50 }, () => begin(server.port, 0))
    using request = begin(server.port, maxCallbackBytes)
    expect(statusOf(await request.answer)).toBe(200)
    for (const each of silent) each[Symbol.dispose]()
  })

  it("are answered with 503 when their body does not arrive within the timeout", async () => {
    await using server = await open({ bodyTimeout: "10 millis" })
    using slow = begin(server.port, 9_000)
    const answer = await slow.answer
    expect(statusOf(answer)).toBe(503)
    expect(answer).toMatch(/\r\nretry-after: 1\r\n/i)
    expect(server.logged).toEqual(["callback.body_timed_out"])
    expect(server.ingested).toEqual([])
  })

  it("are read completely when each chunk has one byte", async () => {
    await using server = await open({})
    const body = Array.from({ length: 3_000 }, (_, index) => String.fromCharCode(97 + (index % 26))).join("")
    using request = begin(server.port, 0, "Transfer-Encoding: chunked")
    request.more(body.replace(/./g, "1\r\n$&\r\n") + "0\r\n\r\n")
    expect(statusOf(await request.answer)).toBe(200)
    expect(new TextDecoder().decode(server.ingested[0]?.body)).toBe(body)
  })
})
