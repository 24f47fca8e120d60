import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import * as ApiRequest from "@frontdesk/http/request/ApiRequest"
import * as BodyMemory from "@frontdesk/http/request/BodyMemory"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as TestClock from "effect/testing/TestClock"
import * as http from "node:http"
import * as net from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accountWithKey, services } from "../testApi.ts"

/** A request whose body arrives in the chunks that a test sends. */
const makeUpload = () => {
  let wanted = Promise.withResolvers<void>()
  let chunk = Promise.withResolvers<number | null>()
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        wanted.resolve()
        const size = await chunk.promise
        chunk = Promise.withResolvers()
        if (size === null) controller.close()
        else controller.enqueue(new Uint8Array(size))
      },
      cancel: () => wanted.resolve()
    },
    { highWaterMark: 0 }
  )
  const request = new Request("http://localhost/", { method: "POST", body, duplex: "half" })
  return {
    request: HttpServerRequest.fromWeb(request),
    /**
     * Sends bytes, and resolves when the reader has counted them: it then wants the next chunk, or has stopped reading.
     */
    send: (size: number) =>
      Effect.promise(async () => {
        await wanted.promise
        wanted = Promise.withResolvers()
        chunk.resolve(size)
        await wanted.promise
      }),
    end: Effect.promise(async () => {
      await wanted.promise
      chunk.resolve(null)
    })
  }
}

type Reader = ReturnType<typeof BodyMemory.make>

const maxSize = 200_000

/** Begins to read a body of which some bytes have arrived. */
const upload = Effect.fnUntraced(function* (read: Reader, size: number) {
  const { end, request, send } = makeUpload()
  const fiber = yield* Effect.forkChild(read(ApiRequest.ofEffect(request), maxSize, (body) => body.length))
  yield* send(size)
  return {
    send,
    disconnect: Fiber.interrupt(fiber),
    finish: Effect.andThen(end, Fiber.await(fiber)),
    result: Fiber.await(fiber)
  }
})

const discarded = Exit.fail(new BodyMemory.BodyDiscarded())

const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, TestClock.layer()))

describe("the memory for arriving bodies", () => {
  it("returns the whole of a body that arrives in many chunks", () =>
    run(
      Effect.gen(function* () {
        const read = BodyMemory.make({ maxBytes: 150_000 })
        const slow = yield* upload(read, 1)
        for (let size = 2; size <= 100; size++) yield* slow.send(size)
        // The sum of the numbers from 1 to 100.
        expect(yield* slow.finish).toEqual(Exit.succeed(5_050))
      })
    ))

  it("discards the oldest large body when all bodies together exceed the limit", () =>
    run(
      Effect.gen(function* () {
        const read = BodyMemory.make({ maxBytes: 150_000 })
        const small = yield* upload(read, 1_000)
        const oldest = yield* upload(read, 60_000)
        const second = yield* upload(read, 60_000)
        const newest = yield* upload(read, 60_000)
        expect(yield* oldest.result).toEqual(discarded)
        expect(yield* small.finish).toEqual(Exit.succeed(1_000))
        expect(yield* second.finish).toEqual(Exit.succeed(60_000))
        expect(yield* newest.finish).toEqual(Exit.succeed(60_000))
      })
    ))

  it("discards the oldest small body when no larger one is left", () =>
    run(
      Effect.gen(function* () {
        const read = BodyMemory.make({ maxBytes: 20_000 })
        const oldest = yield* upload(read, 9_000)
        const second = yield* upload(read, 9_000)
        const newest = yield* upload(read, 9_000)
        expect(yield* oldest.result).toEqual(discarded)
        expect(yield* second.finish).toEqual(Exit.succeed(9_000))
        expect(yield* newest.finish).toEqual(Exit.succeed(9_000))
      })
    ))

  it("no longer counts a body whose client has disconnected", () =>
    run(
      Effect.gen(function* () {
        const read = BodyMemory.make({ maxBytes: 150_000 })
        const oldest = yield* upload(read, 60_000)
        for (let times = 0; times < 3; times++) yield* (yield* upload(read, 60_000)).disconnect
        const newest = yield* upload(read, 60_000)
        expect(yield* oldest.finish).toEqual(Exit.succeed(60_000))
        expect(yield* newest.finish).toEqual(Exit.succeed(60_000))
      })
    ))

  it("no longer counts a body that was too large", () =>
    run(
      Effect.gen(function* () {
        const read = BodyMemory.make({ maxBytes: 300_000 })
        const oldest = yield* upload(read, 60_000)
        for (let times = 0; times < 3; times++) {
          const tooLarge = yield* upload(read, maxSize + 1)
          expect(Exit.isFailure(yield* tooLarge.result)).toBe(true)
        }
        expect(yield* oldest.finish).toEqual(Exit.succeed(60_000))
      })
    ))

  it("fails with BodyTimedOut after the timeout, and no longer counts the body", () =>
    run(
      Effect.gen(function* () {
        const read = BodyMemory.make({ maxBytes: 100_000, timeout: "10 seconds" })
        const slow = yield* upload(read, 60_000)
        yield* TestClock.adjust("9 seconds")
        const later = yield* upload(read, 30_000)
        yield* TestClock.adjust("1 second")
        expect(yield* slow.result).toEqual(Exit.fail(new BodyMemory.BodyTimedOut()))
        const newest = yield* upload(read, 60_000)
        expect(yield* later.finish).toEqual(Exit.succeed(30_000))
        expect(yield* newest.finish).toEqual(Exit.succeed(60_000))
      })
    ))
})

const key = "fd_test_arriving_0123456789abcdefghijklmnopqr"

const server = FrontdeskHttp.layerServe({ maxArrivingBytes: 150_000 }).pipe(
  Layer.provideMerge(NodeHttpServer.layer(() => http.createServer(), { port: 0, host: "127.0.0.1" })),
  Layer.provideMerge(services())
)

describe("requests whose bodies arrive slowly, over sockets", () => {
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

  /** Sends a request that creates a contact, all but the last byte of its body. `finish` sends that byte. */
  const begin = (size: number, isChunked = false) => {
    const socket = net.connect(port, "127.0.0.1")
    // Without spaces the body has 19 bytes.
    const body = `{"first_name":"Al"${" ".repeat(size - 19)}}`
    const [head, start, end] = isChunked
      ? ["Transfer-Encoding: chunked", `${(size - 1).toString(16)}\r\n${body.slice(0, -1)}\r\n`, "1\r\n}\r\n0\r\n\r\n"]
      : [`Content-Length: ${size}`, body.slice(0, -1), "}"]
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
    socket.write(`POST /api/v1/contacts/create HTTP/1.1\r\n${headers}\r\n\r\n${start}`)
    return { answer, finish: () => void socket.write(end), [Symbol.dispose]: () => void socket.destroy() }
  }

  it("get 503 service_unavailable when all bodies together are too large, and small ones are not affected", async () => {
    using small = begin(1_000)
    using chunked = begin(1_000, true)
    using first = begin(90_000)
    using second = begin(90_000)
    const [refused, other] = await Promise.race([
      first.answer.then((answer) => [answer, second] as const),
      second.answer.then((answer) => [answer, first] as const)
    ])
    expect(refused).toMatch(/^HTTP\/1\.1 503 /)
    expect(refused).toMatch(/\r\nretry-after: \d+\r\n/i)
    expect(refused).toContain("service_unavailable")
    for (const request of [small, chunked, other]) {
      request.finish()
      expect(await request.answer).toMatch(/^HTTP\/1\.1 201 /)
    }
  })
})
