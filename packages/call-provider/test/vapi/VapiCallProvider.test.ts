import { VapiCallProvider } from "@frontdesk/call-provider"
import { CallProvider } from "@frontdesk/core/call/CallProvider"
import type { Fake } from "@frontdesk/provider-fakes/Fake"
import * as FakeVapi from "@frontdesk/provider-fakes/vapi/FakeVapi"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { command, vapi, vapiOptions, vapiSecret } from "../providerSetup.ts"

const open = (options: FakeVapi.Options = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => FakeVapi.open(options)),
    (fake) => Effect.promise(() => fake[Symbol.asyncDispose]())
  )

const lastBody = (fake: Fake): unknown =>
  JSON.parse(fake.requests.findLast(({ method }) => method === "POST")?.body ?? "null")

const start = (number: string, more: Parameters<typeof command>[1] = {}) =>
  Effect.flatMap(CallProvider, ({ start }) => start(command(number, more)))

const pass = (fake: Fake, seconds: number) => Effect.promise(() => fake.advance(seconds * 1000))

const number = "+12025550111"

describe("the requests to Vapi", () => {
  it.effect("a start has the numbers, the maximum duration, the variables and the server for messages", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      yield* start(number).pipe(Effect.provide(vapi(fake.url, new URL("https://api.example.com/frontdesk"))))
      const { ref, variables } = command(number)
      expect(lastBody(fake)).toEqual({
        assistantId: "asst_ada",
        phoneNumberId: FakeVapi.defaults.phoneNumberIds[0],
        customer: { number, externalId: ref },
        assistantOverrides: {
          variableValues: variables,
          metadata: { frontdesk_ref: ref },
          maxDurationSeconds: 600,
          serverMessages: ["status-update", "end-of-call-report", "tool-calls"],
          server: {
            url: "https://api.example.com/frontdesk/providers/vapi/messages",
            timeoutSeconds: 20,
            backoffPlan: { type: "exponential", maxRetries: 5, baseDelaySeconds: 1 },
            headers: { "X-Vapi-Secret": vapiSecret }
          }
        }
      })
    })
  )

  it.effect("a reference that is too long for the customer is sent only in the metadata", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      const ref = "c".repeat(41)
      yield* start(number, { ref }).pipe(Effect.provide(vapi(fake.url)))
      expect(lastBody(fake)).toMatchObject({
        customer: { number },
        assistantOverrides: { metadata: { frontdesk_ref: ref } }
      })
      expect(lastBody(fake)).not.toHaveProperty("customer.externalId")
    })
  )

  it.effect("a start with a credential has its id, and no request has the secret", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      const authentication = { _tag: "Hmac", secret: Redacted.make(vapiSecret), credentialId: "cred" } as const
      yield* start(number).pipe(Effect.provide(VapiCallProvider.layer({ ...vapiOptions(fake.url), authentication })))
      expect(lastBody(fake)).toMatchObject({ assistantOverrides: { server: { credentialId: "cred" } } })
      expect(JSON.stringify(fake.requests)).not.toContain(vapiSecret)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("each number may have its own id, and a start from a number without one is refused without a request", () =>
    Effect.gen(function* () {
      const fake = yield* open({ phoneNumberIds: ["first", "second"] })
      const phoneNumberId = { "+12025550100": "first", "+12025550101": "second" }
      const provider = VapiCallProvider.layer({ ...vapiOptions(fake.url), phoneNumberId })
      yield* Effect.gen(function* () {
        const from = (text: string) => command(text).to
        expect(yield* start(number, { from: from("+12025550101") })).toMatchObject({ _tag: "Accepted" })
        expect(lastBody(fake)).toMatchObject({ phoneNumberId: "second" })
        const before = fake.requests.length
        const answer = yield* start(number, { from: from("+12025550102") })
        expect(answer).toMatchObject({ _tag: "Refused", code: "caller_not_allowed" })
        expect(fake.requests).toHaveLength(before)
        expect(yield* (yield* CallProvider).check).toMatchObject({ isUsable: true })
      }).pipe(Effect.provide(provider.pipe(Layer.provide(FetchHttpClient.layer))))
    })
  )

  it.effect("the request to the control URL of a call has no key", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      yield* Effect.gen(function* () {
        const answer = yield* start(number)
        const providerCallId = answer._tag === "Accepted" ? answer.providerCallId : ""
        yield* pass(fake, 10)
        const { hangUp } = yield* CallProvider
        const { ref, to } = command(number)
        const known = { ref, to, createdAt: DateTime.makeUnsafe(fake.now()), providerCallId }
        expect(yield* hangUp(known)).toEqual({ _tag: "Ended" })
        const control = fake.requests.find(({ url }) => url.pathname.endsWith("/control"))
        expect(control?.body).toBe('{"type":"end-call"}')
        expect(control?.headers).not.toHaveProperty("authorization")
      }).pipe(Effect.provide(vapi(fake.url)))
    })
  )

  it.effect("a check reports a wrong key and an unknown phone number", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      const checkWith = (options: Partial<VapiCallProvider.Options>) =>
        Effect.flatMap(CallProvider, ({ check }) => check).pipe(
          Effect.provide(VapiCallProvider.layer({ ...vapiOptions(fake.url), ...options }))
        )
      const wrongKey = yield* checkWith({ apiKey: Redacted.make("another") })
      expect(wrongKey.isUsable).toBe(false)
      expect(wrongKey.says).toContain("key")
      const noNumber = yield* checkWith({ phoneNumberId: "nowhere" })
      expect(noNumber.isUsable).toBe(false)
      expect(noNumber.says).toContain("phone number nowhere")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})

describe("the state of a call at Vapi", () => {
  it.effect("a call whose start Vapi did not answer is found by our reference among simultaneous calls", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      yield* Effect.gen(function* () {
        const { fetch } = yield* CallProvider
        const ids = yield* Effect.forEach(["call_1", "call_2", "call_3"], (ref) => start(number, { ref }))
        const found = (ref: string) =>
          fetch({ ref, to: command(number).to, createdAt: DateTime.makeUnsafe(fake.now()), providerCallId: null })
        const [, second] = ids
        const providerCallId = second?._tag === "Accepted" ? second.providerCallId : ""
        expect(yield* found("call_2")).toMatchObject({ _tag: "Known", providerCallId })
        expect(yield* found("call_4")).toEqual({ _tag: "NotFound" })
      }).pipe(Effect.provide(vapi(fake.url)))
    })
  )

  it.effect("a fetch returns transcript, recording, summary and cost after the end of the call", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      yield* Effect.gen(function* () {
        const answer = yield* start(number)
        const providerCallId = answer._tag === "Accepted" ? answer.providerCallId : ""
        const { fetch } = yield* CallProvider
        const { ref, to } = command(number)
        const tags = Effect.gen(function* () {
          const snapshot = yield* fetch({ ref, to, createdAt: DateTime.makeUnsafe(fake.now()), providerCallId })
          return snapshot._tag === "Known" ? snapshot.reports.map(({ _tag }) => _tag) : snapshot._tag
        })
        expect(yield* tags).toEqual([])
        yield* pass(fake, 10)
        expect(yield* tags).toEqual(["Ringing", "Answered"])
        yield* pass(fake, 25)
        expect(yield* tags).toEqual(["Ringing", "Answered", "Ended"])
        yield* pass(fake, 10)
        expect(yield* tags).toEqual(["Ringing", "Answered", "Ended", "Transcript", "Recording", "Summary", "Cost"])
      }).pipe(Effect.provide(vapi(fake.url)))
    })
  )
})
