import {
  type Callback,
  CallProvider,
  type CallReport,
  type CallSnapshot,
  type InboundDecision,
  type InboundNumbers,
  type KnownCall,
  type StartCall
} from "@frontdesk/core/call/CallProvider"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { Fault } from "../receiver/FaultyProxy.ts"
import { expect } from "./Expect.ts"
import type { SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** What a provider has received with a request to start a call. */
export interface ReceivedStart {
  readonly to: string
  readonly from: string
  readonly maxDurationSeconds: number
  /** The variables, each as text. */
  readonly variables: Readonly<Record<string, string>>
}

/** All requests, or those that ask the provider to end a call. */
export type Requests = "all" | "hangUps"

/**
 * The counterpart of an adapter: a server with the provider's API that misbehaves on demand. `FaultyProxy` before a fake
 * of the provider is one.
 */
export interface CallCounterpart<E> {
  /** The adapter, whose provider is the counterpart. It receives a test clock. */
  readonly provider: Layer.Layer<CallProvider, E>
  /**
   * Sets the fault of all later requests, or of those that ask to hang up; null ends it. With `isForwarded` the provider
   * carries the requests out, and only its answers are lost.
   */
  readonly fail: (fault: Fault | null, isForwarded: boolean, requests: Requests) => void
  /**
   * Returns how many requests the counterpart has received. A request with a fault that is forwarded counts when the
   * provider has carried it out.
   */
  readonly countRequests: (requests: Requests) => number
  /** Returns what the counterpart has received with each request to start a call, oldest first. */
  readonly starts: () => ReadonlyArray<ReceivedStart>
  /** Returns a callback with a valid signature that covers its whole body. It reports something about a call. */
  readonly callback: Effect.Effect<Callback>
  /**
   * Returns {@link callback} with a body of this length in bytes, which reports the same. Without it the largest callback
   * is not tested.
   */
  readonly paddedCallback?: (bytes: number) => Effect.Effect<Callback>
  /**
   * A request with a valid signature that covers its whole body, in which the provider asks which agent answers an inbound
   * call, and the numbers of that call. Without it questions are not tested.
   */
  readonly inbound?: { readonly question: Effect.Effect<Callback>; readonly numbers: InboundNumbers }
  /** Lets the adapter's timeout pass. Default: adjusts the test clock by an hour. */
  readonly passTimeout?: Effect.Effect<void>
}

/** What the suite needs of the options of `callProviderSuite`. */
interface Options<E> extends Pick<SuiteOptions, "runner" | "timeout"> {
  readonly counterpart: CallCounterpart<E>
  readonly keepsReference: boolean
  readonly newCommand: () => StartCall
  readonly unsupported?: (command: StartCall) => StartCall
  readonly now: Effect.Effect<DateTime.Utc>
}

/** The faults after which the provider may have carried a request out. */
const ambiguous: ReadonlyArray<Fault> = [408, 500, 502, 503, 504, "hang", "reset", "garbage"]

/** Verifies how a `CallProvider` handles a provider that misbehaves, over real sockets. */
export const callCounterpartSuite = <E>(
  name: string,
  { counterpart, keepsReference, newCommand, now, unsupported, ...options }: Options<E>
): void => {
  const passTimeout = counterpart.passTimeout ?? TestClock.adjust("1 hour")

  /** Returns the result of a call of the adapter during a fault. If the counterpart hangs, the timeout passes. */
  const during = <A>(
    fault: Fault,
    isForwarded: boolean,
    call: Effect.Effect<A>,
    requests: Requests = "all"
  ): Effect.Effect<A> =>
    Effect.gen(function* () {
      const before = counterpart.countRequests(requests)
      counterpart.fail(fault, isForwarded, requests)
      const fiber = yield* Effect.forkChild(call)
      while (fiber.pollUnsafe() === undefined) {
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2)))
        if (fault === "hang" && counterpart.countRequests(requests) > before) yield* passTimeout
      }
      return yield* Fiber.join(fiber)
    }).pipe(Effect.ensuring(Effect.sync(() => counterpart.fail(null, false, "all"))))

  const known = (command: StartCall, providerCallId: string | null): Effect.Effect<KnownCall> =>
    Effect.map(now, (createdAt) => ({ ref: command.ref, to: command.to, createdAt, providerCallId }))

  const accepted = Effect.gen(function* () {
    const command = newCommand()
    const answer = yield* (yield* CallProvider).start(command)
    if (answer._tag !== "Accepted") return yield* Effect.die(new Error(`start answered ${answer._tag}`))
    return { command, call: yield* known(command, answer.providerCallId) }
  })

  layer(counterpart.provider, options)(`${name}: CallProvider, with a provider that misbehaves`, (it) => {
    it.effect("start transmits both numbers, the maximum duration and the variables in one request", () =>
      Effect.gen(function* () {
        const before = counterpart.starts().length
        const command = { ...newCommand(), maxDurationSeconds: 1_234 }
        yield* (yield* CallProvider).start(command)
        const { from, maxDurationSeconds, to } = command
        const variables = Object.fromEntries(Object.entries(command.variables).map(([key, value]) => [key, `${value}`]))
        expect(counterpart.starts().slice(before)).toEqual([{ to, from, maxDurationSeconds, variables }])
      })
    )

    for (const fault of ambiguous) {
      for (const isForwarded of [false, true]) {
        const outcome = isForwarded ? "carried it out" : "did not carry it out"
        it.effect(`start returns Unknown after one request with the fault ${fault}, when the provider ${outcome}`, () =>
          Effect.gen(function* () {
            const { fetch, start } = yield* CallProvider
            const before = counterpart.starts().length
            const command = newCommand()
            expect(yield* during(fault, isForwarded, start(command))).toMatchObject({ _tag: "Unknown" })
            const found = yield* fetch(yield* known(command, null))
            if (keepsReference) expect(found).toMatchObject({ _tag: isForwarded ? "Known" : "NotFound" })
            else if (isForwarded) expect(found).toMatchObject({ _tag: "Unreachable" })
            expect(counterpart.starts().length - before).toBe(1)
          })
        )
      }
    }

    it.effect.skipIf(unsupported === undefined)("preflight and start send no request for an unsupported command", () =>
      Effect.gen(function* () {
        const { preflight, start } = yield* CallProvider
        const before = counterpart.countRequests("all")
        const command = unsupported?.(newCommand()) ?? newCommand()
        preflight(newCommand())
        preflight(command)
        expect(yield* start(command)).toMatchObject({ _tag: "Refused" })
        // A request that was sent too arrives before the one of this start.
        const starts = counterpart.starts().length
        yield* start(newCommand())
        expect(counterpart.starts().length - starts).toBe(1)
        expect(counterpart.countRequests("all") - before).toBe(1)
      })
    )

    it.effect("start refuses a call for now when the provider answers 429, after one request", () =>
      Effect.gen(function* () {
        const { start } = yield* CallProvider
        const before = counterpart.starts().length
        const answer = yield* during(429, false, start(newCommand()))
        expect(answer).toMatchObject({ _tag: "Refused", retryable: true })
        expect(counterpart.starts().length - before).toBe(1)
      })
    )

    for (const fault of [429, ...ambiguous]) {
      it.effect(`fetch returns Unreachable with the fault ${fault}, by the provider's id and by the reference`, () =>
        Effect.gen(function* () {
          const { fetch } = yield* CallProvider
          const { call } = yield* accepted
          expect(yield* during(fault, false, fetch(call))).toMatchObject({ _tag: "Unreachable" })
          const byRef = fetch({ ...call, providerCallId: null })
          expect(yield* during(fault, false, byRef)).toMatchObject({ _tag: "Unreachable" })
          expect(yield* fetch(call)).toMatchObject({ _tag: "Known" })
        })
      )

      it.effect(`hangUp returns Unknown with the fault ${fault}, and ends the call afterwards`, () =>
        Effect.gen(function* () {
          const { hangUp } = yield* CallProvider
          const { call } = yield* accepted
          expect(yield* during(fault, false, hangUp(call))).toMatchObject({ _tag: "Unknown" })
          expect(yield* hangUp(call)).toEqual({ _tag: "Ended" })
        })
      )
    }

    for (const fault of ambiguous) {
      it.effect(`hangUp returns Unknown with the fault ${fault} of the hang-up alone, when the call goes on`, () =>
        Effect.gen(function* () {
          const { fetch, hangUp } = yield* CallProvider
          const { call } = yield* accepted
          expect(yield* during(fault, false, hangUp(call), "hangUps")).toMatchObject({ _tag: "Unknown" })
          expect(ends(yield* fetch(call))).toEqual([])
          expect(yield* hangUp(call)).toEqual({ _tag: "Ended" })
        })
      )

      it.effect(`hangUp whose answer is lost by the fault ${fault} is not Ended, and the call is found as ended`, () =>
        Effect.gen(function* () {
          const { fetch, hangUp } = yield* CallProvider
          const { call } = yield* accepted
          const starts = counterpart.starts().length
          const answer = yield* during(fault, true, hangUp(call), "hangUps")
          // An adapter may ask for the call again, and find that it is over.
          expect(["Unknown", "AlreadyOver"]).toContain(answer._tag)
          expect(ends(yield* fetch(call))).toEqual(["cancelled"])
          expect(yield* hangUp(call)).toEqual({ _tag: "AlreadyOver" })
          expect(ends(yield* fetch(call))).toEqual(["cancelled"])
          expect(counterpart.starts().length).toBe(starts)
        })
      )
    }

    it.effect("ingest reads an authentic callback, and returns BadSignature for one with a flipped bit", () =>
      Effect.gen(function* () {
        const { ingest, mayBeAuthentic } = yield* CallProvider
        const callback = yield* counterpart.callback
        const at = yield* now
        expect(mayBeAuthentic(callback, at)).toBe(true)
        const read = ingest(callback, at)
        expect(read._tag === "Reported" && read.reports.length > 0).toBe(true)
        expect(ingest(callback, at)).toEqual(read)
        for (let bit = 0; bit < callback.body.length * 8; bit++) {
          const body = Uint8Array.from(callback.body)
          body[bit >> 3] = (body[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          if (ingest({ ...callback, body }, at)._tag !== "BadSignature") {
            expect([`bit ${bit}`, ingest({ ...callback, body }, at)]).toEqual([`bit ${bit}`, { _tag: "BadSignature" }])
          }
        }
      })
    )

    it.effect("a callback has at most maxCallbackBytes, and ingest reads one of that size like a small one", () =>
      Effect.gen(function* () {
        const { ingest, maxCallbackBytes } = yield* CallProvider
        const callback = yield* counterpart.callback
        expect(callback.body.length).toBeLessThanOrEqual(maxCallbackBytes)
        if (counterpart.paddedCallback === undefined) return
        const largest = yield* counterpart.paddedCallback(maxCallbackBytes)
        expect(largest.body.length).toBe(maxCallbackBytes)
        expect(ingest(largest, yield* now)).toEqual(ingest(callback, yield* now))
      })
    )

    /** Returns the question of the counterpart about an inbound call, as the adapter reads it. */
    const question = Effect.gen(function* () {
      const { ingest } = yield* CallProvider
      const read = ingest(yield* inboundOf(counterpart).question, yield* now)
      return read._tag === "Asked" && read.question._tag === "InboundCall"
        ? read.question
        : yield* Effect.die(new Error(`ingest read ${read._tag} for the question about an inbound call`))
    })

    const isUnasked = counterpart.inbound === undefined

    it.effect.skipIf(isUnasked)("ingest reads a question about an inbound call only with a valid signature", () =>
      Effect.gen(function* () {
        const { ingest, mayBeAuthentic } = yield* CallProvider
        const { numbers, question: callbackOf } = inboundOf(counterpart)
        const [callback, at] = [yield* callbackOf, yield* now]
        expect(mayBeAuthentic(callback, at)).toBe(true)
        expect((yield* question).numbers).toEqual(numbers)
        for (const index of callback.body.keys()) {
          const body = Uint8Array.from(callback.body)
          // Another bit could keep the value of a form: %2b is the same as %2B.
          body[index] = (body[index] ?? 0) ^ 1
          expect(ingest({ ...callback, body }, at)).toEqual({ _tag: "BadSignature" })
        }
      })
    )

    it.effect.skipIf(isUnasked)("the answer about an inbound call names its agent, and a refusal has another one", () =>
      Effect.gen(function* () {
        const { bodyOf } = yield* question
        const decisions = [connected({}), connected({ assistantId: "asst_ben" }), refusal("We are closed.")]
        const bodies = decisions.map(bodyOf)
        expect(new Set(bodies.map(({ text }) => text)).size).toBe(decisions.length)
        expect(bodies.map(({ text }) => [text.includes("asst_ada"), text.includes("asst_ben")])).toEqual([
          [true, false],
          [false, true],
          [false, false]
        ])
        for (const { contentType } of bodies) expect(contentType).not.toBe("")
        expect(decisions.map(bodyOf)).toEqual(bodies)
      })
    )

    it.effect.skipIf(isUnasked)(
      "the answer about an inbound call does not throw, whatever texts the decision has",
      () =>
        Effect.gen(function* () {
          const { bodyOf } = yield* question
          const hostile = `\u0000\u000B\uD800 "<&>' ]]> \r\n {} \u{10FFFF}`
          const long = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`name_${index}`, "€".repeat(200)]))
          const decisions = [
            refusal(hostile),
            refusal(""),
            connected({ ref: null }),
            connected({ assistantId: hostile, variables: { [hostile]: hostile } }),
            connected({ variables: long }),
            connected({ ref: null, variables: long }),
            connected({ assistantId: "a".repeat(100_000) })
          ]
          for (const decision of decisions) {
            const { text } = bodyOf(decision)
            expect(text).not.toBe("")
            expect(text.isWellFormed()).toBe(true)
          }
        })
    )

    it.effect("the stream reports of a provider that reports by callbacks is empty", () =>
      Effect.gen(function* () {
        const { fetch, ingest, reports } = yield* CallProvider
        const seen: Array<CallReport> = []
        yield* Effect.forkScoped(Stream.runForEach(reports, (report) => Effect.sync(() => seen.push(report))))
        const { call } = yield* accepted
        ingest(yield* counterpart.callback, yield* now)
        // Each request lets the event loop run.
        for (let requests = 0; requests < 3; requests++) yield* fetch(call)
        expect(seen).toEqual([])
      })
    )
  })
}

/** Returns what a counterpart knows about inbound calls. */
const inboundOf = <E>({ inbound }: CallCounterpart<E>) => {
  if (inbound === undefined) throw new Error("the counterpart has no question about an inbound call")
  return inbound
}

const connected = (more: Partial<Extract<InboundDecision, { readonly _tag: "Accepted" }>>): InboundDecision => ({
  _tag: "Accepted",
  ref: "call_1",
  assistantId: "asst_ada",
  variables: { name: "Zoë", seats: 5, isNew: true },
  maxDurationSeconds: 600,
  ...more
})

const refusal = (say: string): InboundDecision => ({ _tag: "Refused", say })

/** Returns the status of each end that a snapshot reports. */
const ends = (snapshot: CallSnapshot): ReadonlyArray<string> =>
  snapshot._tag === "Known" ? snapshot.reports.flatMap((one) => (one._tag === "Ended" ? [one.status] : [])) : []
