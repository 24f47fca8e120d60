import { describe, expect, it } from "@effect/vitest"
import { Mailer, type MailerError } from "@frontdesk/core/mail/Mailer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as SmtpMailer from "../src/SmtpMailer.ts"
import { message } from "./samples.ts"
import * as ScriptedServer from "./ScriptedServer.ts"

const stages = ["greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "end"] as const

/** A server, and what a send to it came to. */
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

const wordsOf = (error: MailerError): string => (error.cause instanceof Error ? error.cause.message : "")

/** An answer that repeats what was sent, as servers do. */
const chatty = "<zoe@example.com> zoe desk s3cret AGRlc2sAczNjcmV0"

describe("an answer", () => {
  it.live.each(stages)("of 4xx at %s is tried again", (stage) =>
    Effect.gen(function* () {
      const { failure, send, server } = yield* world()
      server.behave({ [stage]: `451 4.3.0 later ${chatty}` })
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
  ] as const)("of 5xx at %s is %s", ([stage, reason]) =>
    Effect.gen(function* () {
      const { failure, send, server } = yield* world()
      server.behave({ [stage]: `550 5.7.1 never ${chatty}` })
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
  ] as const)("at %s of %s is %s", ([stage, answer, reason]) =>
    Effect.gen(function* () {
      const { failure, server } = yield* world()
      server.behave({ [stage]: answer })
      expect((yield* failure).reason).toBe(reason)
    }).pipe(Effect.scoped)
  )

  it.live("that offers no login leaves mail that has one unsent (D-MAIL-14)", () =>
    Effect.gen(function* () {
      const { failure, server } = yield* world()
      server.behave({ EHLO: "250 hello", AUTH: "502 5.5.1 unknown" })
      expect((yield* failure).reason).toBe("unauthorized")
      expect(server.messages).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live.each(stages)("at %s is told to the operator without what the server repeats", (stage) =>
    Effect.gen(function* () {
      const { failure, server } = yield* world()
      server.behave({ [stage]: `554 5.7.1 ${chatty}` })
      const error = yield* failure
      expect(wordsOf(error)).toMatch(/^the mail server answered 554 5\.7\.1/)
      expect(JSON.stringify([error, wordsOf(error), String(error)])).not.toMatch(/zoe|s3cret|AGRl/)
    }).pipe(Effect.scoped)
  )
})

describe("a connection", () => {
  it.live.each(stages)("that is cut at %s is tried again, and never twice by itself", (stage) =>
    Effect.gen(function* () {
      const { failure, send, server } = yield* world()
      server.behave({ [stage]: "cut" })
      const error = yield* failure
      expect(error.reason).toBe("transport")
      if (stage === "end") expect(error.mayHaveArrived).toBe(true)
      expect(server.messages).toHaveLength(stage === "end" ? 1 : 0)
      server.behave({})
      yield* send
      // An answer that was lost is not known from a message that was: the repeat has the same bytes.
      expect(new Set(server.messages).size).toBe(1)
    }).pipe(Effect.scoped)
  )

  it.live.each(stages)("that is silent at %s is given up in time", (stage) =>
    Effect.gen(function* () {
      const { failure, send, server } = yield* world({ timeout: "1 second" })
      server.behave({ [stage]: "silence" })
      const error = yield* failure
      expect([error.reason, wordsOf(error)]).toEqual(["transport", "the mail server took too long"])
      server.behave({})
      yield* send
    }).pipe(Effect.scoped)
  )

  it.live.each(["greeting", "RCPT", "end"] as const)("that goes on without an end at %s is given up in time", (stage) =>
    Effect.gen(function* () {
      const { failure, server } = yield* world({ timeout: "1 second" })
      server.behave({ [stage]: "trickle" })
      expect((yield* failure).reason).toBe("transport")
    }).pipe(Effect.scoped)
  )

  it.live.each(["EHLO", "RCPT", "end"] as const)(
    "that is slow at %s is waited for as long as a message may take",
    (stage) =>
      Effect.gen(function* () {
        const { send, server } = yield* world({ timeout: "1 second" })
        server.behave({ [stage]: "slow" })
        yield* send
        expect(server.messages).toHaveLength(1)
      }).pipe(Effect.scoped)
  )

  it.live("a slow server is given no message that cannot be waited for (D-MAIL-7)", () =>
    Effect.gen(function* () {
      const { send, server } = yield* world({ timeout: "2 seconds" })
      server.behave({ end: "slow" })
      const sends = Array.from({ length: 8 }, () => Effect.isSuccess(send))
      const results = yield* Effect.all(sends, { concurrency: "unbounded" })
      expect(server.messages).toHaveLength(results.filter((isSent) => isSent).length)
    }).pipe(Effect.scoped)
  )

  it.live("that nobody takes is tried again", () =>
    Effect.gen(function* () {
      const { failure } = yield* world({ url: Redacted.make("smtp://127.0.0.1:1") })
      const error = yield* failure
      expect([error.reason, wordsOf(error)]).toEqual(["transport", "the mail server refused the connection"])
    }).pipe(Effect.scoped)
  )

  it.live("is kept for the next message, also after one was refused", () =>
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

  it.live("that the server has closed meanwhile costs no message: another one is made", () =>
    Effect.gen(function* () {
      const { send, server } = yield* world()
      yield* send
      server.hangUp()
      yield* send
      expect([server.connections(), server.messages.length]).toEqual([2, 2])
    }).pipe(Effect.scoped)
  )

  it.live("there are no more of them than said", () =>
    Effect.gen(function* () {
      const { send, server } = yield* world({ maxConnections: 2, timeout: "10 seconds" })
      yield* Effect.all(
        Array.from({ length: 12 }, () => send),
        { concurrency: "unbounded", discard: true }
      )
      expect(server.messages).toHaveLength(12)
      expect(server.connections()).toBeLessThanOrEqual(2)
    }).pipe(Effect.scoped)
  )

  it.live("a message that is given up ends its connection and frees its place", () =>
    Effect.gen(function* () {
      const { send, server } = yield* world({ maxConnections: 1, timeout: "10 minutes" })
      server.behave({ end: "silence" })
      const sending = yield* Effect.forkChild(send)
      yield* Effect.suspend(() => (server.messages.length === 1 ? Effect.void : Effect.fail("not yet"))).pipe(
        Effect.retry({ schedule: Schedule.spaced("5 millis") })
      )
      yield* Fiber.interrupt(sending)
      server.behave({})
      yield* send
      expect(server.messages).toHaveLength(2)
    }).pipe(Effect.scoped)
  )

  it.live("all are closed with the scope, after what is under way", () =>
    Effect.gen(function* () {
      const server = yield* ScriptedServer.make
      const options = {
        url: Redacted.make(`smtp://127.0.0.1:${server.port}`),
        from: "desk@example.com",
        allowInsecure: true,
        timeout: "10 minutes"
      } as const
      const sending = yield* Effect.gen(function* () {
        const mailer = yield* Mailer
        yield* mailer.send(message("created"))
        return yield* Effect.forkDetach(mailer.send(message("updated")), { startImmediately: true })
      }).pipe(Effect.provide(SmtpMailer.layer(options)))
      yield* Fiber.join(sending)
      expect(server.messages).toHaveLength(2)
      yield* Effect.suspend(() => (server.open() === 0 ? Effect.void : Effect.fail("still open"))).pipe(
        Effect.retry({ schedule: Schedule.spaced("5 millis") })
      )
    }).pipe(Effect.scoped)
  )
})
