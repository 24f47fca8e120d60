import { freePort } from "@frontdesk/provider-fakes/FreePort"
import { CallProvider, type StartAnswer } from "@frontdesk/core/call/CallProvider"
import type { Fake } from "@frontdesk/provider-fakes/Fake"
import * as FakeRetell from "@frontdesk/provider-fakes/retell/FakeRetell"
import * as FakeTwilio from "@frontdesk/provider-fakes/twilio/FakeTwilio"
import * as FakeVapi from "@frontdesk/provider-fakes/vapi/FakeVapi"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { afterAll, vi } from "vitest"
import { command, retell, twilio, vapi } from "./providerSetup.ts"

const fakes: { readonly [name: string]: Fake } = {
  Twilio: await FakeTwilio.open(),
  Vapi: await FakeVapi.open(),
  Retell: await FakeRetell.open()
}
afterAll(() => Promise.all(Object.values(fakes).map((fake) => fake[Symbol.asyncDispose]())))

const providers = { Twilio: twilio, Vapi: vapi, Retell: retell }

/** The timeout of a start: twice the default timeout of a request. */
const startTimeout = "20 seconds"

const start = (to: string, ref = "call_1") => Effect.flatMap(CallProvider, ({ start }) => start(command(to, { ref })))

/** A body of 11 MiB that each provider would read as an accepted start. */
const tooLargeBody = JSON.stringify({
  sid: `CA${"1".repeat(32)}`,
  id: "1",
  call_id: "1",
  more: "x".repeat(11 * 1024 * 1024)
})

const isStart = ({ method, url }: Fake["requests"][number]) =>
  method === "POST" && /\/(Calls\.json|call|create-phone-call)$/.test(url.pathname)

describe.each(["Twilio", "Vapi", "Retell"] as const)("starts at %s", (name) => {
  const fake = fakes[name]
  if (fake === undefined) throw new Error(`There is no fake of ${name}`)

  const countStarts = Effect.sync(() => fake.requests.filter(isStart).length)

  /** Starts a call, and returns the answer with the number of requests that were sent for it. */
  const outcome = Effect.fnUntraced(function* (number: string) {
    const before = yield* countStarts
    const answer: StartAnswer = yield* start(number)
    return { answer, requests: (yield* countStarts) - before }
  })

  it.effect.each([
    ["+12025550003", { _tag: "Refused", retryable: false }],
    ["+12025550007", { _tag: "Refused", retryable: true, code: "rate_limited" }]
  ] as const)("a call to %s is refused after one request", ([number, answer]) =>
    Effect.gen(function* () {
      expect(yield* outcome(number)).toMatchObject({ answer, requests: 1 })
    }).pipe(Effect.provide(providers[name](fake.url)))
  )

  it.effect.each([
    ["an error of the provider without a call", "+12025550008"],
    ["an error of the provider after it has created the call", "+12025550009"],
    ["a connection closed before the call is created", "+12025550012"],
    ["a connection closed after the call is created", "+12025550013"],
    ["an answer that cannot be read", "+12025550014"]
  ] as const)("%s leaves the start unknown after one request", ([, number]) =>
    Effect.gen(function* () {
      expect(yield* outcome(number)).toMatchObject({ answer: { _tag: "Unknown" }, requests: 1 })
    }).pipe(Effect.provide(providers[name](fake.url)))
  )

  it.effect.each([
    ["has not created the call", "+12025550010"],
    ["has created the call", "+12025550011"]
  ] as const)("a provider that %s and does not answer leaves the start unknown after one request", ([, number]) =>
    Effect.gen(function* () {
      const before = yield* countStarts
      const starting = yield* Effect.forkChild(outcome(number))
      yield* Effect.promise(() =>
        vi.waitUntil(() => fake.requests.filter(isStart).length > before, { interval: 5, timeout: 30_000 })
      )
      yield* TestClock.adjust(startTimeout)
      expect(yield* Fiber.join(starting)).toEqual({
        answer: { _tag: "Unknown", cause: "no complete answer within the timeout" },
        requests: 1
      })
    }).pipe(Effect.provide(providers[name](fake.url)))
  )

  it.effect("a start at a provider without a connection is refused and can be retried", () =>
    Effect.gen(function* () {
      const port = yield* Effect.promise(() => freePort())
      for (const url of [`http://127.0.0.1:${port}`, "http://unknown.invalid"]) {
        const answer = yield* start("+12025550111").pipe(Effect.provide(providers[name](url)))
        expect(answer).toMatchObject({ _tag: "Refused", code: "provider_unreachable", retryable: true })
      }
    })
  )

  it.effect.each([
    ["a redirect", "Unknown", Behaviour.answer(307, { headers: { location: "/elsewhere" } })],
    ["408", "Unknown", Behaviour.answer(408, { body: "{}" })],
    ["502 with the page of a proxy", "Unknown", Behaviour.answer(502, { body: "<html>" })],
    ["200 without the id of a call", "Unknown", Behaviour.answer(200, { body: '{"sid":"no","id":7,"call_id":""}' })],
    ["201 with a body of 11 MiB", "Unknown", Behaviour.answer(201, { body: tooLargeBody })],
    ["a connection that is reset before the answer", "Unknown", Behaviour.reset("before the head")],
    ["a connection that is reset during the answer", "Unknown", Behaviour.reset("after the head")],
    ["an answer that is not HTTP", "Unknown", Behaviour.garbage],
    ["421, after which fetch would repeat the request", "Refused", Behaviour.answer(421, { body: "{}" })],
    ["401", "Refused", Behaviour.answer(401, { body: "{}" })],
    ["403 with the page of a proxy", "Refused", Behaviour.answer(403, { body: "<html>" })]
  ] as const)("%s makes the result of a start %s after one request", ([, _tag, plan]) =>
    Effect.gen(function* () {
      const receiver = yield* Effect.acquireRelease(
        Effect.promise(() => Receiver.open({ plan })),
        (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
      )
      const answer = yield* start("+12025550111").pipe(Effect.provide(providers[name](receiver.url)))
      expect(answer).toMatchObject({ _tag })
      expect(receiver.requests).toHaveLength(1)
    })
  )

  it.effect.each(["reset", "end"] as const)(
    "an idle connection that the provider closes without an answer (%s) leaves the start unknown after one request",
    (how) =>
      Effect.gen(function* () {
        const receiver = yield* Effect.acquireRelease(
          Effect.promise(() => Receiver.open({ plan: Behaviour.closeReused(how) })),
          (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
        )
        const answers = yield* Effect.gen(function* () {
          const answers: Array<StartAnswer> = []
          // A connection becomes reusable a moment after its answer was read, so starts are repeated until one reuses it.
          while (receiver.requests.every(({ turn }) => turn === 1) && answers.length < 50)
            answers.push(yield* start("+12025550111"))
          return answers
        }).pipe(Effect.provide(providers[name](receiver.url)))
        expect(receiver.requests.at(-1)?.turn).toBe(2)
        expect(answers.at(-1)).toMatchObject({ _tag: "Unknown" })
        expect(receiver.requests).toHaveLength(answers.length)
      })
  )

  it.effect("a refusal that the settings have caused is logged as provider.misconfigured", () =>
    Effect.gen(function* () {
      const receiver = yield* Effect.acquireRelease(
        Effect.promise(() => Receiver.open({ plan: Behaviour.answer(401, { body: "{}" }) })),
        (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
      )
      yield* LogCapture.collect(
        Effect.fnUntraced(function* (lines) {
          yield* Effect.provide(start("+12025550111"), providers[name](receiver.url))
          expect(lines.map(({ event }) => event)).toEqual(["provider.misconfigured"])
        }),
        "Info"
      )
    })
  )

  it.effect("the request of a start has a Content-Length, although its body is a stream (D-PROV-8)", () =>
    Effect.gen(function* () {
      const receiver = yield* Effect.acquireRelease(
        Effect.promise(() => Receiver.open()),
        (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
      )
      yield* start("+12025550111").pipe(Effect.provide(providers[name](receiver.url)))
      const [{ body, headers } = { body: "", headers: {} }] = receiver.requests
      expect(body.length).toBeGreaterThan(0)
      expect(headers).toMatchObject({ "content-length": String(body.length) })
    })
  )

  it.effect.each(["+12025550009", "+12025550013", "+12025550014"])(
    "the call to %s, whose start had no answer, is found if the provider stores our reference, and never guessed",
    (number) =>
      Effect.gen(function* () {
        yield* Effect.promise(() => fake.advance(3_600_000))
        const createdAt = DateTime.makeUnsafe(fake.now())
        yield* TestClock.setTime(fake.now())
        const { fetch } = yield* CallProvider
        const { ref, to } = command(number, { ref: `call_${number.slice(1)}` })
        expect(yield* fetch({ ref, to, createdAt, providerCallId: null })).toEqual({ _tag: "NotFound" })
        expect(yield* start(to, ref)).toMatchObject({ _tag: "Unknown" })
        const snapshot = yield* fetch({ ref, to, createdAt, providerCallId: null })
        if (name === "Twilio") return expect(snapshot).toMatchObject({ _tag: "Unreachable" })
        expect(snapshot).toMatchObject({ _tag: "Known", reports: [] })
        yield* Effect.promise(() => fake.advance(3_600_000))
        const found = yield* fetch({ ref, to, createdAt, providerCallId: null })
        if (found._tag !== "Known") throw new Error(found._tag)
        expect(found.reports.map(({ _tag }) => _tag)).toContain("Ended")
      }).pipe(Effect.provide(providers[name](fake.url)))
  )

  it.effect("no answer and no check contains a credential, whatever the result of the request is (D-PROV-9)", () =>
    Effect.gen(function* () {
      for (const number of ["0003", "0007", "0008", "0012", "0014", "0111"]) {
        const answer = JSON.stringify(yield* start(`+1202555${number}`))
        expect(answer).not.toMatch(/12345"|vapi-key|the-secret|key_0123|Basic|Bearer/)
      }
      const { check } = yield* CallProvider
      expect(JSON.stringify(yield* check)).not.toMatch(/12345"|vapi-key|the-secret|key_0123|Basic|Bearer/)
    }).pipe(Effect.provide(providers[name](fake.url)))
  )

  it.effect("a 404 with the page of a proxy does not mean that the call does not exist", () =>
    Effect.gen(function* () {
      const plan = Behaviour.answer(404, { body: "<html>" })
      const receiver = yield* Effect.acquireRelease(
        Effect.promise(() => Receiver.open({ plan })),
        (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
      )
      const { fetch } = yield* Effect.provide(CallProvider, providers[name](receiver.url))
      const { ref, to } = command("+12025550111")
      const known = { ref, to, createdAt: yield* DateTime.now, providerCallId: `CA${"1".repeat(32)}` }
      expect(yield* fetch(known)).toEqual({ _tag: "Unreachable", cause: `${name} answered 404` })
    })
  )

  it.effect(
    "without a connection fetch returns Unreachable, hangUp Unknown, and a check that the provider is unusable",
    () =>
      Effect.gen(function* () {
        const { check, fetch, hangUp } = yield* CallProvider
        const { ref, to } = command("+12025550111")
        const createdAt = yield* DateTime.now
        for (const providerCallId of [null, `CA${"1".repeat(32)}`]) {
          expect(yield* fetch({ ref, to, createdAt, providerCallId })).toMatchObject({ _tag: "Unreachable" })
          expect(yield* hangUp({ ref, to, createdAt, providerCallId })).toMatchObject({ _tag: "Unknown" })
        }
        expect(yield* check).toMatchObject({ isUsable: false })
      }).pipe(
        Effect.provide(
          Layer.unwrap(
            Effect.map(
              Effect.promise(() => freePort()),
              (port) => providers[name](`http://127.0.0.1:${port}`)
            )
          )
        )
      )
  )
})
