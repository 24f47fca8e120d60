import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { Mailer, type Message } from "@frontdesk/core/mail/Mailer"
import { AccountId } from "@frontdesk/core/access/Account"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { Behaviour, Flood } from "@frontdesk/testing"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe } from "vitest"
import { MailService, mailer } from "./MailService.ts"

const message: Message = {
  kind: "created",
  previous: {},
  account: { name: "The\nclinic", timeZone: TimeZone.make("Europe/Paris") },
  event: {
    ...Samples.newCalendarEvent(AccountId.make(1), { title: "Check-up", description: "Please be early." }),
    id: CalendarEventId.make(1),
    customer: { name: "Jo", email: "jo@example.com", phone: "", notes: "" }
  }
}

const send = Effect.flatMap(Mailer, (service) => service.send(message))
const check = Effect.flatMap(Mailer, (service) => service.check)
const layer = Layer.provideMerge(mailer, MailService.layer)

/** Runs an effect while the mail service has this behaviour. */
const when = <A, E>(behaviour: Behaviour.Behaviour, effect: Effect.Effect<A, E, Mailer | MailService>) =>
  Effect.gen(function* () {
    const service = yield* MailService
    service.plan(behaviour)
    return yield* effect
  }).pipe(Effect.provide(layer))

it.effect(
  "a mail has the customer's address, a subject in one line, and the start time in the account's time zone",
  () =>
    Effect.gen(function* () {
      yield* send
      const { requests } = yield* MailService
      expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /messages"])
      expect(requests[0]?.headers["authorization"]).toBe("Bearer a-secret-key")
      expect(JSON.parse(String(requests[0]?.body))).toEqual({
        from: "desk@example.com",
        to: "jo@example.com",
        subject: "The clinic: Check-up (created)",
        text: "Check-up\n2026-03-02T10:00:00.123+01:00\n\nPlease be early."
      })
    }).pipe(Effect.provide(layer))
)

it.effect("a mail that is sent again after a lost answer has the same body and idempotency key", () =>
  Effect.gen(function* () {
    const { plan, requests } = yield* MailService
    plan(Behaviour.failFirst(1, Behaviour.reset()), "/messages")
    yield* Effect.retry(send, { times: 1, while: ({ isRetryable }) => isRetryable })
    const [first, second] = requests.map(({ body, headers }) => [headers["idempotency-key"], String(body)])
    expect(second).toEqual(first)
    expect(requests).toHaveLength(2)
  }).pipe(Effect.provide(layer))
)

describe("answers of the mail service", () => {
  it.effect.each([
    [400, "invalid", false],
    [401, "unauthorized", false],
    [403, "unauthorized", false],
    [408, "transport", true],
    [409, "transport", true],
    [422, "invalid", false],
    [429, "transport", true],
    [500, "transport", true],
    [503, "transport", true]
  ] as const)("status %i fails with the reason %s", ([status, reason, isRetryable]) =>
    Effect.gen(function* () {
      const error = yield* when(Behaviour.answer(status, { body: "a-secret-key jo@example.com" }), Effect.flip(send))
      expect(error).toMatchObject({ reason, isRetryable, cause: `the mail service answered ${status}` })
    })
  )

  it.effect.each([Behaviour.reset(), Behaviour.hangUp, Behaviour.garbage])(
    "an exchange without an answer fails with a retryable error",
    (none) =>
      Effect.gen(function* () {
        const error = yield* when(none, Effect.flip(send))
        expect(error).toMatchObject({ isRetryable: true, cause: "the mail service gave no answer" })
      })
  )

  it.effect("a redirect fails, and the key is not sent to its target", () =>
    Effect.gen(function* () {
      const service = yield* MailService
      service.plan(Behaviour.redirect(307, `${service.url}/elsewhere`), "/messages")
      expect(yield* Effect.flip(send)).toMatchObject({ reason: "invalid", isRetryable: false })
      expect(service.requests.map(({ path }) => path)).toEqual(["/messages"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("an answer whose body never ends is cancelled after its status", () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const endless: Behaviour.Behaviour = {
      ...Flood.endless,
      act: (socket, request) => {
        socket.once("close", () => resolve())
        Flood.endless.act(socket, request)
      }
    }
    return when(
      endless,
      Effect.andThen(
        send,
        Effect.promise(() => closed)
      )
    )
  })

  it.effect("a missing answer fails after ten seconds", () =>
    Effect.gen(function* () {
      const service = yield* MailService
      const sending = yield* Effect.forkChild(Effect.flip(send))
      yield* Effect.promise(() => service.received(1))
      yield* TestClock.adjust("9999 millis")
      expect(sending.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      const error = yield* Fiber.join(sending)
      expect(error).toMatchObject({ isRetryable: true, cause: "the mail service took too long" })
    }).pipe((test) => when(Behaviour.hang, test))
  )
})

it.effect("check sends the key and no mail, and returns whether the service accepts the key", () =>
  Effect.gen(function* () {
    expect(yield* check).toEqual({ isUsable: true, says: "the mail service accepts the key" })
    const { plan, requests } = yield* MailService
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /account"])
    plan(Behaviour.answer(401))
    expect(yield* check).toEqual({ isUsable: false, says: "the mail service answered 401" })
  }).pipe(Effect.provide(layer))
)
