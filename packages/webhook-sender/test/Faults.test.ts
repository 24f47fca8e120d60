import { describe, expect, it } from "@effect/vitest"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Flood from "@frontdesk/testing/receiver/Flood"
import type { Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { countingReceiver, insecure, receiver, send, until } from "./sending.ts"

const closed = "the connection was closed before an answer"
const noHttp = "the answer was not HTTP"
const large = new Uint8Array(8_000_000)

describe("UndiciWebhookSender without an answer", () => {
  it.live.each([
    { behaviour: Behaviour.reset("mid-request"), reason: closed, body: large },
    { behaviour: Behaviour.reset("before the head"), reason: closed },
    { behaviour: Behaviour.hangUp, reason: closed },
    { behaviour: Behaviour.garbage, reason: noHttp },
    { behaviour: Flood.hugeHead(20_000_000), reason: noHttp },
    { behaviour: Flood.informational(103), reason: "too many informational answers" },
    { behaviour: Flood.informational(100), reason: closed }
  ])("$behaviour.name: the request is sent once, and its connection is closed", ({ behaviour, body, reason }) =>
    Effect.gen(function* () {
      const { connections, idle, requests, url } = yield* receiver({ plan: behaviour })
      expect(yield* send(url, body === undefined ? {} : { body })).toEqual({ _tag: "NoAnswer", reason })
      expect([requests.length, connections()]).toEqual([1, 1])
      yield* Effect.promise(idle)
    }).pipe(Effect.provide(insecure))
  )

  it.effect.each([
    { behaviour: Behaviour.hang, bytes: 0 },
    { behaviour: Behaviour.answer(200, { afterMillis: 60_000 }), bytes: 0 },
    { behaviour: Flood.dripHead(1), bytes: 10 }
  ])("$behaviour.name: the request ends at its timeout, and its connection is closed", ({ behaviour, bytes }) =>
    Effect.gen(function* () {
      const { idle, requests, sent, url } = yield* countingReceiver(behaviour)
      const sending = yield* Effect.forkChild(send(url, { timeout: "10 minutes" }))
      yield* until(() => sent() >= bytes)
      yield* TestClock.adjust("599999 millis")
      expect(sending.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      expect(yield* Fiber.join(sending)).toEqual({ _tag: "NoAnswer", reason: "timed out" })
      expect(requests).toHaveLength(1)
      yield* Effect.promise(idle)
    }).pipe(Effect.provide(insecure))
  )

  it.live("a receiver that is down: the connection is refused until the receiver is up again", () =>
    Effect.gen(function* () {
      const { down, up, url } = yield* receiver()
      expect(yield* send(url)).toMatchObject({ status: 200 })
      yield* Effect.promise(down)
      expect(yield* send(url)).toEqual({ _tag: "NoAnswer", reason: "the connection was refused" })
      yield* Effect.promise(up)
      expect(yield* send(url)).toMatchObject({ status: 200 })
    }).pipe(Effect.provide(insecure))
  )
})

describe("UndiciWebhookSender after the head of an answer", () => {
  it.live.each([
    { behaviour: Behaviour.reset("after the head") },
    { behaviour: Behaviour.answerEarly(), body: large },
    { behaviour: Behaviour.answerUnprompted() },
    { behaviour: Flood.endless },
    { behaviour: Flood.bomb("gzip") },
    { behaviour: Flood.bomb("br") }
  ])("$behaviour.name: the status is the result", ({ behaviour, body }) =>
    Effect.gen(function* () {
      const { url } = yield* receiver({ plan: behaviour })
      expect(yield* send(url, body === undefined ? {} : { body })).toMatchObject({ _tag: "Answered", status: 200 })
    }).pipe(Effect.provide(insecure))
  )

  it.effect.each([
    // Each byte is sent in its own turn of the event loop, so the head has been read before the last one.
    { behaviour: Flood.dripBody(1), bytes: 100 },
    // More bytes than the buffers of the kernel have room for, so the head has been read.
    { behaviour: Flood.endlessChunkExtension, bytes: 20_000_000 }
  ])("$behaviour.name: the connection is closed at the timeout", ({ behaviour, bytes }) =>
    Effect.gen(function* () {
      const { idle, sent, url } = yield* countingReceiver(behaviour)
      const sending = yield* Effect.forkChild(send(url, { timeout: "10 minutes" }))
      yield* until(() => sent() >= bytes)
      yield* TestClock.adjust("10 minutes")
      expect(yield* Fiber.join(sending)).toMatchObject({ _tag: "Answered", status: 200 })
      yield* Effect.promise(idle)
    }).pipe(Effect.provide(insecure))
  )

  it.live.each([
    // The first byte of gzip, and the replacement character for the second, which is not UTF-8.
    { encoding: "gzip", beginning: "\u001f\ufffd" },
    { encoding: "br", beginning: "" }
  ] as const)("a compressed answer is not decompressed ($encoding)", ({ beginning, encoding }) =>
    Effect.gen(function* () {
      const { idle, url } = yield* receiver({ plan: Flood.bomb(encoding) })
      const answer = yield* send(url)
      const text = answer._tag === "Answered" ? answer.body : ""
      expect(text.startsWith(beginning)).toBe(true)
      // Decompressed it would be zeros, which are removed.
      expect(text).not.toBe("")
      expect(text.length).toBeLessThanOrEqual(4_096)
      yield* Effect.promise(idle)
    }).pipe(Effect.provide(insecure))
  )
})

describe("UndiciWebhookSender with an idle connection", () => {
  it.live.each(["reset", "end"] as const)(
    "a request whose idle connection is closed during the write is repeated on a new connection (%s)",
    (how) =>
      Effect.gen(function* () {
        const { requests, url } = yield* receiver({ plan: Behaviour.closeReused(how) })
        // Not every request finds an idle connection, so several are sent.
        for (let attempt = 1; attempt <= 6; attempt++) {
          const headers = { "webhook-id": String(attempt) }
          expect(yield* send(url, { headers })).toMatchObject({ status: 200 })
        }
        const repeated = requests.filter(({ turn }) => turn > 1)
        expect(repeated.length).toBeGreaterThan(0)
        for (const first of repeated) {
          const [, second, ...others] = requests.filter(
            ({ headers }) => headers["webhook-id"] === first.headers["webhook-id"]
          )
          expect(others).toEqual([])
          expect(second?.turn).toBe(1)
          expect(second?.body).toEqual(first.body)
          expect({ ...second?.headers, connection: "" }).toEqual({ ...first.headers, connection: "" })
        }
      }).pipe(Effect.provide(insecure))
  )

  it.live("a request is repeated at most once", () =>
    Effect.gen(function* () {
      const { plan, requests, url } = yield* receiver()
      yield* openIdleConnection(url)
      const before = requests.length
      plan(Behaviour.reset())
      expect(yield* send(url)).toEqual({ _tag: "NoAnswer", reason: closed })
      expect(requests.slice(before).map(({ turn }) => turn > 1)).toEqual([true, false])
    }).pipe(Effect.provide(insecure))
  )

  it.live.each([
    { behaviour: { name: "one byte of an answer", act: (socket) => void socket.end("H") } },
    { behaviour: { name: "an informational answer", act: (socket) => void socket.end("HTTP/1.1 103 Hints\r\n\r\n") } }
  ] satisfies ReadonlyArray<{ behaviour: Behaviour.Behaviour }>)(
    "a request is not repeated after a part of the answer has arrived: $behaviour.name",
    ({ behaviour }) =>
      Effect.gen(function* () {
        const { plan, requests, url } = yield* receiver()
        yield* openIdleConnection(url)
        const before = requests.length
        plan(behaviour)
        expect(yield* send(url)).toEqual({ _tag: "NoAnswer", reason: closed })
        expect(requests.slice(before).map(({ turn }) => turn > 1)).toEqual([true])
      }).pipe(Effect.provide(insecure))
  )

  it.effect("the timeout covers the request and its repetition", () =>
    Effect.gen(function* () {
      const { plan, received, requests, url } = yield* receiver()
      yield* openIdleConnection(url)
      const before = requests.length
      const idle = Promise.withResolvers<Socket>()
      plan(({ turn }) => (turn > 1 ? { name: "waits", act: idle.resolve } : Behaviour.hang))
      const sending = yield* Effect.forkChild(send(url, { timeout: "10 minutes" }))
      const socket = yield* Effect.promise(() => idle.promise)
      yield* TestClock.adjust("9 minutes")
      socket.resetAndDestroy()
      yield* Effect.promise(() => received(before + 2))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(sending)).toEqual({ _tag: "NoAnswer", reason: "timed out" })
      expect(requests.slice(before)).toHaveLength(2)
    }).pipe(Effect.provide(insecure))
  )

  it.live("a connection that the receiver closed while idle is replaced, and nothing is sent twice (D-SEND-7)", () =>
    Effect.gen(function* () {
      const { down, idle, requests, up, url } = yield* receiver()
      yield* send(url)
      yield* Effect.promise(down)
      yield* Effect.promise(idle)
      yield* Effect.promise(up)
      expect(yield* send(url)).toMatchObject({ status: 200 })
      expect(requests).toHaveLength(2)
    }).pipe(Effect.provide(insecure))
  )

  it.live.each([
    { when: "at once", extra: Behaviour.answerText(500) },
    { when: "at once", extra: "HTTP/1.1 500 Sta" },
    { when: "at once", extra: "junk" },
    { when: "later", extra: Behaviour.answerText(500) },
    { when: "later", extra: "\r\n\r\njunk" }
  ] as const)("a second answer to one request is never used for the next request: $extra, $when", ({ extra, when }) =>
    Effect.gen(function* () {
      const { connections, idle, url } = yield* receiver({ plan: Behaviour.answerTwice(extra, when) })
      for (let attempt = 1; attempt <= 4; attempt++) {
        expect(yield* send(url)).toEqual({ _tag: "Answered", status: 200, body: "" })
        yield* Effect.promise(idle)
        expect(connections()).toBe(attempt)
      }
    }).pipe(Effect.provide(insecure))
  )
})

/** Sends five requests. The next request then finds an idle connection. */
const openIdleConnection = (url: string) => Effect.forEach(Array.from({ length: 5 }), () => send(url))
