import {
  CallProvider,
  type CallReport,
  type CallSnapshot,
  type KnownCall,
  type StartCall
} from "@frontdesk/core/call/CallProvider"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { type CallCounterpart, callCounterpartSuite } from "./callCounterpartSuite.ts"
import * as Samples from "./Samples.ts"
import type { SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** What the suite must know about a `CallProvider`. */
export interface CallProviderSuiteOptions<E = never> extends SuiteOptions {
  /** A phone number whose calls the provider accepts. They end without a hang-up. */
  readonly acceptedNumber: string
  /** A phone number whose calls the provider refuses for good. Without it refusals are not tested. */
  readonly refusedNumber?: string
  /** Makes a command unsupported, so that the adapter refuses it without a request. Without it that is not tested. */
  readonly unsupported?: (command: StartCall) => StartCall
  /** Whether the provider stores Frontdesk's reference with a call and finds the call by it. Default: true. */
  readonly keepsReference?: boolean
  /** A provider that misbehaves. Without it faults of the provider are not tested. */
  readonly counterpart?: CallCounterpart<E>
  /** Lets time pass until a call has ended. Default: adjusts the test clock by an hour. */
  readonly passTime?: Effect.Effect<void>
  /** Returns the provider's time. Default: the test clock. */
  readonly now?: Effect.Effect<DateTime.Utc>
}

/** Verifies a `CallProvider`. No other program may read its `reports` while the suite runs. */
export const callProviderSuite = <E, E2 = never>(
  name: string,
  provider: Layer.Layer<CallProvider, E>,
  options: CallProviderSuiteOptions<E2>
): void => {
  const passTime = options.passTime ?? TestClock.adjust("1 hour")
  const now = options.now ?? DateTime.now

  const fetch = Effect.fnUntraced(function* (call: Pick<KnownCall, "ref" | "providerCallId">) {
    return yield* (yield* CallProvider).fetch({ ...call, to: toOf(options), createdAt: yield* now })
  })
  const hangUp = Effect.fnUntraced(function* (call: Pick<KnownCall, "ref" | "providerCallId">) {
    return yield* (yield* CallProvider).hangUp({ ...call, to: toOf(options), createdAt: yield* now })
  })
  const reportsOf = (call: { readonly ref: string; readonly providerCallId: string }) =>
    Effect.map(fetch(call), (snapshot) => (snapshot._tag === "Known" ? snapshot.reports : []))

  layer(provider, options)(`${name}: CallProvider`, (it) => {
    it.effect("fetch returns an accepted call under the id that start returned, with the same answer each time", () =>
      Effect.gen(function* () {
        const { ref, providerCallId } = yield* startAccepted(options.acceptedNumber)
        const first = yield* fetch({ ref, providerCallId })
        expect(first).toMatchObject({ _tag: "Known", providerCallId })
        expect(yield* fetch({ ref, providerCallId })).toEqual(first)
      })
    )

    it.effect("two calls to the same number have different ids, and fetch tells them apart", () =>
      Effect.gen(function* () {
        const [one, other] = [
          yield* startAccepted(options.acceptedNumber),
          yield* startAccepted(options.acceptedNumber)
        ]
        expect(one.providerCallId).not.toBe(other.providerCallId)
        expect(yield* fetch(one)).toMatchObject({ providerCallId: one.providerCallId })
        expect(yield* fetch(other)).toMatchObject({ providerCallId: other.providerCallId })
      })
    )

    it.effect("fetch returns NotFound for an id that no call has", () =>
      Effect.gen(function* () {
        const [ref, providerCallId] = [Samples.unique("call"), Samples.unique("unknown")]
        expect(yield* fetch({ ref, providerCallId })).toEqual({ _tag: "NotFound" })
      })
    )

    it.effect(
      "fetch finds a call without its id by Frontdesk's reference, or returns Unreachable if the provider stores none",
      () =>
        Effect.gen(function* () {
          const { ref, providerCallId } = yield* startAccepted(options.acceptedNumber)
          expect(yield* fetch({ ref, providerCallId: null })).toMatchObject(
            options.keepsReference === false ? { _tag: "Unreachable" } : { _tag: "Known", providerCallId }
          )
        })
    )

    it.effect("hangUp of an unanswered call ends it as cancelled, and a second hangUp returns AlreadyOver", () =>
      Effect.gen(function* () {
        const call = yield* startAccepted(options.acceptedNumber)
        expect(yield* hangUp(call)).toEqual({ _tag: "Ended" })
        const ends = (yield* reportsOf(call)).filter(({ _tag }) => _tag === "Ended")
        expect(ends).toMatchObject([{ status: "cancelled", answeredAt: null }])
        expect(yield* hangUp(call)).toEqual({ _tag: "AlreadyOver" })
        yield* passTime
        expect((yield* reportsOf(call)).filter(({ _tag }) => _tag === "Ended")).toEqual(ends)
      })
    )

    it.effect("hangUp of a call that has ended returns AlreadyOver and changes no report", () =>
      Effect.gen(function* () {
        const call = yield* startAccepted(options.acceptedNumber)
        yield* passTime
        const before = yield* reportsOf(call)
        expect(yield* hangUp(call)).toEqual({ _tag: "AlreadyOver" })
        expect(yield* reportsOf(call)).toEqual(before)
      })
    )

    it.effect("hangUp returns Unknown for an id that no call has", () =>
      Effect.gen(function* () {
        const call = { ref: Samples.unique("call"), providerCallId: Samples.unique("unknown") }
        expect(yield* hangUp(call)).toMatchObject({ _tag: "Unknown" })
      })
    )

    it.effect("ingest returns BadSignature for a callback without a signature", () =>
      Effect.gen(function* () {
        const { ingest, name } = yield* CallProvider
        const url = `https://frontdesk.example/providers/${name}/anything?ref=call_1`
        const callback = { method: "POST", url, headers: {}, body: new TextEncoder().encode("{}") }
        expect(ingest(callback, yield* now)).toEqual({ _tag: "BadSignature" })
      })
    )

    it.effect("check returns that the configured provider is usable, with an explanation", () =>
      Effect.gen(function* () {
        const { isUsable, says } = yield* (yield* CallProvider).check
        expect(isUsable).toBe(true)
        expect(says).not.toBe("")
      })
    )

    it.effect("fetch repeats every earlier report about a call, and reports its end once", () =>
      Effect.gen(function* () {
        const call = yield* startAccepted(options.acceptedNumber)
        const before = yield* reportsOf(call)
        yield* passTime
        const after = yield* reportsOf(call)
        for (const report of before) expect(after).toContainEqual(report)
        expect(after.filter(({ _tag }) => _tag === "Ended")).toHaveLength(1)
        expect(yield* reportsOf(call)).toEqual(after)
      })
    )

    it.effect("the reports Answered and Ended have the same time of the answer, and the end is not before it", () =>
      Effect.gen(function* () {
        const call = yield* startAccepted(options.acceptedNumber)
        yield* passTime
        const reports = yield* reportsOf(call)
        const answered = reports.find(({ _tag }) => _tag === "Answered")
        const ended = reports.find(({ _tag }) => _tag === "Ended")
        if (ended?._tag !== "Ended") throw new Error("passTime did not let the call end")
        expect(ended.answeredAt).toEqual(answered?._tag === "Answered" ? answered.at : null)
        const answeredMillis = (ended.answeredAt ?? ended.endedAt).epochMilliseconds
        expect(answeredMillis).toBeLessThanOrEqual(ended.endedAt.epochMilliseconds)
      })
    )

    it.effect(
      "fetch returns every report of the stream reports at once, under the same id, with Frontdesk's reference or none",
      () =>
        Effect.gen(function* () {
          const seen: Array<{ readonly report: CallReport; readonly known: CallSnapshot }> = []
          const { reports } = yield* CallProvider
          const reading = yield* Effect.forkScoped(
            Stream.runForEach(reports, (report) =>
              Effect.map(fetch({ ref: Samples.unique("call"), providerCallId: report.providerCallId }), (known) => {
                seen.push({ report, known })
              })
            )
          )
          const call = yield* startAccepted(options.acceptedNumber)
          yield* passTime
          yield* reportsOf(call)
          for (const { known, report } of seen) {
            expect(known).toMatchObject({ _tag: "Known", providerCallId: report.providerCallId })
            if (known._tag === "Known") expect(known.reports).toContainEqual(report.report)
            if (report.providerCallId === call.providerCallId) expect([null, call.ref]).toContain(report.ref)
            if (report.ref === call.ref) expect(report.providerCallId).toBe(call.providerCallId)
          }
          const ended = reading.pollUnsafe()
          expect(ended === undefined || Exit.isSuccess(ended)).toBe(true)
        })
    )

    it.effect("maxCallbackBytes is a whole number of bytes", () =>
      Effect.gen(function* () {
        const { maxCallbackBytes } = yield* CallProvider
        expect(Number.isSafeInteger(maxCallbackBytes)).toBe(true)
        expect(maxCallbackBytes).toBeGreaterThanOrEqual(0)
      })
    )

    it.effect("preflight returns the same result each time, and asks the provider for no call", () =>
      Effect.gen(function* () {
        const { preflight } = yield* CallProvider
        const command = newCommand(options.acceptedNumber)
        expect([preflight(command), preflight(command)]).toEqual([null, null])
        // The provider would have received a call before it receives the start of this one.
        yield* startAccepted(options.acceptedNumber)
        expect(yield* fetch({ ref: command.ref, providerCallId: null })).toMatchObject({
          _tag: options.keepsReference === false ? "Unreachable" : "NotFound"
        })
      })
    )

    it.effect("a call with the largest allowed variables passes the preflight, and start accepts it", () =>
      Effect.gen(function* () {
        const provider = yield* CallProvider
        // Almost 256 KiB of JSON, the maximum of all variables of a call.
        const variables = Object.fromEntries(
          Array.from({ length: 400 }, (_, index) => [`name_${index}`, "€".repeat(200)] as const)
        )
        const command = { ...newCommand(options.acceptedNumber), variables }
        expect(provider.preflight(command)).toBeNull()
        expect(yield* provider.start(command)).toMatchObject({ _tag: "Accepted" })
        yield* passTime
      })
    )

    it.effect.skipIf(options.unsupported === undefined)(
      "start refuses a command that the preflight refuses, with the same refusal, which has a code and a reason",
      () =>
        Effect.gen(function* () {
          const provider = yield* CallProvider
          const command = (options.unsupported ?? ((command) => command))(newCommand(options.acceptedNumber))
          const refusal = provider.preflight(command)
          expect(refusal).toMatchObject({ _tag: "Refused", retryable: false })
          expect([refusal?.code, refusal?.reason]).not.toContain("")
          expect(provider.preflight(command)).toEqual(refusal)
          expect(yield* provider.start(command)).toEqual(refusal)
        })
    )

    it.effect("variablesOf returns null for a request without a valid signature", () =>
      Effect.gen(function* () {
        const { name, variablesOf } = yield* CallProvider
        const url = `https://frontdesk.example/providers/${name}/variables?ref=call_1`
        for (const signature of ["", "&signature=", "&signature=x"]) {
          expect(variablesOf({ method: "GET", url: url + signature, headers: {} })).toBeNull()
        }
      })
    )

    it.effect.skipIf(options.refusedNumber === undefined)(
      "start refuses a refused number for good with a code, and fetch does not find the call",
      () =>
        Effect.gen(function* () {
          const command = newCommand(options.refusedNumber ?? "")
          const answer = yield* (yield* CallProvider).start(command)
          expect(answer).toMatchObject({ _tag: "Refused", retryable: false })
          expect(answer._tag === "Refused" && answer.code).not.toBe("")
          expect(yield* fetch({ ref: command.ref, providerCallId: null })).toEqual({ _tag: "NotFound" })
        })
    )
  })

  const { counterpart, keepsReference = true, runner, timeout } = options
  if (counterpart === undefined) return
  callCounterpartSuite(name, {
    counterpart,
    keepsReference,
    now,
    newCommand: () => newCommand(options.acceptedNumber),
    ...(options.unsupported === undefined ? {} : { unsupported: options.unsupported }),
    ...(runner === undefined ? {} : { runner }),
    ...(timeout === undefined ? {} : { timeout })
  })
}

const newCommand = (to: string): StartCall => ({
  ref: Samples.unique("call"),
  to: PhoneNumber.make(to),
  from: PhoneNumber.make("+12025550100"),
  assistantId: "asst_ada",
  variables: { name: "Zoë", seats: 5, isNew: true },
  maxDurationSeconds: 3_600
})

const startAccepted = Effect.fnUntraced(function* (to: string) {
  const command = newCommand(to)
  const answer = yield* (yield* CallProvider).start(command)
  if (answer._tag !== "Accepted")
    return yield* Effect.die(
      new Error(`start answered ${answer._tag} for the number that the option acceptedNumber names`)
    )
  return { ref: command.ref, providerCallId: answer.providerCallId }
})

const toOf = ({ acceptedNumber }: Pick<CallProviderSuiteOptions, "acceptedNumber">) => PhoneNumber.make(acceptedNumber)
