import { RetellCallProvider } from "@frontdesk/call-provider"
import { CallProvider } from "@frontdesk/core/call/CallProvider"
import type { Fake } from "@frontdesk/provider-fakes/Fake"
import * as FakeRetell from "@frontdesk/provider-fakes/retell/FakeRetell"
import { signedHeaders } from "@frontdesk/provider-fakes/retell/Signing"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as ConfigProvider from "effect/ConfigProvider"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import type Retell from "retell-sdk"
import { refusalOf } from "../../src/retell/RetellErrorResponse.ts"
import { startBody } from "../../src/retell/RetellOptions.ts"
import { command, retell, retellOptions } from "../providerSetup.ts"

const open = Effect.acquireRelease(
  Effect.promise(() => FakeRetell.open()),
  (fake) => Effect.promise(() => fake[Symbol.asyncDispose]())
)

/** Starts a server that gives every request the same answer. */
const answering = (status: number, body: string) =>
  Effect.acquireRelease(
    Effect.promise(() => Receiver.open({ plan: Behaviour.answer(status, { body }) })),
    (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
  )

const number = "+12025550111"

const start = (to: string, more: Parameters<typeof command>[1] = {}) =>
  Effect.flatMap(CallProvider, ({ start }) => start(command(to, more)))

const accepted = (more: Parameters<typeof command>[1] = {}) =>
  Effect.map(start(number, more), (answer) => (answer._tag === "Accepted" ? answer.providerCallId : answer._tag))

const pass = (fake: Fake, seconds: number) => Effect.promise(() => fake.advance(seconds * 1000))

const known = (fake: Fake, providerCallId: string | null, ref = command(number).ref) => ({
  ref,
  to: command(number).to,
  createdAt: DateTime.makeUnsafe(fake.now()),
  providerCallId
})

const fetchFrom = (url: string, providerCallId: string | null) =>
  Effect.gen(function* () {
    const { fetch } = yield* CallProvider
    const { ref, to } = command(number)
    return yield* fetch({ ref, to, createdAt: yield* DateTime.now, providerCallId })
  }).pipe(Effect.provide(retell(url)))

describe("the requests to Retell", () => {
  it("a start has the numbers, the agent, the variables as texts, our reference, the duration and our webhook", () => {
    const options = retellOptions("http://127.0.0.1:9", new URL("https://api.example.com/frontdesk"))
    const body: Retell.CallCreatePhoneCallParams = {
      from_number: "+12025550100",
      to_number: number,
      override_agent_id: "asst_ada",
      retell_llm_dynamic_variables: { name: "Zoë", seats: "5", isNew: "true" },
      metadata: { frontdesk_ref: command(number).ref },
      agent_override: {
        agent: {
          webhook_url: "https://api.example.com/frontdesk/providers/retell/webhook",
          webhook_events: ["call_started", "call_ended", "call_analyzed"],
          max_call_duration_ms: 600_000
        }
      }
    }
    expect(startBody(options, command(number))).toEqual(body)
  })

  it.effect("the search for a lost call filters by our reference as the official client does", () =>
    Effect.gen(function* () {
      const fake = yield* open
      const { fetch } = yield* Effect.provide(CallProvider, retell(fake.url))
      expect(yield* fetch(known(fake, null, "call_1"))).toEqual({ _tag: "NotFound" })
      const body: Retell.CallListParams = {
        filter_criteria: { metadata: [{ type: "string", op: "eq", key: "frontdesk_ref", value: "call_1" }] },
        limit: 50
      }
      expect(JSON.parse(fake.requests.at(-1)?.body ?? "")).toEqual(body)
    })
  )

  it.effect("a check reports a wrong key, and the number of calls that are possible at once", () =>
    Effect.gen(function* () {
      const fake = yield* open
      const checkWith = (options: Partial<RetellCallProvider.Options>) =>
        Effect.flatMap(CallProvider, ({ check }) => check).pipe(
          Effect.provide(RetellCallProvider.layer({ ...retellOptions(fake.url), ...options }))
        )
      const wrong = yield* checkWith({ apiKey: Redacted.make("another") })
      expect(wrong.isUsable).toBe(false)
      expect(wrong.says).toContain("key")
      expect(yield* checkWith({})).toEqual({ isUsable: true, says: "Retell answers, and allows 20 calls at once" })
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("an unusable answer makes the check fail with its status", () =>
    Effect.gen(function* () {
      const { url } = yield* answering(200, "<html>")
      const { check } = yield* Effect.provide(CallProvider, retell(url))
      expect(yield* check).toEqual({
        isUsable: false,
        says: "Retell answered 200 to the request for its limits"
      })
    })
  )

  it.effect(
    "the settings choose the key of the signatures: the webhook key if it is given, otherwise the API key",
    () =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        const body = JSON.stringify({ event: "transcript_updated" })
        const url = "https://api.example.com/providers/retell/webhook"
        const accepts = Effect.fnUntraced(function* (settings: Readonly<Record<string, string>>, key: string) {
          const publicUrl = new URL("https://api.example.com")
          const { ingest } = yield* CallProvider.pipe(
            Effect.provide(RetellCallProvider.layerConfig({ publicUrl })),
            Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(settings))
          )
          const headers = signedHeaders(key, body, now.epochMilliseconds)
          return ingest({ method: "POST", url, headers, body: new TextEncoder().encode(body) }, now)._tag
        })
        const api = { FRONTDESK_RETELL_API_KEY: "api" }
        const both = { ...api, FRONTDESK_RETELL_WEBHOOK_KEY: "webhook" }
        expect([yield* accepts(api, "api"), yield* accepts(api, "webhook")]).toEqual(["Reported", "BadSignature"])
        expect([yield* accepts(both, "api"), yield* accepts(both, "webhook")]).toEqual(["BadSignature", "Reported"])
      }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect.each([{ apiKey: Redacted.make("") }, { webhookKey: Redacted.make("") }])(
    "the layer dies with an empty key: %j",
    (keys) =>
      Effect.gen(function* () {
        const layer = RetellCallProvider.layer({ ...retellOptions("http://127.0.0.1:9"), ...keys })
        const exit = yield* Effect.exit(Effect.provide(CallProvider, layer))
        expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
        expect(String(exit)).toContain("is empty")
      }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.each([
    [400, "Concurrency limit reached", "rate_limited", true],
    [400, "from_number must be in E.164 format", "caller_not_allowed", false],
    [404, "Item +12025550100 not found from phone-number", "caller_not_allowed", false],
    [400, "Calls to this country are not allowed", "destination_not_allowed", false],
    [422, "to_number must be in E.164 format", "invalid_number", false],
    [422, "Item agent_1 not found from agent", "assistant_refused", false],
    [402, "Trial has ended", "provider_misconfigured", false],
    [401, "API key is missing or invalid.", "provider_misconfigured", false],
    [403, "Forbidden", "provider_misconfigured", false],
    [429, "Account rate limited", "rate_limited", true],
    [400, "anything else", "provider_error", false]
  ])("an answer of %i with the message %j is a refusal with the code %s", (status, message, code, retryable) => {
    const body = JSON.stringify({ status: "error", message })
    const refusal = refusalOf({ _tag: "Answered", status, body })
    expect(refusal).toMatchObject({ _tag: "Refused", code, retryable })
    expect(refusal.reason).toMatch(new RegExp(`^[a-z'][a-z' ]{10,} \\(Retell: HTTP ${status}\\)$`))
  })
})

describe("the state of a call at Retell", () => {
  it.effect("a call whose start Retell did not answer is found by our reference among simultaneous calls", () =>
    Effect.gen(function* () {
      const fake = yield* open
      yield* Effect.gen(function* () {
        const { fetch } = yield* CallProvider
        const ids = yield* Effect.forEach(["call_1", "call_2", "call_3"], (ref) => accepted({ ref }))
        expect(yield* fetch(known(fake, null, "call_2"))).toMatchObject({ _tag: "Known", providerCallId: ids[1] })
        expect(yield* fetch(known(fake, null, "call_4"))).toEqual({ _tag: "NotFound" })
        yield* pass(fake, 60)
        // The list has no transcript, so the call is also looked up by its id.
        const found = yield* fetch(known(fake, null, "call_2"))
        expect(found._tag === "Known" && found.reports.map(({ _tag }) => _tag)).toContain("Transcript")
      }).pipe(Effect.provide(retell(fake.url)))
    })
  )

  it.effect("a fetch returns transcript, recording and cost after the end of the call, and its summary later", () =>
    Effect.gen(function* () {
      const fake = yield* open
      yield* Effect.gen(function* () {
        const { fetch } = yield* CallProvider
        const id = yield* accepted()
        const tags = Effect.map(fetch(known(fake, id)), (snapshot) =>
          snapshot._tag === "Known" ? snapshot.reports.map(({ _tag }) => _tag) : snapshot._tag
        )
        expect(yield* tags).toEqual([])
        yield* pass(fake, 10)
        expect(yield* tags).toEqual(["Answered"])
        yield* pass(fake, 25)
        expect(yield* tags).toEqual(["Answered", "Ended", "Transcript", "Recording", "Cost"])
        yield* pass(fake, 10)
        expect(yield* tags).toEqual(["Answered", "Ended", "Transcript", "Recording", "Summary", "Cost"])
      }).pipe(Effect.provide(retell(fake.url)))
    })
  )

  it.effect.each([
    [404, '{"status":"error","message":"The requested resource was not found."}', "NotFound"],
    [422, '{"status":"error","message":"Item call_1 not found from call"}', "NotFound"],
    [400, '{"status":"error","message":"Call not found"}', "NotFound"],
    [500, '{"status":"error","message":"Call not found"}', "Unreachable"],
    [422, '{"status":"error","message":"Invalid request"}', "Unreachable"],
    [404, "<html>not found</html>", "Unreachable"],
    [422, "<html>not found</html>", "Unreachable"],
    [200, '{"call_id":"call_1","call_status":"ended","start_timestamp":1700000000000}', "Unreachable"],
    [200, '{"call_id":"call_1","call_status":"error","start_timestamp":1700000000000}', "Unreachable"]
  ] as const)("an answer of %i with %s makes fetch return %s", ([status, body, _tag]) =>
    Effect.gen(function* () {
      const { url } = yield* answering(status, body)
      expect(yield* fetchFrom(url, "call_1")).toMatchObject({ _tag })
    })
  )

  it.effect("a list that ignores the filter and has further pages leaves it open whether a lost call exists", () =>
    Effect.gen(function* () {
      const items = [null, { call_id: 7 }, { call_id: "call_9", metadata: { frontdesk_ref: "another" } }]
      const [partial, whole] = yield* Effect.all([
        answering(200, JSON.stringify({ items, has_more: true })),
        answering(200, JSON.stringify({ items }))
      ])
      expect(yield* fetchFrom(partial.url, null)).toMatchObject({ _tag: "Unreachable" })
      expect(yield* fetchFrom(whole.url, null)).toEqual({ _tag: "NotFound" })
    })
  )

  it.effect("an ongoing call was answered at its start", () =>
    Effect.gen(function* () {
      const body = { call_id: "call_1", call_status: "ongoing", start_timestamp: 1_700_000_000_000 }
      const { url } = yield* answering(200, JSON.stringify(body))
      expect(yield* fetchFrom(url, "call_1")).toMatchObject({
        reports: [{ _tag: "Answered", at: DateTime.makeUnsafe(1_700_000_000_000) }]
      })
    })
  )

  it.effect.each([
    { call_status: "registered", start_timestamp: 1_700_000_000_000 },
    { call_status: "ongoing" },
    { call_status: "a_status_of_next_year" }
  ])("a call with %j is live and not known to be answered", (fields) =>
    Effect.gen(function* () {
      const { url } = yield* answering(200, JSON.stringify({ call_id: "call_1", ...fields }))
      expect(yield* fetchFrom(url, "call_1")).toEqual({ _tag: "Known", providerCallId: "call_1", reports: [] })
    })
  )

  it.effect("an unanswered call without any time ended when it was stored, each time it is asked about", () =>
    Effect.gen(function* () {
      const body = { call_id: "call_1", call_status: "not_connected", disconnection_reason: "dial_busy" }
      const { url } = yield* answering(200, JSON.stringify(body))
      expect(yield* fetchFrom(url, "call_1")).toMatchObject({
        _tag: "Known",
        reports: [{ _tag: "Ended", status: "busy", endedAt: yield* DateTime.now }]
      })
    })
  )
})
