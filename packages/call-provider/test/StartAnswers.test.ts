import * as net from "node:net"
import { CallProvider, type StartAnswer } from "@frontdesk/core/call/CallProvider"
import type { Fake } from "@frontdesk/provider-fakes/Fake"
import * as FakeTwilio from "@frontdesk/provider-fakes/twilio/FakeTwilio"
import * as FakeVapi from "@frontdesk/provider-fakes/vapi/FakeVapi"
import { TwilioCallProvider, VapiCallProvider } from "@frontdesk/call-provider"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { afterAll } from "vitest"
import { command, twilio, twilioOptions, vapi, vapiOptions } from "./outside.ts"

const fakes: { readonly [name: string]: Fake } = { Twilio: await FakeTwilio.open(), Vapi: await FakeVapi.open() }
afterAll(() => Promise.all(Object.values(fakes).map((fake) => fake[Symbol.asyncDispose]())))

/** The provider at an address, which waits a fifth of a second for the answer to a start. */
const impatient = {
  Twilio: (url: string) => TwilioCallProvider.layer({ ...twilioOptions(url), timeout: "100 millis" }),
  Vapi: (url: string) => VapiCallProvider.layer({ ...vapiOptions(url), timeout: "100 millis" })
}
const patient = { Twilio: twilio, Vapi: vapi }

const start = (to: string, ref = "call_1") => Effect.flatMap(CallProvider, ({ start }) => start(command(to, { ref })))

/** An answer that says yes for either provider, and goes on for 11 MiB. */
const enormous = JSON.stringify({ sid: `CA${"1".repeat(32)}`, id: "1", more: "x".repeat(11 * 1024 * 1024) })

const isStart = ({ method, url }: Fake["requests"][number]) =>
  method === "POST" && /\/(Calls\.json|call)$/.test(url.pathname)

describe.each(["Twilio", "Vapi"] as const)("starts at %s", (name) => {
  const fake = fakes[name]
  if (fake === undefined) throw new Error(`no fake of ${name}`)

  const asked = Effect.sync(() => fake.requests.filter(isStart).length)

  /** What came of a start, and how often it was asked. */
  const outcome = Effect.fnUntraced(function* (number: string) {
    const before = yield* asked
    const answer: StartAnswer = yield* start(number)
    return { answer, asked: (yield* asked) - before }
  })

  it.effect.each([
    ["+12025550003", { _tag: "Refused", retryable: false }],
    ["+12025550007", { _tag: "Refused", retryable: true, code: "rate_limited" }]
  ] as const)("a call to %s is refused, and asked for once", ([number, answer]) =>
    Effect.gen(function* () {
      expect(yield* outcome(number)).toMatchObject({ answer, asked: 1 })
    }).pipe(Effect.provide(patient[name](fake.url)))
  )

  it.effect.each([
    ["an error of the provider that has made no call", "+12025550008"],
    ["an error of the provider that has made the call", "+12025550009"],
    ["a connection that is closed before the call is made", "+12025550012"],
    ["a connection that is closed after the call is made", "+12025550013"],
    ["an answer that cannot be read", "+12025550014"]
  ] as const)("%s leaves it unknown, and it is never asked for again", ([, number]) =>
    Effect.gen(function* () {
      expect(yield* outcome(number)).toMatchObject({ answer: { _tag: "Unknown" }, asked: 1 })
    }).pipe(Effect.provide(patient[name](fake.url)))
  )

  it.live.each([
    ["that has made no call", "+12025550010"],
    ["that has made the call", "+12025550011"]
  ] as const)("a provider %s and does not answer leaves it unknown, and it is never asked for again", ([, number]) =>
    Effect.gen(function* () {
      expect(yield* outcome(number)).toEqual({
        answer: { _tag: "Unknown", cause: "no complete answer within the timeout" },
        asked: 1
      })
    }).pipe(Effect.provide(impatient[name](fake.url).pipe(Layer.provide(FetchHttpClient.layer))))
  )

  it.effect("a provider that is not there has surely not called: trying again later helps", () =>
    Effect.gen(function* () {
      const port = yield* Effect.promise(freePort)
      for (const url of [`http://127.0.0.1:${port}`, "http://nobody.invalid"]) {
        const answer = yield* start("+12025550111").pipe(Effect.provide(patient[name](url)))
        expect(answer).toMatchObject({ _tag: "Refused", code: "provider_unreachable", retryable: true })
      }
    })
  )

  it.effect.each([
    ["a redirect", Behaviour.answer(307, { headers: { location: "/elsewhere" } }), "Unknown"],
    ["408", Behaviour.answer(408, { body: "{}" }), "Unknown"],
    ["a page of a proxy with 502", Behaviour.answer(502, { body: "<html>" }), "Unknown"],
    ["200 with another body", Behaviour.answer(200, { body: '{"sid":"no","id":7}' }), "Unknown"],
    ["a yes with a body beyond all bounds", Behaviour.answer(201, { body: enormous }), "Unknown"],
    ["a connection that is reset before an answer", Behaviour.reset("before the head"), "Unknown"],
    ["a connection that is reset within the answer", Behaviour.reset("after the head"), "Unknown"],
    ["an answer that is no HTTP", Behaviour.garbage, "Unknown"],
    ["421, after which fetch would ask again", Behaviour.answer(421, { body: "{}" }), "Refused"],
    ["401", Behaviour.answer(401, { body: "{}" }), "Refused"],
    ["a page of a proxy with 403", Behaviour.answer(403, { body: "<html>" }), "Refused"]
  ] as const)("%s is taken for what it is, and asked for once", ([, plan, _tag]) =>
    Effect.gen(function* () {
      const receiver = yield* Effect.acquireRelease(
        Effect.promise(() => Receiver.open({ plan })),
        (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
      )
      const answer = yield* start("+12025550111").pipe(Effect.provide(patient[name](receiver.url)))
      expect(answer).toMatchObject({ _tag })
      expect(receiver.requests).toHaveLength(1)
    })
  )

  it.effect.each(["reset", "end"] as const)(
    "a kept connection that is closed without an answer (%s) leaves it unknown, and it is never asked for again",
    (how) =>
      Effect.gen(function* () {
        const receiver = yield* Effect.acquireRelease(
          Effect.promise(() => Receiver.open({ plan: Behaviour.closeReused(how) })),
          (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
        )
        const answers = yield* Effect.gen(function* () {
          const answers: Array<StartAnswer> = []
          // A connection is kept a moment after its answer was read.
          while (receiver.requests.every(({ turn }) => turn === 1) && answers.length < 50)
            answers.push(yield* start("+12025550111"))
          return answers
        }).pipe(Effect.provide(patient[name](receiver.url)))
        expect(receiver.requests.at(-1)?.turn).toBe(2)
        expect(answers.at(-1)).toMatchObject({ _tag: "Unknown" })
        expect(receiver.requests).toHaveLength(answers.length)
      })
  )

  it.effect("a refusal for which the settings are to blame is logged", () =>
    Effect.gen(function* () {
      const receiver = yield* Effect.acquireRelease(
        Effect.promise(() => Receiver.open({ plan: Behaviour.answer(401, { body: "{}" }) })),
        (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
      )
      const logged: Array<string> = []
      yield* start("+12025550111").pipe(
        Effect.provide([
          patient[name](receiver.url),
          Logger.layer([Logger.map(Logger.formatJson, (line) => void logged.push(line))])
        ])
      )
      expect(logged).toHaveLength(1)
      expect(logged[0]).toContain("the installation is not set up to make calls")
    })
  )

  it.effect("a start says how long it is, whatever it is sent with (D-PROV-8)", () =>
    Effect.gen(function* () {
      const receiver = yield* Effect.acquireRelease(
        Effect.promise(() => Receiver.open()),
        (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
      )
      yield* start("+12025550111").pipe(Effect.provide(patient[name](receiver.url)))
      const [{ body, headers } = { body: "", headers: {} }] = receiver.requests
      expect(body.length).toBeGreaterThan(0)
      expect(headers).toMatchObject({ "content-length": String(body.length) })
    })
  )

  it.effect.each(["+12025550009", "+12025550013", "+12025550014"])(
    "the call to %s whose answer was lost is found by asking where our reference is kept, and never taken on a guess",
    (number) =>
      Effect.gen(function* () {
        yield* Effect.promise(() => fake.advance(3_600_000))
        const createdAt = DateTime.makeUnsafe(fake.now())
        yield* TestClock.setTime(fake.now())
        const { fetch } = yield* CallProvider
        const { ref, to } = command(number, { ref: `call_${number.slice(1)}` })
        expect(yield* fetch({ ref, to, createdAt, providerCallId: null })).toEqual({ _tag: "NotFound" })
        expect(yield* start(to, ref)).toMatchObject({ _tag: "Unknown" })
        const asked = yield* fetch({ ref, to, createdAt, providerCallId: null })
        if (name === "Twilio") return expect(asked).toMatchObject({ _tag: "Unreachable" })
        expect(asked).toMatchObject({ _tag: "Known", reports: [] })
        yield* Effect.promise(() => fake.advance(3_600_000))
        const found = yield* fetch({ ref, to, createdAt, providerCallId: null })
        if (found._tag !== "Known") throw new Error(found._tag)
        expect(found.reports.map(({ _tag }) => _tag)).toContain("Ended")
      }).pipe(Effect.provide(patient[name](fake.url)))
  )

  it.effect("nothing of a credential is in an answer, whatever becomes of the request (D-PROV-9)", () =>
    Effect.gen(function* () {
      for (const number of ["0003", "0007", "0008", "0012", "0014", "0111"]) {
        const said = JSON.stringify(yield* start(`+1202555${number}`))
        expect(said).not.toMatch(/12345"|vapi-key|the-secret|Basic|Bearer/)
      }
      const { check } = yield* CallProvider
      expect(JSON.stringify(yield* check)).not.toMatch(/12345"|vapi-key|the-secret|Basic|Bearer/)
    }).pipe(Effect.provide(patient[name](fake.url)))
  )

  it.effect("a page of a proxy with 404 does not say that there is no such call", () =>
    Effect.gen(function* () {
      const plan = Behaviour.answer(404, { body: "<html>" })
      const receiver = yield* Effect.acquireRelease(
        Effect.promise(() => Receiver.open({ plan })),
        (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
      )
      const { fetch } = yield* Effect.provide(CallProvider, patient[name](receiver.url))
      const { ref, to } = command("+12025550111")
      const known = { ref, to, createdAt: yield* DateTime.now, providerCallId: `CA${"1".repeat(32)}` }
      expect(yield* fetch(known)).toEqual({ _tag: "Unreachable", cause: `${name} answered 404` })
    })
  )

  it.effect("a provider that cannot be asked is unreachable, and whether it has hung up is unknown", () =>
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
        Layer.unwrap(Effect.map(Effect.promise(freePort), (port) => patient[name](`http://127.0.0.1:${port}`)))
      )
    )
  )
})

/** A port at which nobody listens. */
const freePort = () =>
  new Promise<number>((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
