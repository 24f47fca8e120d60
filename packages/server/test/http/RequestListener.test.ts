import type { RequestHandlers } from "@frontdesk/http/FrontdeskHttp"
import type { ApiResponse } from "@frontdesk/http/request/Exchange"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Scope from "effect/Scope"
import * as RequestListener from "frontdesk/RequestListener"
import { createServer } from "node:http"
import { describe, expect, it, onTestFinished } from "vitest"
import { raw } from "../support/http.ts"

const running = { guard: (app: RequestHandlers["app"]) => app } as const

/** Is resolved when the newest server has closed a connection. */
let closed = Promise.withResolvers<void>()

/** Starts a server whose operations answer as the given effect does. Every other path is answered by the app. */
const openServer = async (answer: Effect.Effect<ApiResponse>, maxReadMillis?: number): Promise<string> => {
  const own = Promise.withResolvers<void>()
  closed = own
  const scope = Scope.makeUnsafe()
  const handlers: RequestHandlers = {
    app: Effect.succeed(HttpServerResponse.text("the app")),
    operation: ({ url }, then) => {
      if (url !== "/operation") return undefined
      const fiber = Effect.runFork(answer)
      fiber.addObserver(then)
      return { interrupt: Fiber.interrupt(fiber) }
    }
  }
  const listeners = await Effect.runPromise(
    RequestListener.make(handlers, { ...running, beforeAnswer: (_request, then) => then(false) }, maxReadMillis).pipe(
      Effect.provideService(Scope.Scope, scope)
    )
  )
  const server = createServer(listeners.request)
  server.on("connection", (socket) => socket.once("close", () => own.resolve()))
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
}

const get = (method: string, path = "/operation"): string => `${method} ${path} HTTP/1.1\r\nHost: x\r\n`

const large = "é".repeat(300_000)

/** An answer with a large body, and the number of turns that it has taken. */
const largeAnswer = () => {
  let turns = 0
  const response: ApiResponse = {
    status: 200,
    headers: { "content-type": "application/json" },
    body: large,
    turn: Effect.sync(() => {
      turns += 1
    })
  }
  return { answer: Effect.succeed(response), turns: () => turns }
}

describe("the listener for requests", () => {
  it("a client that disconnects interrupts its request", async () => {
    const [begun, interrupted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const answer = Effect.sync(begun.resolve).pipe(
      Effect.andThen(Effect.never),
      Effect.onInterrupt(() => Effect.sync(interrupted.resolve))
    )
    const caller = await raw(await openServer(answer))
    caller.socket.write(`${get("GET")}\r\n`)
    await begun.promise
    caller.socket.destroy()
    await interrupted.promise
  })

  it("a large answer is complete, and other callers get a turn between two of its parts", async () => {
    const { answer, turns } = largeAnswer()
    const response = await fetch(`${await openServer(answer)}/operation`)
    expect(await response.text()).toBe(large)
    expect(response.headers.get("content-length")).toBe("600000")
    expect(turns()).toBe(Math.ceil(600_000 / 65_536))
  })

  it("HEAD gets the length of a large answer and none of its parts", async () => {
    const { answer, turns } = largeAnswer()
    const caller = await raw(await openServer(answer))
    caller.socket.write(`${get("HEAD")}Connection: close\r\n\r\n`)
    await caller.closed
    expect(caller.answer()).toMatch(/content-length: 600000\r\n/i)
    expect(caller.answer()).toMatch(/\r\n\r\n$/)
    expect(turns()).toBe(0)
  })

  it("closes the connection of a client that does not read the parts of an answer in time", async () => {
    const body = "a".repeat(40_000_000)
    const answer = Effect.succeed({ status: 200, headers: {}, body, turn: Effect.void })
    const caller = await raw(await openServer(answer, 100))
    caller.socket.on("error", () => {})
    caller.socket.pause()
    caller.socket.write(`${get("GET")}\r\n`)
    await closed.promise
    // The client can still read the bytes that the kernel had accepted.
    caller.socket.resume()
    await caller.closed
    expect(caller.answer()).toMatch(/^HTTP\/1.1 200 OK/)
    expect(caller.answer().length).toBeLessThan(body.length)
  })

  it("does not execute a request that follows the last answer of its connection", async () => {
    let executed = 0
    const answer = Effect.sync(() => {
      executed += 1
      return { status: 401, headers: {}, body: "{}", turn: Effect.void }
    })
    const caller = await raw(await openServer(answer))
    const rest = Promise.withResolvers<void>()
    caller.socket.once("data", rest.resolve)
    caller.socket.write(`${get("POST")}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`)
    await rest.promise
    caller.socket.write(`0\r\n\r\n${get("GET")}\r\n`)
    await closed.promise
    expect(caller.answer()).toMatch(/^HTTP\/1.1 401 .*connection: close\r\n/is)
    expect(executed).toBe(1)
  })

  it("answers a request that is not for an operation by the app", async () => {
    const url = await openServer(Effect.never)
    expect(await (await fetch(`${url}/other`)).text()).toBe("the app")
  })
})
