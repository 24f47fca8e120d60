import { describe, expect, it } from "@effect/vitest"
import { Mailer, type MailerError } from "@frontdesk/core/mail/Mailer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { Socket } from "node:net"
import { afterEach, beforeEach, vi } from "vitest"
import * as SmtpMailer from "../src/SmtpMailer.ts"
import { message } from "./samples.ts"
import * as ScriptedServer from "./ScriptedServer.ts"

const stages = ["greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "end"] as const

/** Starts a server, and returns it with a mailer, a send, and a send that is expected to fail. */
const world = (options: Partial<SmtpMailer.Options> = {}) =>
  Effect.gen(function* () {
    const server = yield* ScriptedServer.make
    const layer = SmtpMailer.layer({
      url: Redacted.make(`smtp://desk:s3cret@127.0.0.1:${server.port}`),
      from: "desk@example.com",
      allowInsecure: true,
      ...options
    })
    const context = yield* Layer.build(layer)
    const mailer = Context.get(context, Mailer)
    const send = mailer.send(message("created"))
    return { server, mailer, send, failure: Effect.flip(send) }
  })

const messageOf = (error: MailerError): string => (error.cause instanceof Error ? error.cause.message : "")

/** The end of an answer that quotes addresses and credentials, as the answers of some servers do. */
const quoted = "<zoe@example.com> zoe desk s3cret AGRlc2sAczNjcmV0"

/** A timeout that passes only on the test clock. */
const timeout = "10 minutes"

describe("an answer", () => {
  it.live.each(stages)("a 4xx at %s is retryable, and the retry sends the same bytes", (stage) =>
    Effect.gen(function* () {
      const { failure, send, server } = yield* world()
      server.behave({ [stage]: `451 4.3.0 later ${quoted}` })
      const error = yield* failure
      expect([error.reason, error.isRetryable, error.mayHaveArrived]).toEqual(["transport", true, false])
      server.behave({})
      yield* send
      expect(server.messages).toHaveLength(stage === "end" ? 2 : 1)
      expect(new Set(server.messages).size).toBe(1)
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["greeting", "transport"],
    ["EHLO", "transport"],
    ["AUTH", "unauthorized"],
    ["MAIL", "invalid"],
    ["RCPT", "invalid"],
    ["DATA", "invalid"],
    ["end", "invalid"]
  ] as const)("a 5xx at %s fails with %s, and the next message can be sent", ([stage, reason]) =>
    Effect.gen(function* () {
      const { failure, send, server } = yield* world()
      server.behave({ [stage]: `550 5.7.1 never ${quoted}` })
      expect((yield* failure).reason).toBe(reason)
      server.behave({})
      yield* send
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["RCPT", "452 4.2.2 mailbox full", "transport"],
    ["RCPT", "552 5.2.2 mailbox full", "invalid"],
    ["RCPT", "421 4.7.0 too much", "transport"],
    ["end", "421 4.7.0 shutting down", "transport"],
    ["MAIL", "503 5.5.1 bad sequence", "transport"],
    ["MAIL", "530 5.7.0 log in first", "unauthorized"],
    ["AUTH", "535 5.7.8 wrong", "unauthorized"],
    ["AUTH", "454 4.7.0 later", "transport"],
    ["AUTH", "421 4.7.0 too many", "transport"],
    ["greeting", "421 4.3.2 busy", "transport"]
  ] as const)("at %s the answer %s fails with %s", ([stage, answer, reason]) =>
    Effect.gen(function* () {
      const { failure, server } = yield* world()
      server.behave({ [stage]: answer })
      expect((yield* failure).reason).toBe(reason)
    }).pipe(Effect.scoped)
  )

  it.live("a server that offers no login receives no mail when the settings have a login (D-MAIL-14)", () =>
    Effect.gen(function* () {
      const { failure, server } = yield* world()
      server.behave({ EHLO: "250 hello", AUTH: "502 5.5.1 unknown" })
      expect((yield* failure).reason).toBe("unauthorized")
      expect(server.messages).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live.each(stages)("the error for an answer at %s has its status, and nothing that the server quotes", (stage) =>
    Effect.gen(function* () {
      const { failure, server } = yield* world()
      server.behave({ [stage]: `554 5.7.1 ${quoted}` })
      const error = yield* failure
      expect(messageOf(error)).toMatch(/^the mail server answered 554 5\.7\.1/)
      expect(JSON.stringify([error, messageOf(error), String(error)])).not.toMatch(/zoe|s3cret|AGRl/)
    }).pipe(Effect.scoped)
  )
})

describe("a connection", () => {
  it.live.each(stages)("a connection closed at %s is retryable, and the mailer itself sends once", (stage) =>
    Effect.gen(function* () {
      const { failure, send, server } = yield* world()
      server.behave({ [stage]: "cut" })
      const error = yield* failure
      expect(error.reason).toBe("transport")
      if (stage === "end") expect(error.mayHaveArrived).toBe(true)
      expect(server.messages).toHaveLength(stage === "end" ? 1 : 0)
      server.behave({})
      yield* send
      // The mailer cannot know whether the message or only the answer was lost. The retry must have the same bytes, so that
      // the customer's mail program recognizes the message.
      expect(new Set(server.messages).size).toBe(1)
    }).pipe(Effect.scoped)
  )

  it.effect.each(stages)(
    "a server that is silent at %s fails after the timeout, and the next message is sent",
    (stage) =>
      Effect.gen(function* () {
        const { failure, send, server } = yield* world({ timeout })
        server.behave({ [stage]: "silence" })
        const sending = yield* Effect.forkChild(failure)
        yield* server.reached(stage)
        yield* TestClock.adjust(timeout)
        const error = yield* Fiber.join(sending)
        expect([error.reason, messageOf(error)]).toEqual(["transport", "the mail server took too long"])
        server.behave({})
        yield* send
      }).pipe(Effect.scoped)
  )

  it.effect.each(["greeting", "RCPT", "end"] as const)(
    "a server that answers without an end at %s fails after the timeout",
    (stage) =>
      Effect.gen(function* () {
        const { failure, server } = yield* world({ timeout })
        server.behave({ [stage]: "trickle" })
        const sending = yield* Effect.forkChild(failure)
        yield* server.until(() => server.trickles() >= 3)
        yield* TestClock.adjust(timeout)
        expect((yield* Fiber.join(sending)).reason).toBe("transport")
      }).pipe(Effect.scoped)
  )

  it.effect("a message that finds no free connection within a fifth of the timeout is not sent (D-MAIL-7)", () =>
    Effect.gen(function* () {
      const { send, server } = yield* world({ maxConnections: 3, timeout })
      server.behave({ end: "held" })
      const sending = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 8 }, () => Effect.isSuccess(send)),
          { concurrency: "unbounded" }
        )
      )
      yield* server.until(() => server.messages.length === 3)
      yield* TestClock.adjust("2 minutes")
      server.release()
      const results = yield* Fiber.join(sending)
      expect(results.filter((isSent) => isSent)).toHaveLength(3)
      expect(server.messages).toHaveLength(3)
    }).pipe(Effect.scoped)
  )

  it.live("a refused connection is retryable", () =>
    Effect.gen(function* () {
      const { failure } = yield* world({ url: Redacted.make("smtp://127.0.0.1:1") })
      const error = yield* failure
      expect([error.reason, messageOf(error)]).toEqual(["transport", "the mail server refused the connection"])
    }).pipe(Effect.scoped)
  )

  it.live("a connection is reused for the next message, also after a refused message", () =>
    Effect.gen(function* () {
      const { failure, send, server } = yield* world({ maxConnections: 1 })
      yield* send
      server.behave({ RCPT: "550 5.1.1 unknown" })
      yield* failure
      server.behave({})
      yield* send
      expect([server.connections(), server.messages.length]).toEqual([1, 2])
    }).pipe(Effect.scoped)
  )

  it.live("a message is sent over a new connection when the server has closed the idle one", () =>
    Effect.gen(function* () {
      const { send, server } = yield* world()
      yield* send
      server.hangUp()
      yield* send
      expect([server.connections(), server.messages.length]).toEqual([2, 2])
    }).pipe(Effect.scoped)
  )

  it.effect("12 simultaneous messages are sent over at most maxConnections connections", () =>
    Effect.gen(function* () {
      const { send, server } = yield* world({ maxConnections: 2, timeout })
      yield* Effect.all(
        Array.from({ length: 12 }, () => send),
        { concurrency: "unbounded", discard: true }
      )
      expect(server.messages).toHaveLength(12)
      expect(server.connections()).toBeLessThanOrEqual(2)
    }).pipe(Effect.scoped)
  )

  it.effect("an interrupted message closes its connection, and the next message gets a new one", () =>
    Effect.gen(function* () {
      const { send, server } = yield* world({ maxConnections: 1, timeout })
      server.behave({ end: "silence" })
      const sending = yield* Effect.forkChild(send)
      yield* server.until(() => server.messages.length === 1)
      yield* Fiber.interrupt(sending)
      server.behave({})
      yield* send
      expect(server.messages).toHaveLength(2)
    }).pipe(Effect.scoped)
  )

  it.effect("all connections are closed with the scope, after the messages in progress", () =>
    Effect.gen(function* () {
      const server = yield* ScriptedServer.make
      const options = {
        url: Redacted.make(`smtp://127.0.0.1:${server.port}`),
        from: "desk@example.com",
        allowInsecure: true,
        timeout
      } as const
      const sending = yield* Effect.gen(function* () {
        const mailer = yield* Mailer
        yield* mailer.send(message("created"))
        return yield* Effect.forkDetach(mailer.send(message("updated")), { startImmediately: true })
      }).pipe(Effect.provide(SmtpMailer.layer(options)))
      yield* Fiber.join(sending)
      expect(server.messages).toHaveLength(2)
      yield* server.until(() => server.open() === 0)
    }).pipe(Effect.scoped)
  )
})

describe("a timer of the SMTP client", () => {
  beforeEach(useFakeTimers)
  afterEach(() => void vi.useRealTimers())

  const pass = (millis: number) =>
    Effect.andThen(
      TestClock.adjust(millis),
      Effect.sync(() => vi.advanceTimersByTime(millis))
    )

  it.effect("a timer ends a connection on which no greeting arrives within 40% of the timeout", () =>
    Effect.gen(function* () {
      const { failure, server } = yield* world({ timeout })
      server.behave({ greeting: "silence" })
      const sending = yield* Effect.forkChild(failure)
      yield* server.reached("greeting")
      yield* pass(240_000)
      expect(messageOf(yield* Fiber.join(sending))).toBe("the mail server took too long")
    }).pipe(Effect.scoped)
  )

  it.effect.each([
    ["greeting", 239_999],
    ["EHLO", 599_999],
    ["RCPT", 599_999],
    ["end", 599_999]
  ] as const)(
    "no timer ends a connection whose answer at %s comes %i ms into the timeout of 10 minutes",
    ([stage, millis]) =>
      Effect.gen(function* () {
        const { send, server } = yield* world({ timeout })
        server.behave({ [stage]: "held" })
        const sending = yield* Effect.forkChild(send)
        yield* server.reached(stage)
        yield* pass(millis)
        server.release()
        yield* Fiber.join(sending)
        expect(server.messages).toHaveLength(1)
      }).pipe(Effect.scoped)
  )
})

/** Replaces the timers that the SMTP client uses, and those of sockets, by timers that the test advances. */
function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] })
  const timers = new Map<Socket, NodeJS.Timeout>()
  vi.spyOn(Socket.prototype, "setTimeout").mockImplementation(function (this: Socket, millis) {
    clearTimeout(timers.get(this))
    if (millis > 0)
      timers.set(
        this,
        setTimeout(() => this.emit("timeout"), millis)
      )
    return this
  })
}
