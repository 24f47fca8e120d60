import { balance } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import { Agents } from "@frontdesk/core/agent/Agents"
import { type Call, durationSeconds } from "@frontdesk/core/call/Call"
import { type Callback, CallProvider, type ProviderReport } from "@frontdesk/core/call/CallProvider"
import { apply } from "@frontdesk/core/call/CallReports"
import { Calls } from "@frontdesk/core/call/Calls"
import { isTerminal } from "@frontdesk/core/call/CallStatus"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Money from "@frontdesk/core/values/Money"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import type { Fake } from "@frontdesk/provider-fakes/Fake"
import * as FakeRetell from "@frontdesk/provider-fakes/retell/FakeRetell"
import * as FakeTwilio from "@frontdesk/provider-fakes/twilio/FakeTwilio"
import * as FakeVapi from "@frontdesk/provider-fakes/vapi/FakeVapi"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { call as anyCall, madeAt } from "@frontdesk/testing/arbitrary/call"
import { makeAccount, makeAgent, newAccount } from "@frontdesk/testing/suite/Samples"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { type CallbackServer, command, openCallbackServer, retell, twilio, vapi } from "./providerSetup.ts"

const startAt = Date.parse("2026-11-21T12:00:00Z")

const providers = {
  Twilio: { open: () => FakeTwilio.open({ startAt }), layer: twilio },
  Vapi: { open: () => FakeVapi.open({ startAt }), layer: vapi },
  Retell: { open: () => FakeRetell.open({ startAt }), layer: retell }
}

/** The names of the webhook events that were published. */
class PublishedEvents extends Context.Service<PublishedEvents, Array<string>>()(
  "@frontdesk/call-provider/test/ProviderCalls.test/PublishedEvents"
) {
  static readonly layer = Layer.sync(PublishedEvents, () => [])
}

/** The fake of the provider, and the server that receives its callbacks. */
class FakeProvider extends Context.Service<FakeProvider, { readonly fake: Fake; readonly server: CallbackServer }>()(
  "@frontdesk/call-provider/test/ProviderCalls.test/FakeProvider"
) {}

const publisher = Layer.effect(
  WebhookEventPublisher,
  Effect.map(PublishedEvents, (published) =>
    WebhookEventPublisher.make({
      prepare: () => Effect.succeed(({ name }) => Effect.sync(() => void published.push(name))),
      notify: Effect.void
    })
  )
)

/** Provides the calls over a fake of a provider, with its worker and a storage in memory. */
const callsOver = ({ layer, open }: (typeof providers)["Twilio"]) => {
  const fakeProvider = Layer.effect(
    FakeProvider,
    Effect.gen(function* () {
      const close = (server: AsyncDisposable) => Effect.promise(() => server[Symbol.asyncDispose]())
      yield* TestClock.setTime(startAt)
      return {
        fake: yield* Effect.acquireRelease(Effect.promise(open), close),
        server: yield* Effect.acquireRelease(Effect.promise(openCallbackServer), close)
      }
    })
  )
  const provider = Layer.unwrap(Effect.map(FakeProvider, ({ fake, server }) => layer(fake.url, server.url)))
  return Layer.mergeAll(Calls.layer, CallReconciliationWorker.layer).pipe(
    Layer.provideMerge(provider),
    Layer.provideMerge(fakeProvider),
    Layer.provide(Agents.layer),
    Layer.provideMerge(publisher),
    Layer.provideMerge(
      Layer.mergeAll(MemoryStorage.layer, Crypto.layerWebCrypto, CalendarSync.layerNone, PublishedEvents.layer)
    )
  )
}

/** Makes the callback server apply the reports of each callback. */
const applyCallbacks = Effect.gen(function* () {
  const { applyReport } = yield* Calls
  const { ingest } = yield* CallProvider
  const { fake, server } = yield* FakeProvider
  const run = Effect.runPromiseWith(yield* Effect.context())
  server.answer(async (callback) => {
    const ingested = ingest(callback, DateTime.makeUnsafe(fake.now()))
    if (ingested._tag !== "Reported") return ingested._tag === "BadSignature" ? 403 : 400
    for (const report of ingested.reports) await run(Effect.orDie(applyReport(report)))
    return 204
  })
})

/** Makes the callback server ignore every callback. */
const ignoreCallbacks = Effect.gen(function* () {
  const { server } = yield* FakeProvider
  server.answer(async () => 200)
})

/** Advances the clocks of the fake and of the test. */
const pass = Effect.fnUntraced(function* (seconds: number) {
  const { fake } = yield* FakeProvider
  yield* Effect.promise(() => fake.advance(seconds * 1000))
  yield* TestClock.adjust(seconds * 1000)
})

const start = Effect.fnUntraced(function* (number: string) {
  const accounts = yield* AccountStore
  const { settings } = newAccount()
  const price = Money.Money.make(Money.scale / 10)
  const account = yield* makeAccount({ settings: { ...settings, pricePerMinute: price } })
  yield* accounts.changeFunds(account.id, { deposits: Money.Money.make(10 * Money.scale) }, Samples.cause)
  const agent = yield* makeAgent(account.id)
  const calls = yield* Calls
  const principal = { agent, account, apiKeyId: null, permissions: new Set(Permission.all) }
  const as = Effect.provideService(Principal, principal)
  const { call } = yield* calls.start({ agentId: agent.id, phoneNumber: number }).pipe(as)
  return { call, now: calls.get(call.callId).pipe(as), balance: Effect.map(accounts.funds(account.id), balance) }
})

const answered = { status: "completed", billing: { status: "charged" } }
const unanswered = (status: string) => ({ status, startedAt: null, billing: { status: "refunded" } })

const scripts: ReadonlyArray<readonly [name: string, number: string, call: object, seconds: number]> = [
  ["is answered", "+12025550111", answered, 30],
  ["is busy", "+12025550001", unanswered("busy"), 0],
  ["is not answered", "+12025550002", unanswered("no_answer"), 0],
  ["is answered by voicemail", "+12025550004", answered, 30],
  ["fails", "+12025550006", unanswered("failed"), 0],
  ["was created although its start was answered with an error", "+12025550009", answered, 30],
  ["was created although the answer to its start was lost", "+12025550013", answered, 30],
  ["was created although the answer to its start cannot be read", "+12025550014", answered, 30],
  ["is reported twice", "+12025550015", answered, 30],
  ["is reported in reverse order", "+12025550016", answered, 30],
  ["is reported late", "+12025550017", answered, 30],
  ["is reported before its start is answered", "+12025550018", answered, 30],
  ["is also reported with wrong signatures", "+12025550019", answered, 30],
  ["is cut off", "+12025550020", answered, 2]
]

/** The numbers whose calls are created although the answer to their start is lost. */
const lost = new Set(["+12025550009", "+12025550013", "+12025550014"])

/** Returns the fields of a call that must not depend on how its state was found out. */
const essence = ({
  billing,
  endedAt,
  endedReason,
  providerCallId,
  recordingUrl,
  startedAt,
  status,
  summary,
  transcript
}: Call) => ({
  billing,
  endedAt,
  endedReason,
  hasId: providerCallId !== null,
  // The URL of a recording contains the id of the call.
  hasRecording: recordingUrl !== null,
  startedAt,
  status,
  summary,
  transcript
})

describe.each(["Twilio", "Vapi", "Retell"] as const)("calls over %s", (name) => {
  const environment = () => callsOver(providers[name])

  it.effect.each(scripts)("a call that %s gets its complete state from callbacks", ([, number, expected, seconds]) =>
    Effect.gen(function* () {
      yield* applyCallbacks
      const { balance, call, now } = yield* start(number)
      expect(call.status).toBe("queued")
      yield* pass(120)
      const ended = yield* now
      expect(ended).toMatchObject(expected)
      expect(durationSeconds(ended)).toBe(seconds)
      // The account has deposited 10, and each started minute costs 0.1, both in millionths.
      expect(yield* balance).toBe(seconds === 0 ? 10_000_000 : 9_900_000)
      const published = yield* PublishedEvents
      const data =
        seconds === 0
          ? []
          : name === "Twilio"
            ? ["call.recording"]
            : ["call.transcript", "call.recording", "call.summary"]
      const states = seconds === 0 ? ["call.failed"] : ["call.started", "call.ended"]
      expect([...published].toSorted()).toEqual([...states, ...data].toSorted())
    }).pipe(Effect.provide(environment()))
  )

  // Twilio stores no reference of ours. A call whose id was lost with the answer to its start cannot be looked up there.
  const findable = scripts.filter(([, number]) => name !== "Twilio" || !lost.has(number))

  it.effect.each(findable)("a call that %s gets the same state from reconciliation as from callbacks", ([, number]) =>
    Effect.gen(function* () {
      const outcome = Effect.fnUntraced(
        function* (handleCallbacks: Effect.Effect<void, never, CallProvider | Calls | FakeProvider>) {
          yield* handleCallbacks
          const { now } = yield* start(number)
          const { runOnce } = yield* CallReconciliationWorker
          for (let seconds = 0; seconds < 180; seconds += 5) {
            yield* pass(5)
            if (handleCallbacks === ignoreCallbacks) yield* runOnce
          }
          return essence(yield* now)
        },
        (effect) => Effect.provide(effect, Layer.fresh(environment()).pipe(Layer.provideMerge(TestClock.layer())))
      )
      expect(yield* outcome(ignoreCallbacks)).toEqual(yield* outcome(applyCallbacks))
    })
  )

  it.effect.each(["+12025550008", "+12025550012"])(
    "a call to %s that was never created fails after the timeout and costs nothing",
    (number) =>
      Effect.gen(function* () {
        yield* applyCallbacks
        const { balance, now } = yield* start(number)
        expect(yield* now).toMatchObject({ status: "queued", submission: "unknown" })
        // A start without an answer fails two minutes later.
        yield* pass(125)
        yield* (yield* CallReconciliationWorker).runOnce
        expect(yield* now).toMatchObject({ status: "failed", endedReason: "provider_timeout" })
        expect(yield* balance).toBe(10_000_000)
      }).pipe(Effect.provide(environment()))
  )

  it.effect("a call that is hung up during the conversation is charged for the conversation so far", () =>
    Effect.gen(function* () {
      yield* applyCallbacks
      const { call, now } = yield* start("+12025550111")
      yield* pass(10)
      expect((yield* now).status).toBe("in_progress")
      const { hangUp } = yield* CallProvider
      const { callId: ref, createdAt, phoneNumber: to, providerCallId } = yield* now
      expect(yield* hangUp({ ref, to, createdAt, providerCallId })).toEqual({ _tag: "Ended" })
      yield* pass(60)
      expect(yield* now).toMatchObject({ callId: call.callId, status: "completed", billing: { status: "charged" } })
      // The call rang for 3 of the 10 seconds.
      expect(durationSeconds(yield* now)).toBe(7)
      expect(yield* hangUp({ ref, to, createdAt, providerCallId })).toEqual({ _tag: "AlreadyOver" })
    }).pipe(Effect.provide(environment()))
  )

  it.effect("a callback about an unknown call changes nothing", () =>
    Effect.gen(function* () {
      yield* applyCallbacks
      const { fake, server } = yield* FakeProvider
      const { ingest } = yield* CallProvider
      const { now } = yield* start("+12025550111")
      const url = new URL(`/providers/${name.toLowerCase()}/x`, server.url).href
      yield* Effect.promise(() => fake.callBackUnknown(url))
      expect(server.callbacks).toHaveLength(1)
      expect((yield* now).status).toBe("queued")
      const [callback] = server.callbacks
      if (callback === undefined) return
      const ingested = ingest(callback, DateTime.makeUnsafe(fake.now()))
      if (ingested._tag !== "Reported") throw new Error(ingested._tag)
      const { applyReport } = yield* Calls
      expect(yield* Effect.forEach(ingested.reports, applyReport)).toEqual([false])
    }).pipe(Effect.provide(environment()))
  )
})

describe("two calls to one number over Twilio", () => {
  it.effect("a call that was never created is not mistaken for the created one, and is refunded after a day", () =>
    Effect.gen(function* () {
      yield* applyCallbacks
      const { fake, server } = yield* FakeProvider
      const number = "+12025550111"
      fake.script(number, { start: "cut" })
      const missing = yield* start(number)
      fake.script(number, {})
      yield* pass(5)
      const created = yield* start(number)
      const known = {
        ref: missing.call.callId,
        to: missing.call.phoneNumber,
        createdAt: missing.call.createdAt,
        providerCallId: null
      }
      const { fetch, hangUp } = yield* CallProvider.pipe(Effect.provide(Layer.fresh(twilio(fake.url, server.url))))
      expect(yield* fetch(known)).toMatchObject({ _tag: "Unreachable" })
      expect(yield* hangUp(known)).toMatchObject({ _tag: "Unknown" })
      const { runOnce } = yield* CallReconciliationWorker
      for (let seconds = 0; seconds < 180; seconds += 15) {
        yield* pass(15)
        yield* runOnce
      }
      expect(yield* created.now).toMatchObject({ status: "completed", billing: { status: "charged" } })
      expect(yield* missing.now).toMatchObject({ submission: "unknown", providerCallId: null, startedAt: null })
      yield* TestClock.adjust("1 day")
      yield* runOnce
      expect(yield* missing.now).toMatchObject({ status: "failed", billing: { status: "refunded" } })
      expect(yield* missing.balance).toBe(10_000_000)
    }).pipe(Effect.provide(callsOver(providers.Twilio)))
  )
})

/** Returns all reports of a call from its start to its end: from its callbacks, and from a fetch every three seconds. */
const recordReports = async (name: keyof typeof providers, number: string) => {
  const { layer, open } = providers[name]
  await using fake = await open()
  await using server = await openCallbackServer()
  const program = Effect.gen(function* () {
    const { fetch, ingest, start } = yield* CallProvider
    const startCall = command(number)
    const answer = yield* start(startCall)
    const providerCallId = answer._tag === "Accepted" ? answer.providerCallId : ""
    const known = { ref: startCall.ref, to: startCall.to, createdAt: DateTime.makeUnsafe(startAt), providerCallId }
    const reports: Array<ReadonlyArray<ProviderReport>> = []
    for (let seconds = 0; seconds < 120; seconds += 3) {
      yield* Effect.promise(() => fake.advance(3_000))
      const snapshot = yield* fetch(known)
      if (snapshot._tag === "Known") reports.push(snapshot.reports)
    }
    const read = (callback: Callback) => {
      const ingested = ingest(callback, DateTime.makeUnsafe(fake.now()))
      if (ingested._tag !== "Reported") throw new Error(ingested._tag)
      return ingested.reports.map(({ report }) => report)
    }
    return { byCallback: server.callbacks.map(read), byFetch: reports }
  })
  return await Effect.runPromise(program.pipe(Effect.provide(layer(fake.url, server.url))))
}

describe.each(["Twilio", "Vapi", "Retell"] as const)("laws of calls over %s", (name) => {
  it.each(["+12025550111", "+12025550001", "+12025550002", "+12025550004", "+12025550006"])(
    "the reports of the call to %s lead to the same state in any order and with any repeats",
    async (number) => {
      const { byCallback, byFetch } = await recordReports(name, number)
      const [call] = fc.sample(anyCall(), 1)
      if (call === undefined) throw new Error("No call was generated")
      const after = (all: ReadonlyArray<ReadonlyArray<ProviderReport>>) =>
        all.flat().reduce((call, report) => apply(call, report, madeAt).call, call)
      const expected = after(byCallback)
      expect(isTerminal(expected.status)).toBe(true)
      expect(after(byFetch)).toEqual(expected)
      const repeats = fc.array(fc.constantFrom(...byCallback, ...byFetch), { maxLength: 10 })
      const disorder = repeats.chain((more) => {
        const all = [...byCallback, ...more]
        return fc.shuffledSubarray(all, { minLength: all.length })
      })
      fc.assert(
        fc.property(disorder, (all) => {
          expect(after(all)).toEqual(expected)
        })
      )
    }
  )
})
