import type { Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as UndiciWebhookSender from "../src/UndiciWebhookSender.ts"
import { anotherRequest, body, insecure, receiver, send, sendUntilTimeout, withResolver } from "./sending.ts"

describe("UndiciWebhookSender", () => {
  it.live("send posts the given bytes and headers once, and returns status and body", () =>
    Effect.gen(function* () {
      const { port, requests, url } = yield* receiver({ plan: Behaviour.answer(201, { body: "thanks" }) })
      const answer = yield* send(`${url}/hook?a=1`, { headers: { "X-Service-Event": "call.ended" } })
      expect(answer).toEqual({ _tag: "Answered", status: 201, body: "thanks" })
      expect(requests).toMatchObject([
        {
          method: "POST",
          path: "/hook?a=1",
          headers: {
            "x-service-event": "call.ended",
            "user-agent": "frontdesk-webhooks",
            "content-length": String(body.length),
            host: `127.0.0.1:${port}`
          }
        }
      ])
      expect(requests[0]?.body).toEqual(Buffer.from(body))
    }).pipe(Effect.provide(insecure))
  )

  it.live.each([200, 204, 299, 300, 304, 400, 410, 500])("status %i is an answer", (status) =>
    Effect.gen(function* () {
      const { url } = yield* receiver({ plan: Behaviour.answer(status) })
      expect(yield* send(url)).toEqual({ _tag: "Answered", status, body: "" })
    }).pipe(Effect.provide(insecure))
  )

  it.live.each([301, 302, 303, 307, 308] as const)("status %i is an answer, and no redirect is followed", (status) =>
    Effect.gen(function* () {
      const { requests, url } = yield* receiver({ plan: Behaviour.redirect(status, "/elsewhere") })
      expect(yield* send(`${url}/hook`)).toMatchObject({ _tag: "Answered", status })
      expect(yield* send(`${url}/hook`)).toMatchObject({ _tag: "Answered", status })
      expect(requests.map(({ path }) => path)).toEqual(["/hook", "/hook"])
    }).pipe(Effect.provide(insecure))
  )

  it.live("a connection is reused for the next requests", () =>
    Effect.gen(function* () {
      const { connections, url } = yield* receiver()
      for (let times = 0; times < 20; times++) yield* send(url)
      // The next request may come before the pool has the connection back.
      expect(connections()).toBeLessThanOrEqual(2)
    }).pipe(Effect.provide(insecure))
  )

  it.live("no cookie is stored, and no compressed answer is requested", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* receiver({
        plan: Behaviour.answer(200, { headers: { "set-cookie": "a=1; Path=/" } })
      })
      yield* send(url)
      yield* send(url)
      expect(Object.keys(requests[1]?.headers ?? {}).toSorted()).toEqual([
        "connection",
        "content-length",
        "host",
        "user-agent"
      ])
    }).pipe(Effect.provide(insecure))
  )

  it.live("16 informational answers are ignored (D-SEND-8)", () =>
    Effect.gen(function* () {
      const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(16)
      const { url } = yield* receiver({
        plan: { name: "hints", act: (socket) => socket.write(hints + Behaviour.answerText(200)) }
      })
      expect(yield* send(url)).toEqual({ _tag: "Answered", status: 200, body: "" })
    }).pipe(Effect.provide(insecure))
  )

  it.live("the body of an answer has at most 4 KiB and no NUL", () =>
    Effect.gen(function* () {
      const { idle, url } = yield* receiver({ plan: Behaviour.answer(200, { body: "ab\0c".repeat(100_000) }) })
      // One of each four bytes is NUL.
      expect(yield* send(url)).toEqual({ _tag: "Answered", status: 200, body: "abc".repeat(1_024) })
      yield* Effect.promise(idle)
    }).pipe(Effect.provide(insecure))
  )

  it.effect("FRONTDESK_WEBHOOK_ALLOW_INSECURE decides whether a private URL is allowed", () =>
    Effect.gen(function* () {
      const check = (env: Record<string, string>) =>
        Effect.flatMap(WebhookSender, (sender) => sender.checkUrl("http://localhost:3000/")).pipe(
          Effect.provide(
            UndiciWebhookSender.layerConfig().pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))
          ),
          Effect.result
        )
      expect((yield* check({ FRONTDESK_WEBHOOK_ALLOW_INSECURE: "true" }))._tag).toBe("Success")
      expect((yield* check({ FRONTDESK_WEBHOOK_ALLOW_INSECURE: "false" }))._tag).toBe("Failure")
      expect((yield* check({}))._tag).toBe("Failure")
    })
  )

  it.effect("FRONTDESK_WEBHOOK_PRIVILEGED_PORTS lists the ports below 1024 that are allowed", () =>
    Effect.gen(function* () {
      const check = (env: Record<string, string>) =>
        Effect.flatMap(WebhookSender, (sender) => sender.checkUrl("https://hooks.example:99/")).pipe(
          Effect.provide(
            UndiciWebhookSender.layerConfig().pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))
          ),
          Effect.result
        )
      const outcome = (ports: string) =>
        Effect.map(check({ FRONTDESK_WEBHOOK_PRIVILEGED_PORTS: ports }), ({ _tag }) => _tag)
      expect([yield* outcome("8, 99"), yield* outcome("99"), yield* outcome("8"), yield* outcome("none")]).toEqual([
        "Success",
        "Success",
        "Failure",
        "Failure"
      ])
      expect([(yield* check({}))._tag, yield* outcome("8;99"), yield* outcome("1024")]).toEqual([
        "Failure",
        "Failure",
        "Failure"
      ])
    })
  )
})

describe("The timeout of UndiciWebhookSender", () => {
  // The clock is the test clock and the sockets are real. So the test does not depend on the speed of the machine.
  it.effect.each([
    { millis: 9_900, outcome: { _tag: "Answered", status: 200, body: "" } },
    { millis: 10_050, outcome: { _tag: "NoAnswer", reason: "timed out" } }
  ])(
    "with a timeout of 10 seconds a head after $millis ms is $outcome._tag (C-6.4-1, D-DEL-3)",
    ({ millis, outcome }) =>
      Effect.gen(function* () {
        const { accepted, plan } = manualAnswer()
        const { url } = yield* receiver({ plan })
        const sending = yield* Effect.forkChild(send(url))
        const socket = yield* Effect.promise(() => accepted)
        yield* TestClock.adjust(Duration.millis(millis))
        socket.write(Behaviour.answerText(200))
        expect(yield* Fiber.join(sending)).toEqual(outcome)
      }).pipe(Effect.provide(insecure))
  )

  it.effect("a head that arrives in time counts, even when the body ends later (D-SEND-8)", () =>
    Effect.gen(function* () {
      const { accepted, plan } = manualAnswer()
      const { idle, url } = yield* receiver({ plan })
      const sending = yield* Effect.forkChild(send(url))
      const socket = yield* Effect.promise(() => accepted)
      yield* TestClock.adjust("9900 millis")
      socket.write("HTTP/1.1 202 Accepted\r\ncontent-length: 100\r\n\r\npart")
      // The test cannot see that the sender has read the head. Another request gives the sender time to do so.
      yield* anotherRequest
      yield* TestClock.adjust("100 millis")
      expect(yield* Fiber.join(sending)).toEqual({ _tag: "Answered", status: 202, body: "part" })
      yield* Effect.promise(idle)
    }).pipe(Effect.provide(insecure))
  )

  it.effect("the timeout covers the resolution of the name", () =>
    Effect.gen(function* () {
      expect(yield* sendUntilTimeout("http://slow.example/")).toEqual({
        _tag: "NoAnswer",
        reason: "timed out"
      })
    }).pipe(Effect.provide(withResolver(() => Effect.never)))
  )

  it.live("a request that is interrupted closes its connection", () =>
    Effect.gen(function* () {
      const { idle, received, url } = yield* receiver({ plan: Behaviour.hang })
      const sending = yield* Effect.forkChild(send(url))
      yield* Effect.promise(() => received(1))
      yield* Fiber.interrupt(sending)
      yield* Effect.promise(idle)
    }).pipe(Effect.provide(insecure))
  )
})

/** Makes a plan without an answer, and a promise of the socket on which the test can answer. */
const manualAnswer = () => {
  const { promise: accepted, resolve } = Promise.withResolvers<Socket>()
  return { accepted, plan: { name: "answered by the test", act: resolve } }
}
