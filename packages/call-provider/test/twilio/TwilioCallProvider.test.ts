import { TwilioCallProvider } from "@frontdesk/call-provider"
import { CallProvider, type CallSnapshot } from "@frontdesk/core/call/CallProvider"
import type { Fake } from "@frontdesk/provider-fakes/Fake"
import * as FakeTwilio from "@frontdesk/provider-fakes/twilio/FakeTwilio"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import {
  recordingOf,
  reportsOf as reportsOfCall,
  TwilioCall,
  TwilioCallList,
  TwilioRecordings
} from "../../src/twilio/TwilioCall.ts"
import { command, twilio, twilioOptions } from "../providerSetup.ts"

const { accountSid } = FakeTwilio.defaults

const number = "+12025550111"

const open = (options: FakeTwilio.Options = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => FakeTwilio.open(options)),
    (fake) => Effect.promise(() => fake[Symbol.asyncDispose]())
  )

const formOf = (fake: Fake) => new URLSearchParams(fake.requests.findLast(({ method }) => method === "POST")?.body)

/** Returns the reports of a call, or the snapshot itself when the call is not known. */
const reportsOf = (snapshot: CallSnapshot) => (snapshot._tag === "Known" ? snapshot.reports : snapshot)

const start = (number: string, more: Parameters<typeof command>[1] = {}) =>
  Effect.flatMap(CallProvider, ({ start }) => start(command(number, more)))

const fetch = (number: string, known: { readonly ref?: string; readonly id?: string; readonly at: number }) =>
  Effect.flatMap(CallProvider, ({ fetch }) => {
    const { ref, to } = command(number)
    const createdAt = DateTime.makeUnsafe(known.at)
    return fetch({ ref: known.ref ?? ref, to, createdAt, providerCallId: known.id ?? null })
  })

const pass = (fake: Fake, seconds: number) => Effect.promise(() => fake.advance(seconds * 1000))

describe("the requests to Twilio", () => {
  it.effect("a start has both numbers, the maximum duration, the voice URL and the callback URL", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      const publicUrl = new URL("https://api.example.com/frontdesk/")
      yield* start("+12025550111").pipe(Effect.provide(twilio(fake.url, publicUrl)))
      const form = formOf(fake)
      const callback = `https://api.example.com/frontdesk/providers/twilio/callbacks?ref=${command("+12025550111").ref}#rc=3&rp=5xx,ct,rt`
      expect(form.get("To")).toBe("+12025550111")
      expect(form.get("From")).toBe("+12025550100")
      expect(form.get("TimeLimit")).toBe("600")
      expect(form.getAll("StatusCallbackEvent")).toEqual(["initiated", "ringing", "answered", "completed"])
      expect([form.get("StatusCallback"), form.get("RecordingStatusCallback")]).toEqual([callback, callback])
      expect(form.get("Record")).toBe("true")
      expect(form.has("MachineDetection")).toBe(false)
      const voice = new URL(form.get("Url") ?? "")
      expect(voice.origin + voice.pathname).toBe("https://voice.example/talk")
      expect(Object.fromEntries(voice.searchParams)).toEqual({
        tenant: "1",
        ref: command("+12025550111").ref,
        assistant_id: "asst_ada",
        var_name: "Zoë",
        var_seats: "5",
        var_isNew: "true"
      })
    })
  )

  it.effect("recording and machine detection are requested only when the options say so (D-PROV-13)", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      const { isRecording: _, ...options } = twilioOptions(fake.url)
      const plain = TwilioCallProvider.layer(options)
      yield* start("+12025550111").pipe(Effect.provide(plain))
      expect(formOf(fake).has("Record")).toBe(false)
      yield* start("+12025550111").pipe(
        Effect.provide(TwilioCallProvider.layer({ ...options, isDetectingMachines: true }))
      )
      expect(formOf(fake).get("MachineDetection")).toBe("Enable")
      expect(formOf(fake).get("AsyncAmd")).toBe("true")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("the voice URL has all variables up to 4,000 characters, and a link to them when it would be longer", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      const publicUrl = new URL("https://api.example.com/frontdesk/")
      const started = Effect.fnUntraced(
        function* (length: number) {
          const variables = { name: "Zoë", notes: "x".repeat(length) }
          expect(yield* start("+12025550111", { variables })).toMatchObject({ _tag: "Accepted" })
          return new URL(formOf(fake).get("Url") ?? "")
        },
        Effect.provide(twilio(fake.url, publicUrl))
      )
      const shortest = (yield* started(0)).href.length
      const fitting = yield* started(4_000 - shortest)
      expect(fitting.href).toHaveLength(4_000)
      expect(fitting.searchParams.has("variables_url")).toBe(false)
      const moved = yield* started(4_001 - shortest)
      const { ref } = command("+12025550111")
      expect([...moved.searchParams.keys()]).toEqual(["tenant", "ref", "assistant_id", "variables_url"])
      expect(moved.searchParams.get("variables_url")).toMatch(
        new RegExp(
          `^https://api\\.example\\.com/frontdesk/providers/twilio/variables\\?ref=${ref}&signature=[\\w-]{43}$`
        )
      )
    })
  )

  it.effect("the link to the variables identifies its call, and a changed link identifies none", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      const { ref } = command("+12025550111")
      const layer = twilio(fake.url)
      yield* start("+12025550111", { variables: { notes: "x".repeat(4_000) } }).pipe(Effect.provide(layer))
      const url = new URL(formOf(fake).get("Url") ?? "").searchParams.get("variables_url") ?? ""
      const { variablesOf } = yield* Effect.provide(CallProvider, layer)
      const refOf = (url: string, method = "GET") => variablesOf({ method, url, headers: {} })
      expect(refOf(url)).toBe(ref)
      expect(refOf(url, "POST")).toBeNull()
      expect(refOf(url.replace("ref=call_0", "ref=call_1"))).toBeNull()
      expect(refOf(url.replace(/signature=./, "signature=."))).toBeNull()
    })
  )

  it.effect("a start whose voice URL is too long without variables is refused without a request (D-PROV-12)", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      const answer = yield* start("+12025550111", { assistantId: "a".repeat(4_000) }).pipe(
        Effect.provide(twilio(fake.url))
      )
      expect(answer).toMatchObject({ _tag: "Refused", code: "voice_url_too_long", retryable: false })
      expect(fake.requests).toEqual([])
    })
  )

  it.effect.each([
    ["+15005550001", "invalid_number"],
    ["+15005550002", "destination_unreachable"],
    ["+15005550003", "destination_not_allowed"],
    ["+15005550004", "destination_not_allowed"]
  ] as const)("a call to %s is refused with %s", ([number, code]) =>
    Effect.gen(function* () {
      const fake = yield* open()
      const answer = yield* start(number).pipe(Effect.provide(twilio(fake.url)))
      expect(answer).toMatchObject({ _tag: "Refused", code, retryable: false })
    })
  )

  it.effect.each([
    [21211, "invalid_number"],
    [21609, "provider_misconfigured"]
  ] as const)("an answer with the error %i is a refusal with the code %s", ([refusalCode, code]) =>
    Effect.gen(function* () {
      const fake = yield* open()
      fake.script("+12025550111", { start: "refuse", refusalCode })
      const answer = yield* start("+12025550111").pipe(Effect.provide(twilio(fake.url)))
      expect(answer).toMatchObject({ _tag: "Refused", code, retryable: false })
    })
  )

  it.effect(
    "an agent's number that is not allowed and a wrong token have different codes, and a check names the token",
    () =>
      Effect.gen(function* () {
        const fake = yield* open()
        const { to: from } = command("+15005550001")
        const caller = yield* start("+12025550111", { from }).pipe(Effect.provide(twilio(fake.url)))
        expect(caller).toMatchObject({ _tag: "Refused", code: "caller_not_allowed" })
        const wrongToken = { ...twilioOptions(fake.url), authToken: Redacted.make("another") }
        const answer = yield* start("+12025550111").pipe(Effect.provide(TwilioCallProvider.layer(wrongToken)))
        expect(answer).toMatchObject({ _tag: "Refused", code: "provider_misconfigured", retryable: false })
        const { check } = yield* CallProvider.pipe(Effect.provide(TwilioCallProvider.layer(wrongToken)))
        const { isUsable, says } = yield* check
        expect(isUsable).toBe(false)
        expect(says).toContain("SID and token")
      }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("requests use the API key when there is one", () =>
    Effect.gen(function* () {
      const sid = `SK${"1".repeat(32)}`
      const fake = yield* open({ authToken: "another", apiKey: { sid, secret: "key secret" } })
      const options = { ...twilioOptions(fake.url), apiKey: { sid, secret: Redacted.make("key secret") } }
      const answer = yield* start("+12025550111").pipe(Effect.provide(TwilioCallProvider.layer(options)))
      expect(answer._tag).toBe("Accepted")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})

describe("the account's token", () => {
  it.effect("a check verifies the account's token also when requests use an API key", () =>
    Effect.gen(function* () {
      const sid = `SK${"1".repeat(32)}`
      const fake = yield* open({ apiKey: { sid, secret: "key secret" } })
      const options = { ...twilioOptions(fake.url), apiKey: { sid, secret: Redacted.make("key secret") } }
      const check = (options: TwilioCallProvider.Options) =>
        Effect.flatMap(CallProvider, ({ check }) => check).pipe(Effect.provide(TwilioCallProvider.layer(options)))
      expect((yield* check(options)).isUsable).toBe(true)
      expect((yield* check({ ...options, authToken: Redacted.make("another") })).says).toContain("token")
      const key = { sid, secret: Redacted.make("another") }
      expect((yield* check({ ...options, apiKey: key })).says).toContain("API key")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("the layer dies with an empty token", () =>
    Effect.gen(function* () {
      const options = { ...twilioOptions("http://127.0.0.1:9"), authToken: Redacted.make("") }
      const exit = yield* Effect.exit(Effect.provide(CallProvider, TwilioCallProvider.layer(options)))
      expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})

describe("the state of a call at Twilio", () => {
  const resource = {
    sid: "CA1",
    status: "no-answer",
    to: number,
    direction: "outbound-api",
    date_created: "Sat, 21 Nov 2026 12:00:00 +0000",
    date_updated: "Sat, 21 Nov 2026 12:01:00 +0000",
    start_time: null,
    end_time: null,
    duration: null
  }

  it.each([
    ["no-answer", "no_answer"],
    ["busy", "busy"],
    ["failed", "failed"],
    ["canceled", "cancelled"]
  ])("a call that is %s and has no end time ended at its last change", (status, expected) => {
    const reports = reportsOfCall(Schema.decodeUnknownSync(TwilioCall)({ ...resource, status }))
    const endedAt = DateTime.makeUnsafe("2026-11-21T12:01:00Z")
    expect(reports).toContainEqual({ _tag: "Ended", status: expected, answeredAt: null, endedAt, reason: status })
  })

  it("a field that differs from the documentation does not affect the other fields (D-PROV-10)", () => {
    const odd = { ...resource, start_time: "", price: 7, answered_by: [] }
    expect(reportsOfCall(Schema.decodeUnknownSync(TwilioCall)(odd)).map(({ _tag }) => _tag)).toContain("Ended")
    const list = { calls: [resource, { ...resource, date_created: "" }], next_page_uri: 7 }
    expect(Schema.decodeUnknownSync(TwilioCallList)(list).calls).toHaveLength(2)
  })

  it("a recording without a media URL has the URL of its resource", () => {
    const list = (more: object) =>
      Schema.decodeUnknownSync(TwilioRecordings)({ recordings: [{ status: "completed", uri: "/R/RE1.json", ...more }] })
    const origin = "https://api.twilio.com"
    expect(recordingOf(list({}), origin)).toEqual([{ _tag: "Recording", url: `${origin}/R/RE1` }])
    const url = "https://bucket.example/1"
    expect(recordingOf(list({ media_url: url }), origin)).toEqual([{ _tag: "Recording", url }])
  })

  it.effect("a fetch returns the recording, and returns the price as a cost as soon as Twilio has it", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      const provider = twilio(fake.url)
      yield* Effect.gen(function* () {
        const answer = yield* start("+12025550111")
        const id = answer._tag === "Accepted" ? answer.providerCallId : ""
        yield* pass(fake, 40)
        const before = yield* fetch("+12025550111", { id, at: fake.now() })
        expect(JSON.stringify(before)).not.toContain("Cost")
        yield* pass(fake, 60)
        const after = reportsOf(yield* fetch("+12025550111", { id, at: fake.now() }))
        expect(after).toMatchObject([
          { _tag: "Ringing" },
          { _tag: "Answered" },
          { _tag: "Ended" },
          { _tag: "Cost", amount: 14_000 },
          {
            _tag: "Recording",
            url: `https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Recordings/${id.replace("CA", "RE")}`
          }
        ])
      }).pipe(Effect.provide(provider))
    })
  )

  it.effect("a call that machine detection attributes to a machine ends with the reason voicemail", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      const provider = TwilioCallProvider.layer({ ...twilioOptions(fake.url), isDetectingMachines: true })
      yield* Effect.gen(function* () {
        const answer = yield* start("+12025550004")
        yield* pass(fake, 60)
        const id = answer._tag === "Accepted" ? answer.providerCallId : ""
        const reports = reportsOf(yield* fetch("+12025550004", { id, at: fake.now() }))
        expect(reports).toContainEqual(expect.objectContaining({ _tag: "Ended", reason: "voicemail" }))
      }).pipe(Effect.provide(provider.pipe(Layer.provide(FetchHttpClient.layer))))
    })
  )

  it.effect("an answered call is hung up with the status completed", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      yield* Effect.gen(function* () {
        const answer = yield* start("+12025550111")
        yield* pass(fake, 5)
        const { hangUp } = yield* CallProvider
        const { ref, to } = command("+12025550111")
        const providerCallId = answer._tag === "Accepted" ? answer.providerCallId : ""
        const known = { ref, to, createdAt: DateTime.makeUnsafe(fake.now()), providerCallId }
        expect(yield* hangUp(known)).toEqual({ _tag: "Ended" })
        expect(formOf(fake).get("Status")).toBe("completed")
      }).pipe(Effect.provide(twilio(fake.url)))
    })
  )
})

describe("a start whose answer was lost", () => {
  it.effect(
    "the call is NotFound if Twilio created none at that time, and is never guessed otherwise (D-PROV-11)",
    () =>
      Effect.gen(function* () {
        const fake = yield* open()
        const at = fake.now()
        yield* start(number).pipe(Effect.provide(twilio(fake.url)))
        const { fetch, hangUp } = yield* CallProvider.pipe(Effect.provide(twilio(fake.url)))
        const { ref, to } = command(number)
        const known = (seconds: number) => ({
          ref,
          to,
          createdAt: DateTime.makeUnsafe(at + seconds * 1000),
          providerCallId: null
        })
        for (const seconds of [90, -120]) {
          expect(yield* fetch(known(seconds))).toEqual({ _tag: "NotFound" })
          expect(yield* hangUp(known(seconds))).toMatchObject({ _tag: "Unknown" })
        }
        // The clock of this server is half a minute fast, right, and half a minute slow.
        for (const seconds of [30, 0, -30]) {
          expect(yield* fetch(known(seconds))).toMatchObject({ _tag: "Unreachable" })
          expect(yield* hangUp(known(seconds))).toMatchObject({ _tag: "Unknown" })
        }
        yield* pass(fake, 3_600)
        expect(yield* fetch(known(0))).toMatchObject({ _tag: "Unreachable" })
        // The only POST is the start, so no call was hung up.
        expect(fake.requests.filter(({ method }) => method === "POST")).toHaveLength(1)
      })
  )

  it.effect("the call is Unreachable when Twilio has more calls than one page of a list", () =>
    Effect.gen(function* () {
      const fake = yield* open()
      const provider = twilio(fake.url)
      const starts = Effect.forEach(
        Array.from({ length: 101 }, (_, index) => `call_${index}`),
        (ref) => start(number, { ref })
      )
      yield* starts.pipe(Effect.provide(provider))
      // No call was created at this time, but the calls that are not on the page are unknown.
      const at = fake.now() - 3_600_000
      expect(yield* fetch(number, { at }).pipe(Effect.provide(Layer.fresh(provider)))).toMatchObject({
        _tag: "Unreachable"
      })
    })
  )
})
