import {
  type Callback,
  type CallbackHead,
  CallProvider,
  type CallSnapshot,
  type HangUpAnswer,
  type Ingested,
  type KnownCall,
  type CallReport,
  type StartAnswer,
  type StartCall,
  type StartRefusal
} from "@frontdesk/core/call/CallProvider"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"

/** The id the fake gives a call, unless it is told to answer otherwise. */
export const providerCallId = (ref: string): string => `provider_${ref}`

/** Refuses every call, knows none and reports nothing: for tests that replace what they use. */
export const refusing: CallProvider["Service"] = {
  name: "refusing",
  maxCallbackBytes: 0,
  preflight: () => null,
  variablesOf: () => null,
  start: () => Effect.succeed({ _tag: "Refused", code: "refused", reason: "refuses every call", retryable: false }),
  fetch: () => Effect.succeed({ _tag: "NotFound" }),
  hangUp: () => Effect.succeed({ _tag: "AlreadyOver" }),
  mayBeAuthentic: () => false,
  ingest: () => ({ _tag: "BadSignature" }),
  reports: Stream.empty,
  check: Effect.succeed({ isUsable: true, says: "a fake" })
}

/** Calls nobody, answers as it is told, and remembers what it was asked. */
export class FakeCallProvider extends Context.Service<
  FakeCallProvider,
  {
    /** Every call asked for so far, oldest first. */
    readonly requests: Effect.Effect<ReadonlyArray<StartCall>>
    /** The references of the calls that `fetch` asked about so far, oldest first. */
    readonly questions: Effect.Effect<ReadonlyArray<string>>
    /** The references of the calls that were hung up so far, oldest first. */
    readonly hungUp: Effect.Effect<ReadonlyArray<string>>
    /** How later calls are answered: `Accepted` until it is called. An answer may take its time. */
    readonly answerWith: (
      answer: (request: StartCall) => StartAnswer | Effect.Effect<StartAnswer>
    ) => Effect.Effect<void>
    /** What `preflight` says of later calls: null until it is called. */
    readonly preflightWith: (preflight: (request: StartCall) => StartRefusal | null) => Effect.Effect<void>
    /** Which call's variables a later request asks for: none until it is called. */
    readonly variablesOfWith: (variablesOf: (head: CallbackHead) => string | null) => Effect.Effect<void>
    /** How later calls are hung up: `Ended` until it is called. An answer may take its time. */
    readonly hangUpWith: (
      answer: (call: KnownCall) => HangUpAnswer | Effect.Effect<HangUpAnswer>
    ) => Effect.Effect<void>
    /**
     * How later callbacks are read: `BadSignature` until it is called. Any may be authentic, unless another judges it.
     */
    readonly ingestWith: (
      ingest: (callback: Callback, now: DateTime.Utc) => Ingested,
      mayBeAuthentic?: (head: CallbackHead) => boolean
    ) => Effect.Effect<void>
    /** What `fetch` says from now on: `NotFound` until it is called. An answer may take its time. */
    readonly tell: (snapshot: (ref: string) => CallSnapshot | Effect.Effect<CallSnapshot>) => Effect.Effect<void>
    /** Reports something by itself. */
    readonly report: (report: CallReport) => Effect.Effect<void>
  }
>()("@frontdesk/testing/fake/FakeCallProvider") {
  /** The fake, and the `CallProvider` it stands for. */
  static readonly layer: Layer.Layer<FakeCallProvider | CallProvider> = Layer.effectContext(
    Effect.gen(function* () {
      const requests: Array<StartCall> = []
      const questions: Array<string> = []
      const hungUp: Array<string> = []
      const reports = yield* Queue.unbounded<CallReport>()
      let answer: (request: StartCall) => StartAnswer | Effect.Effect<StartAnswer> = ({ ref }) => ({
        _tag: "Accepted",
        providerCallId: providerCallId(ref)
      })
      let preflight: (request: StartCall) => StartRefusal | null = () => null
      let variablesOf: (head: CallbackHead) => string | null = () => null
      let hangUp: (call: KnownCall) => HangUpAnswer | Effect.Effect<HangUpAnswer> = () => ({ _tag: "Ended" })
      let mayBeAuthentic: (head: CallbackHead) => boolean = () => true
      let ingest: (callback: Callback, now: DateTime.Utc) => Ingested = () => ({ _tag: "BadSignature" })
      let snapshot: (ref: string) => CallSnapshot | Effect.Effect<CallSnapshot> = () => ({ _tag: "NotFound" })
      const fake = FakeCallProvider.of({
        requests: Effect.sync(() => [...requests]),
        questions: Effect.sync(() => [...questions]),
        hungUp: Effect.sync(() => [...hungUp]),
        answerWith: (next) =>
          Effect.sync(() => {
            answer = next
          }),
        preflightWith: (next) =>
          Effect.sync(() => {
            preflight = next
          }),
        variablesOfWith: (next) =>
          Effect.sync(() => {
            variablesOf = next
          }),
        hangUpWith: (next) =>
          Effect.sync(() => {
            hangUp = next
          }),
        ingestWith: (next, judge = () => true) =>
          Effect.sync(() => {
            ingest = next
            mayBeAuthentic = judge
          }),
        tell: (next) =>
          Effect.sync(() => {
            snapshot = next
          }),
        report: (report) => Effect.asVoid(Queue.offer(reports, report))
      })
      const provider = CallProvider.of({
        name: "fake",
        maxCallbackBytes: 10_000,
        preflight: (request) => preflight(request),
        variablesOf: (head) => variablesOf(head),
        start: Effect.fnUntraced(function* (request) {
          requests.push(request)
          const given = answer(request)
          return Effect.isEffect(given) ? yield* given : given
        }),
        fetch: Effect.fnUntraced(function* ({ ref }) {
          questions.push(ref)
          const given = snapshot(ref)
          return Effect.isEffect(given) ? yield* given : given
        }),
        hangUp: Effect.fnUntraced(function* (call) {
          hungUp.push(call.ref)
          const given = hangUp(call)
          return Effect.isEffect(given) ? yield* given : given
        }),
        mayBeAuthentic: (head) => mayBeAuthentic(head),
        ingest: (callback, now) => ingest(callback, now),
        reports: Stream.fromQueue(reports),
        check: Effect.succeed({ isUsable: true, says: "a fake" })
      })
      return Context.make(FakeCallProvider, fake).pipe(Context.add(CallProvider, provider))
    })
  )
}
