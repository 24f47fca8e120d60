import { describe, expect, it } from "@effect/vitest"
import { SimulatedCallProvider } from "@frontdesk/call-provider"
import { CallProvider, type ProviderReport, type StartCall } from "@frontdesk/core/call/CallProvider"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { calledNumber, scriptEnding } from "@frontdesk/testing/arbitrary/call"
import { forAll } from "@frontdesk/testing/Property"
import * as ConfigProvider from "effect/ConfigProvider"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"

const command = (phoneNumber: string, ref = "call_1"): StartCall => ({
  ref,
  to: PhoneNumber.make(phoneNumber),
  from: PhoneNumber.make("+12025550100"),
  assistantId: "asst_ada",
  variables: {},
  maxDurationSeconds: 3600
})

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

const known = (ref: string, providerCallId: string | null) => ({
  ref,
  providerCallId,
  to: PhoneNumber.make("+12025550111"),
  createdAt: DateTime.makeUnsafe(0)
})

/**
 * Starts a call. Returns the result of the start, the reports of the stream, each with the second at which it came, and the
 * result of `fetch` after the given time.
 */
const observe = (phoneNumber: string, seconds = 3600) =>
  Effect.gen(function* () {
    const provider = yield* CallProvider
    const seen: Array<{ readonly second: number; readonly report: ProviderReport }> = []
    yield* Effect.forkScoped(
      Stream.runForEach(provider.reports, ({ report }) =>
        Effect.map(DateTime.now, (now) => seen.push({ second: now.epochMilliseconds / 1000, report }))
      )
    )
    const answer = yield* provider.start(command(phoneNumber))
    yield* TestClock.adjust(`${seconds} seconds`)
    const providerCallId = answer._tag === "Accepted" ? answer.providerCallId : null
    return { answer, seen, snapshot: yield* provider.fetch(known("call_1", providerCallId)) }
  })

const tags = (steps: ReadonlyArray<{ readonly report: ProviderReport }>) => steps.map(({ report }) => report._tag)

const atPace = (pace: number) => Effect.provide(SimulatedCallProvider.layer({ pace }))

describe("SimulatedCallProvider", () => {
  it.effect(
    "a call to an ordinary number rings, is answered, and ends after 30 seconds with transcript, recording and summary",
    () =>
      Effect.gen(function* () {
        const { answer, seen } = yield* observe("+12025550111")
        expect(answer._tag).toBe("Accepted")
        expect(tags(seen)).toEqual(["Ringing", "Answered", "Ended", "Transcript", "Recording", "Summary"])
        expect(seen.map(({ second }) => second)).toEqual([0, 2, 32, 32, 32, 32])
        expect(seen[2]?.report).toEqual({
          _tag: "Ended",
          status: "completed",
          answeredAt: at(2),
          endedAt: at(32),
          reason: "customer_ended_call"
        })
      }).pipe(atPace(1))
  )

  it.effect("a number that ends in 0001 is busy", () =>
    Effect.gen(function* () {
      const { seen } = yield* observe("+12025550001")
      expect(seen).toMatchObject([{ report: { _tag: "Ended", status: "busy", answeredAt: null } }])
    }).pipe(atPace(1))
  )

  it.effect("a number that ends in 0002 does not answer", () =>
    Effect.gen(function* () {
      const { seen } = yield* observe("+12025550002")
      expect(tags(seen)).toEqual(["Ringing", "Ended"])
      expect(seen[1]?.report).toMatchObject({ status: "no_answer", answeredAt: null })
    }).pipe(atPace(1))
  )

  it.effect("a call to a number that ends in 0003 is refused and has no reports", () =>
    Effect.gen(function* () {
      const { answer, seen, snapshot } = yield* observe("+12025550003")
      expect(answer).toMatchObject({ _tag: "Refused", retryable: false })
      expect(seen).toEqual([])
      expect(snapshot).toEqual({ _tag: "NotFound" })
    }).pipe(atPace(1))
  )

  it.effect("a number that ends in 0004 is answered by voicemail", () =>
    Effect.gen(function* () {
      const { seen } = yield* observe("+12025550004")
      expect(tags(seen)).toEqual(["Ringing", "Answered", "Ended", "Transcript", "Recording", "Summary"])
      expect(seen[2]?.report).toMatchObject({ status: "completed", reason: "voicemail" })
    }).pipe(atPace(1))
  )

  it.effect("the end of a call to a number that ends in 0005 is returned only by fetch", () =>
    Effect.gen(function* () {
      const { seen, snapshot } = yield* observe("+12025550005")
      expect(tags(seen)).toEqual(["Ringing", "Answered"])
      expect(snapshot._tag === "Known" ? snapshot.reports.map(({ _tag }) => _tag) : []).toContain("Ended")
    }).pipe(atPace(1))
  )

  it.effect("a call at pace 10 takes a tenth of the time, and still reports 30 seconds", () =>
    Effect.gen(function* () {
      const { seen } = yield* observe("+12025550111")
      expect(seen.map(({ second }) => second)).toEqual([0, 0.2, 3.2, 3.2, 3.2, 3.2])
      expect(seen[2]?.report).toMatchObject({ answeredAt: at(0.2), endedAt: at(30.2) })
    }).pipe(atPace(10))
  )

  it.effect("a call at pace 0 makes all reports at once", () =>
    Effect.gen(function* () {
      const { seen } = yield* observe("+12025550111", 0)
      expect(tags(seen)).toEqual(["Ringing", "Answered", "Ended", "Transcript", "Recording", "Summary"])
      expect(seen[2]?.report).toMatchObject({ answeredAt: at(0), endedAt: at(30) })
    }).pipe(atPace(0))
  )

  it.effect("a new process returns the state of an earlier process's call, at the pace of that process", () =>
    Effect.gen(function* () {
      const start = Effect.flatMap(CallProvider, (provider) => provider.start(command("+12025550111")))
      const answer = yield* start.pipe(atPace(2))
      const providerCallId = answer._tag === "Accepted" ? answer.providerCallId : null
      const fetched = Effect.flatMap(CallProvider, (provider) => provider.fetch(known("call_1", providerCallId))).pipe(
        Effect.map((snapshot) => (snapshot._tag === "Known" ? snapshot.reports.map(({ _tag }) => _tag) : [])),
        atPace(50)
      )
      expect(yield* fetched).toEqual(["Ringing"])
      yield* TestClock.adjust("1 second")
      expect(yield* fetched).toEqual(["Ringing", "Answered"])
      yield* TestClock.adjust("15 seconds")
      expect(yield* fetched).toEqual(["Ringing", "Answered", "Ended", "Transcript", "Recording", "Summary"])
    })
  )

  it.effect("a call is found by our reference alone while the process runs", () =>
    Effect.gen(function* () {
      const provider = yield* CallProvider
      yield* provider.start(command("+12025550111", "call_7"))
      expect(yield* provider.fetch(known("call_7", null))).toMatchObject({ _tag: "Known" })
      expect(yield* provider.fetch(known("call_8", null))).toEqual({ _tag: "NotFound" })
    }).pipe(atPace(1))
  )

  it.effect("a call with an id of another provider is not found", () =>
    Effect.gen(function* () {
      const provider = yield* CallProvider
      for (const providerCallId of [
        "",
        "CA123",
        "sim_",
        "sim_zzz_10_12",
        "sim__1_12025550111_x",
        "sim_0_-1_12025550111_x"
      ]) {
        expect(yield* provider.fetch(known("r", providerCallId))).toEqual({ _tag: "NotFound" })
      }
    }).pipe(atPace(1))
  )

  it.effect("FRONTDESK_SIMULATED_CALL_PACE sets the pace, defaults to 10, and must not be negative", () =>
    Effect.gen(function* () {
      const configured = (env: Record<string, string>) =>
        observe("+12025550111").pipe(
          Effect.map(({ seen }) => (seen[1]?.second ?? 0) - (seen[0]?.second ?? 0)),
          Effect.provide(
            SimulatedCallProvider.layerConfig.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))
          )
        )
      expect(yield* configured({ FRONTDESK_SIMULATED_CALL_PACE: "1" })).toBe(2)
      expect(yield* configured({})).toBeCloseTo(0.2)
      expect((yield* Effect.flip(configured({ FRONTDESK_SIMULATED_CALL_PACE: "-1" })))._tag).toBe("ConfigError")
      expect((yield* Effect.flip(configured({ FRONTDESK_SIMULATED_CALL_PACE: "fast" })))._tag).toBe("ConfigError")
    })
  )
})

describe("laws of SimulatedCallProvider", () => {
  const situation = fc.record({
    to: calledNumber({ ending: scriptEnding() }),
    // The id of a call has the last two in exponential notation.
    pace: fc.constantFrom(0, 0.5, 1, 7, 10, 1e-7, 1e21),
    ref: fc.stringMatching(/^call_[0-9a-f]{1,32}$/)
  })

  it.effect(
    "the reports of the stream are the first ones that fetch returns, and a second run has the same reports",
    () =>
      forAll(fc.tuple(situation, fc.integer({ min: 0, max: 60 })), ([{ to, pace, ref }, seconds]) => {
        const once = Effect.gen(function* () {
          const provider = yield* CallProvider
          const seen: Array<ProviderReport> = []
          yield* Effect.forkScoped(
            Stream.runForEach(provider.reports, ({ report }) => Effect.sync(() => seen.push(report)))
          )
          const answer = yield* provider.start(command(to, ref))
          yield* TestClock.adjust(`${seconds} seconds`)
          const providerCallId = answer._tag === "Accepted" ? answer.providerCallId : null
          const snapshot = yield* provider.fetch(known(ref, providerCallId))
          return { answer, seen, fetched: snapshot._tag === "Known" ? snapshot.reports : [] }
        }).pipe(
          Effect.scoped,
          Effect.provide(Layer.provideMerge(SimulatedCallProvider.layer({ pace }), TestClock.layer()))
        )
        return Effect.gen(function* () {
          const first = yield* once
          expect(first.fetched.slice(0, first.seen.length)).toEqual(first.seen)
          expect(yield* once).toEqual(first)
        })
      })
  )

  it.effect("an answered call at any pace reports exactly 30 seconds between answer and end", () =>
    forAll(situation, ({ to, pace, ref }) =>
      Effect.gen(function* () {
        const provider = yield* CallProvider
        const answer = yield* provider.start(command(to, ref))
        // At the slowest pace a call takes about 3,700 days.
        yield* TestClock.adjust("100000 days")
        const providerCallId = answer._tag === "Accepted" ? answer.providerCallId : null
        const snapshot = yield* provider.fetch(known(ref, providerCallId))
        expect(snapshot._tag).toBe(answer._tag === "Accepted" ? "Known" : "NotFound")
        for (const report of snapshot._tag === "Known" ? snapshot.reports : []) {
          if (report._tag !== "Ended" || report.answeredAt === null) continue
          expect(report.endedAt.epochMilliseconds - report.answeredAt.epochMilliseconds).toBe(30_000)
        }
      }).pipe(Effect.provide(Layer.provideMerge(SimulatedCallProvider.layer({ pace }), TestClock.layer())))
    )
  )
})
