import type { ServerResponse } from "node:http"
import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schema from "effect/Schema"
import * as Exchange from "../../src/request/Exchange.ts"
import * as Json from "../../src/request/Json.ts"
import { accepted } from "../../src/request/ErrorResponse.ts"
import { type Reply, scriptedServer } from "../caldav/scriptedServer.ts"

const limits = { timeout: Duration.seconds(10), maxBytes: 1_000 }

/** Sends one request with a password to a server with one scripted answer, and returns the answer. */
const sent = (reply: Reply) =>
  Effect.gen(function* () {
    const server = yield* scriptedServer(() => reply)
    const request = HttpClientRequest.get(`${server.url}path?key=value`).pipe(
      HttpClientRequest.basicAuth("ada", "open sesame")
    )
    return yield* Exchange.send(request).pipe(
      Effect.provideService(Exchange.CurrentRequestLimits, limits),
      Effect.provide(FetchHttpClient.layer)
    )
  })

it.live("an answer has status, headers and body as the server sent them, whatever the status is", () =>
  Effect.gen(function* () {
    const answer = yield* sent({ status: 418, headers: { "X-Mood": "fine" }, body: "zażółć" })
    expect(answer).toMatchObject({ status: 418, body: "zażółć" })
    expect(answer.headers["x-mood"]).toBe("fine")
  })
)

it.live("an answer without a body is complete", () =>
  Effect.gen(function* () {
    expect(yield* sent({ status: 204 })).toMatchObject({ status: 204, body: "" })
  })
)

it.live("a redirect is not followed (D-DAV-8)", () =>
  Effect.gen(function* () {
    const elsewhere = yield* scriptedServer(() => ({ status: 200 }))
    expect((yield* sent({ status: 302, headers: { location: elsewhere.url } })).status).toBe(302)
    expect(elsewhere.requests).toEqual([])
  })
)

it.live("a request has no tracing headers", () =>
  Effect.gen(function* () {
    const server = yield* scriptedServer(() => ({ status: 200 }))
    yield* Exchange.send(HttpClientRequest.get(server.url)).pipe(
      Effect.withSpan("here"),
      Effect.provide(FetchHttpClient.layer)
    )
    expect(server.requests[0]?.headers).not.toHaveProperty("traceparent")
    expect(server.requests[0]?.headers).not.toHaveProperty("b3")
  })
)

/** Functions that send an answer without an end. Each returns when the timeout of the request may pass. */
const endless: ReadonlyArray<readonly [string, (response: ServerResponse) => Promise<unknown>]> = [
  ["that never comes", async () => {}],
  ["that stops half-way", async (response) => response.writeHead(200).write("half")],
  ["that comes byte by byte", (response) => dripping(response)]
]

/** Writes a byte every 2 milliseconds without an end. Returns after ten bytes. */
const dripping = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    let written = 0
    const timer = setInterval(() => {
      response.write("x")
      if (++written === 10) resolve()
    }, 2)
    response.on("close", () => clearInterval(timer))
  })

it.effect.each(endless)(
  "an answer %s fails with transport after the timeout, and its connection is closed",
  ([, reply]) =>
    Effect.gen(function* () {
      const mayTimeOut = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const run = Effect.runForkWith(yield* Effect.context())
      const sending = yield* sent((response) => {
        response.on("close", () => run(Deferred.succeed(closed, undefined)))
        void reply(response).then(() => run(Deferred.succeed(mayTimeOut, undefined)))
      }).pipe(Effect.flip, Effect.forkChild)
      yield* Deferred.await(mayTimeOut)
      yield* TestClock.adjust(limits.timeout)
      expect(yield* Fiber.join(sending)).toMatchObject({ reason: "transport", retryAfterMillis: null })
      yield* Deferred.await(closed)
    })
)

const broken: ReadonlyArray<readonly [string, (response: ServerResponse) => void, "invalid" | "transport"]> = [
  [
    "whose connection is closed in its middle",
    (response) => response.writeHead(200, { "content-length": "9" }).write("half", () => response.destroy()),
    "transport"
  ],
  ["whose connection is closed before its headers", (response) => response.destroy(), "transport"],
  ["that has one byte too many", (response) => response.writeHead(200).end("x".repeat(1_001)), "invalid"],
  ["that has no end", (response) => flooding(response), "invalid"]
]

const flooding = (response: ServerResponse) => {
  const timer = setInterval(() => response.write("x".repeat(500)), 1)
  response.on("close", () => clearInterval(timer))
}

for (const [what, reply, reason] of broken) {
  it.live(`an answer ${what} fails with ${reason}, and its connection is closed`, () =>
    Effect.gen(function* () {
      const { promise: closed, resolve } = Promise.withResolvers<void>()
      const error = yield* Effect.flip(
        sent((response) => {
          response.on("close", () => resolve())
          reply(response)
        })
      )
      expect(error).toMatchObject({ reason, retryAfterMillis: null })
      yield* Effect.promise(() => closed)
    })
  )
}

it.live("a refused connection fails with transport", () =>
  Effect.gen(function* () {
    const request = HttpClientRequest.get("http://127.0.0.1:1/")
    const error = yield* Effect.flip(Exchange.send(request).pipe(Effect.provide(FetchHttpClient.layer)))
    expect(error.reason).toBe("transport")
  })
)

it.live("no error contains a credential, even if the answer quotes it", () =>
  Effect.gen(function* () {
    const token = Buffer.from("ada:open sesame").toString("base64")
    const answer = yield* sent({ status: 400, body: `you sent Basic ${token} which is open sesame` })
    const error = yield* Effect.flip(accepted(answer))
    expect(String(error.cause)).toMatch(/GET http:\/\/127\.0\.0\.1:\d+\/path: 400: you sent Basic … which is …/)
    expect(String(error.cause)).not.toContain("key=value")
  })
)

it.live("a body that is not JSON fails with transport, JSON of another form with invalid, and neither is quoted", () =>
  Effect.gen(function* () {
    const decode = Json.decode(Schema.Struct({ token: Schema.Struct({ value: Schema.String }) }))
    const of = (body: string) => Effect.flatMap(sent({ status: 200, body }), decode)
    expect(yield* of('{"token":{"value":"x"}}')).toEqual({ token: { value: "x" } })
    expect(yield* Effect.flip(of("<html>secret"))).toMatchObject({ reason: "transport" })
    const error = yield* Effect.flip(of('{"token":{"value":8128}}'))
    expect(error.reason).toBe("invalid")
    expect(String(error.cause)).toContain("token.value")
    expect(String(error.cause)).not.toContain("8128")
  })
)
