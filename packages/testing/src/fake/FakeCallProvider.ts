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

/** Returns the id that the fake assigns to a call by default. */
export const providerCallId = (ref: string): string => `provider_${ref}`

/** A provider that refuses every call, finds none and reports nothing. Tests replace the members that they use. */
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

/** A call provider in memory. A test reads the requests and sets the answers. */
export class FakeCallProvider extends Context.Service<
  FakeCallProvider,
  {
    /** The requests of all calls of `start`, oldest first. */
    readonly requests: Effect.Effect<ReadonlyArray<StartCall>>
    /** The references of all calls of `fetch`, oldest first. */
    readonly fetched: Effect.Effect<ReadonlyArray<string>>
    /** The references of all calls of `hangUp`, oldest first. */
    readonly hungUp: Effect.Effect<ReadonlyArray<string>>
    /** Sets the answers of later calls of `start`. Default: `Accepted`. An effect may take time. */
    readonly answerWith: (
      answer: (request: StartCall) => StartAnswer | Effect.Effect<StartAnswer>
    ) => Effect.Effect<void>
    /** Sets the results of later calls of `preflight`. Default: null. */
    readonly preflightWith: (preflight: (request: StartCall) => StartRefusal | null) => Effect.Effect<void>
    /** Sets the results of later calls of `variablesOf`. Default: null. */
    readonly variablesOfWith: (variablesOf: (head: CallbackHead) => string | null) => Effect.Effect<void>
    /** Sets the answers of later calls of `hangUp`. Default: `Ended`. An effect may take time. */
    readonly hangUpWith: (
      answer: (call: KnownCall) => HangUpAnswer | Effect.Effect<HangUpAnswer>
    ) => Effect.Effect<void>
    /**
     * Sets the results of later calls of `ingest` and `mayBeAuthentic`. Default: `BadSignature` and true.
     */
    readonly ingestWith: (
      ingest: (callback: Callback, now: DateTime.Utc) => Ingested,
      mayBeAuthentic?: (head: CallbackHead) => boolean
    ) => Effect.Effect<void>
    /** Sets the answers of later calls of `fetch`. Default: `NotFound`. An effect may take time. */
    readonly fetchWith: (snapshot: (ref: string) => CallSnapshot | Effect.Effect<CallSnapshot>) => Effect.Effect<void>
    /** Emits a report on `reports`. */
    readonly report: (report: CallReport) => Effect.Effect<void>
  }
>()("@frontdesk/testing/fake/FakeCallProvider") {
  /** The fake, and the `CallProvider` that it implements. */
  static readonly layer: Layer.Layer<FakeCallProvider | CallProvider> = Layer.effectContext(
    Effect.gen(function* () {
      const requests: Array<StartCall> = []
      const fetched: Array<string> = []
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
        fetched: Effect.sync(() => [...fetched]),
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
        fetchWith: (next) =>
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
          const result = answer(request)
          return Effect.isEffect(result) ? yield* result : result
        }),
        fetch: Effect.fnUntraced(function* ({ ref }) {
          fetched.push(ref)
          const result = snapshot(ref)
          return Effect.isEffect(result) ? yield* result : result
        }),
        hangUp: Effect.fnUntraced(function* (call) {
          hungUp.push(call.ref)
          const result = hangUp(call)
          return Effect.isEffect(result) ? yield* result : result
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
