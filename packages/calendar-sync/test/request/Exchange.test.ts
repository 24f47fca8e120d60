import type { ServerResponse } from "node:http"
import { expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schema from "effect/Schema"
import * as Exchange from "../../src/request/Exchange.ts"
import * as Json from "../../src/request/Json.ts"
import { accepted } from "../../src/request/ErrorResponse.ts"
import { type Reply, scripted } from "../caldav/scripted.ts"

const limits = { timeout: Duration.millis(300), maxBytes: 1_000 }

/** Sends one request with a password to a server that replies so. */
const sent = (reply: Reply) =>
  Effect.gen(function* () {
    const server = yield* scripted(() => reply)
    const request = HttpClientRequest.get(`${server.url}path?key=value`).pipe(
      HttpClientRequest.basicAuth("ada", "open sesame")
    )
    return yield* Exchange.send(request).pipe(
      Effect.provideService(Exchange.CurrentRequestLimits, limits),
      Effect.provide(FetchHttpClient.layer)
    )
  })

it.live("an answer is what came, whatever its status", () =>
  Effect.gen(function* () {
    const answer = yield* sent({ status: 418, headers: { "X-Mood": "fine" }, body: "zażółć" })
    expect(answer).toMatchObject({ status: 418, body: "zażółć" })
    expect(answer.headers["x-mood"]).toBe("fine")
  })
)

it.live("an answer without a body is whole", () =>
  Effect.gen(function* () {
    expect(yield* sent({ status: 204 })).toMatchObject({ status: 204, body: "" })
  })
)

it.live("a redirect is not followed (D-DAV-8)", () =>
  Effect.gen(function* () {
    const elsewhere = yield* scripted(() => ({ status: 200 }))
    expect((yield* sent({ status: 302, headers: { location: elsewhere.url } })).status).toBe(302)
    expect(elsewhere.asked).toEqual([])
  })
)

it.live("nobody who answers learns of traces", () =>
  Effect.gen(function* () {
    const server = yield* scripted(() => ({ status: 200 }))
    yield* Exchange.send(HttpClientRequest.get(server.url)).pipe(
      Effect.withSpan("here"),
      Effect.provide(FetchHttpClient.layer)
    )
    expect(server.asked[0]?.headers).not.toHaveProperty("traceparent")
    expect(server.asked[0]?.headers).not.toHaveProperty("b3")
  })
)

const broken: ReadonlyArray<readonly [string, Reply, "invalid" | "transport"]> = [
  ["that never comes", () => {}, "transport"],
  ["that stops half-way", (response) => response.writeHead(200).write("half"), "transport"],
  ["that drips", (response) => dripping(response), "transport"],
  [
    "that breaks off",
    (response) => response.writeHead(200, { "content-length": "9" }).write("half", () => response.destroy()),
    "transport"
  ],
  ["whose connection is lost", (response) => response.destroy(), "transport"],
  ["that is too big", { status: 200, body: "x".repeat(1_001) }, "invalid"],
  ["that never ends", (response) => flooding(response), "invalid"]
]

const dripping = (response: ServerResponse) => {
  const timer = setInterval(() => response.write("x"), 20)
  response.on("close", () => clearInterval(timer))
}

const flooding = (response: ServerResponse) => {
  const timer = setInterval(() => response.write("x".repeat(500)), 1)
  response.on("close", () => clearInterval(timer))
}

for (const [what, reply, reason] of broken) {
  it.live(`an answer ${what} is ${reason}, and its connection is closed`, () =>
    Effect.gen(function* () {
      const { promise: closed, resolve } = Promise.withResolvers<void>()
      const error = yield* Effect.flip(
        sent(
          typeof reply === "function"
            ? (response) => {
                response.on("close", () => resolve())
                reply(response)
              }
            : reply
        )
      )
      expect(error).toMatchObject({ reason, retryAfterMillis: null })
      if (typeof reply === "function") yield* Effect.promise(() => closed)
    })
  )
}

it.live("a server that is not there is transport, by its code", () =>
  Effect.gen(function* () {
    const request = HttpClientRequest.get("http://127.0.0.1:1/")
    const error = yield* Effect.flip(Exchange.send(request).pipe(Effect.provide(FetchHttpClient.layer)))
    expect(error.reason).toBe("transport")
  })
)

it.live("no error shows a credential, also when the answer repeats it", () =>
  Effect.gen(function* () {
    const token = Buffer.from("ada:open sesame").toString("base64")
    const answer = yield* sent({ status: 400, body: `you sent Basic ${token} which is open sesame` })
    const error = yield* Effect.flip(accepted(answer))
    expect(String(error.cause)).toMatch(/GET http:\/\/127\.0\.0\.1:\d+\/path: 400: you sent Basic … which is …/)
    expect(String(error.cause)).not.toContain("key=value")
  })
)

it.live("a body that is no JSON is transport, JSON of another form invalid, and none is quoted", () =>
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
