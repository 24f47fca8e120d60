import { CallProvider, type KnownCall, type CallReport, type StartCall } from "@frontdesk/core/call/CallProvider"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { expect, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Samples from "./Samples.ts"
import type { SuiteOptions } from "./Storage.ts"

/** What the suite cannot know of a provider. */
export interface CallProviderSuiteOptions extends SuiteOptions {
  /** A number whose calls are accepted, and end by themselves. */
  readonly accepted: string
  /** A number whose calls are refused for good; none: refusals are not tested. */
  readonly refused?: string
  /** A command that the adapter cannot ask the provider for; none: there is no such command. */
  readonly impossible?: (command: StartCall) => StartCall
  /** Whether the provider keeps our reference with a call, so that it is found by it; yes unless said. */
  readonly keepsReference?: boolean
  /** Lets a call come to its end: an hour of the test clock unless said. */
  readonly passTime?: Effect.Effect<void>
  /** The provider's time: that of the test clock unless said. */
  readonly now?: Effect.Effect<DateTime.Utc>
}

/** What every `CallProvider` promises. Nobody else may read its events meanwhile. */
export const callProviderSuite = <E>(
  name: string,
  provider: Layer.Layer<CallProvider, E>,
  options: CallProviderSuiteOptions
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
    it.effect("an accepted call is known under its id, and says so each time it is asked", () =>
      Effect.gen(function* () {
        const { ref, providerCallId } = yield* startAccepted(options.accepted)
        const first = yield* fetch({ ref, providerCallId })
        expect(first).toMatchObject({ _tag: "Known", providerCallId })
        expect(yield* fetch({ ref, providerCallId })).toEqual(first)
      })
    )

    it.effect("calls of one number are calls of their own", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* startAccepted(options.accepted), yield* startAccepted(options.accepted)]
        expect(one.providerCallId).not.toBe(other.providerCallId)
        expect(yield* fetch(one)).toMatchObject({ providerCallId: one.providerCallId })
        expect(yield* fetch(other)).toMatchObject({ providerCallId: other.providerCallId })
      })
    )

    it.effect("an id that no call has is not found", () =>
      Effect.gen(function* () {
        const [ref, providerCallId] = [Samples.unique("call"), Samples.unique("nobody")]
        expect(yield* fetch({ ref, providerCallId })).toEqual({ _tag: "NotFound" })
      })
    )

    it.effect("a call whose answer was lost is found by our reference, or nobody knows", () =>
      Effect.gen(function* () {
        const { ref, providerCallId } = yield* startAccepted(options.accepted)
        expect(yield* fetch({ ref, providerCallId: null })).toMatchObject(
          options.keepsReference === false ? { _tag: "Unreachable" } : { _tag: "Known", providerCallId }
        )
      })
    )

    it.effect("a call that is hung up before the answer is cancelled, and then over", () =>
      Effect.gen(function* () {
        const call = yield* startAccepted(options.accepted)
        expect(yield* hangUp(call)).toEqual({ _tag: "Ended" })
        const ends = (yield* reportsOf(call)).filter(({ _tag }) => _tag === "Ended")
        expect(ends).toMatchObject([{ status: "cancelled", answeredAt: null }])
        expect(yield* hangUp(call)).toEqual({ _tag: "AlreadyOver" })
        yield* passTime
        expect((yield* reportsOf(call)).filter(({ _tag }) => _tag === "Ended")).toEqual(ends)
      })
    )

    it.effect("a call that has come to its end cannot be hung up", () =>
      Effect.gen(function* () {
        const call = yield* startAccepted(options.accepted)
        yield* passTime
        const before = yield* reportsOf(call)
        expect(yield* hangUp(call)).toEqual({ _tag: "AlreadyOver" })
        expect(yield* reportsOf(call)).toEqual(before)
      })
    )

    it.effect("of an id that no call has nobody knows whether it was hung up", () =>
      Effect.gen(function* () {
        const call = { ref: Samples.unique("call"), providerCallId: Samples.unique("nobody") }
        expect(yield* hangUp(call)).toMatchObject({ _tag: "Unknown" })
      })
    )

    it.effect("a request that nobody has signed is not believed", () =>
      Effect.gen(function* () {
        const { ingest, name } = yield* CallProvider
        const url = `https://frontdesk.example/providers/${name}/anything?ref=call_1`
        const callback = { method: "POST", url, headers: {}, body: new TextEncoder().encode("{}") }
        expect(ingest(callback, yield* now)).toEqual({ _tag: "BadSignature" })
      })
    )

    it.effect("a provider that is set up can be used, and says so", () =>
      Effect.gen(function* () {
        const { isUsable, says } = yield* (yield* CallProvider).check
        expect(isUsable).toBe(true)
        expect(says).not.toBe("")
      })
    )

    it.effect("what was told of a call stays told, and its end is told once", () =>
      Effect.gen(function* () {
        const call = yield* startAccepted(options.accepted)
        const before = yield* reportsOf(call)
        yield* passTime
        const after = yield* reportsOf(call)
        for (const report of before) expect(after).toContainEqual(report)
        expect(after.filter(({ _tag }) => _tag === "Ended")).toHaveLength(1)
        expect(yield* reportsOf(call)).toEqual(after)
      })
    )

    it.effect("an end is not before the answer, and both reports name the same answer", () =>
      Effect.gen(function* () {
        const call = yield* startAccepted(options.accepted)
        yield* passTime
        const reports = yield* reportsOf(call)
        const answered = reports.find(({ _tag }) => _tag === "Answered")
        const ended = reports.find(({ _tag }) => _tag === "Ended")
        if (ended?._tag !== "Ended") throw new Error("the call did not end")
        expect(ended.answeredAt).toEqual(answered?._tag === "Answered" ? answered.at : null)
        const answeredMillis = (ended.answeredAt ?? ended.endedAt).epochMilliseconds
        expect(answeredMillis).toBeLessThanOrEqual(ended.endedAt.epochMilliseconds)
      })
    )

    it.effect("what is reported by itself is told when asked, with no other reference than ours", () =>
      Effect.gen(function* () {
        const seen: Array<CallReport> = []
        const { reports } = yield* CallProvider
        yield* Effect.forkScoped(Stream.runForEach(reports, (report) => Effect.sync(() => seen.push(report))))
        const call = yield* startAccepted(options.accepted)
        yield* passTime
        const told = yield* reportsOf(call)
        for (const event of seen.filter(({ providerCallId }) => providerCallId === call.providerCallId)) {
          expect([null, call.ref]).toContain(event.ref)
          expect(told).toContainEqual(event.report)
        }
      })
    )

    it.effect(
      "a call with as many and as long variables as an agent can be told passes the preflight and is accepted",
      () =>
        Effect.gen(function* () {
          const provider = yield* CallProvider
          const variables = Object.fromEntries(
            Array.from({ length: 400 }, (_, index) => [`name_${index}`, "€".repeat(200)] as const)
          )
          const command = { ...newCommand(options.accepted), variables }
          expect(provider.preflight(command)).toBeNull()
          expect(yield* provider.start(command)).toMatchObject({ _tag: "Accepted" })
          yield* passTime
        })
    )

    it.effect.skipIf(options.impossible === undefined)(
      "a command that the preflight refuses is refused by start with the same code",
      () =>
        Effect.gen(function* () {
          const provider = yield* CallProvider
          const command = (options.impossible ?? ((command) => command))(newCommand(options.accepted))
          const refusal = provider.preflight(command)
          expect(refusal).toMatchObject({ _tag: "Refused", retryable: false })
          expect(yield* provider.start(command)).toEqual(refusal)
        })
    )

    it.effect("a request for variables that bears no signature is nobody's", () =>
      Effect.gen(function* () {
        const { name, variablesOf } = yield* CallProvider
        const url = `https://frontdesk.example/providers/${name}/variables?ref=call_1`
        for (const signature of ["", "&signature=", "&signature=x"]) {
          expect(variablesOf({ method: "GET", url: url + signature, headers: {} })).toBeNull()
        }
      })
    )

    it.effect.skipIf(options.refused === undefined)("a refused call says why, and is not found", () =>
      Effect.gen(function* () {
        const command = newCommand(options.refused ?? "")
        const answer = yield* (yield* CallProvider).start(command)
        expect(answer).toMatchObject({ _tag: "Refused", retryable: false })
        expect(answer._tag === "Refused" && answer.code).not.toBe("")
        expect(yield* fetch({ ref: command.ref, providerCallId: null })).toEqual({ _tag: "NotFound" })
      })
    )
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
  if (answer._tag !== "Accepted") return yield* Effect.die(new Error(`the call was not accepted: ${answer._tag}`))
  return { ref: command.ref, providerCallId: answer.providerCallId }
})

const toOf = ({ accepted }: CallProviderSuiteOptions) => PhoneNumber.make(accepted)
