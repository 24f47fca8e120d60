import { CallProvider, type KnownCall, type CallReport } from "@frontdesk/core/call/CallProvider"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Config from "effect/Config"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { scriptOf, type SimulatedCall, timeline } from "./SimulatedScript.ts"
import * as SimulatedCallId from "./SimulatedCallId.ts"

/** The maximum number of calls that are found by our reference alone. The oldest ones are removed first. */
const maxCallsByRef = 10_000

/**
 * Provides simulated calls, on Effect's clock. It places no real call. The last four digits of the number decide how the
 * call goes:
 *
 * | digits | call |
 * |---|---|
 * | 0001 | busy |
 * | 0002 | no answer |
 * | 0003 | refused by the provider |
 * | 0004 | answered by voicemail |
 * | 0005 | answered, and its end is not reported: only `fetch` returns it |
 * | other | rings, is answered, talks 30 seconds, ends; then transcript, recording and summary |
 *
 * Nothing is random. Each report goes to one reader of `reports`, and unread reports are lost when the process ends. `fetch`
 * still works then, because it computes the state of a call from its id and the clock.
 *
 * @param options.pace how many simulated seconds pass in a second. With 0 the whole call passes at once. A negative pace is
 *   a defect
 */
export const layer = (options: { readonly pace: number }): Layer.Layer<CallProvider> =>
  Layer.effect(
    CallProvider,
    Effect.gen(function* () {
      const { pace } = options
      if (!(pace >= 0 && Number.isFinite(pace)))
        return yield* Effect.die(new RangeError(`The pace of the simulation must be 0 or more, and is ${pace}`))
      const scope = yield* Effect.scope
      const reports = yield* Queue.unbounded<CallReport>()
      const idByRef = new Map<string, string>()

      /** When each call was hung up, by the id of the call. It is lost when the process ends. */
      const hungUpAt = new Map<string, DateTime.Utc>()

      const stepsOf = (call: SimulatedCall) => timeline(call, hungUpAt.get(call.providerCallId) ?? null)

      const find = ({ providerCallId, ref }: KnownCall) =>
        SimulatedCallId.parse(providerCallId ?? idByRef.get(ref) ?? "")

      const announce = Effect.fnUntraced(function* (call: SimulatedCall, ref: string) {
        for (const step of timeline(call, null)) {
          if (!step.isAnnounced) return
          const wait = step.at.epochMilliseconds - (yield* DateTime.now).epochMilliseconds
          if (wait > 0) yield* Effect.sleep(wait)
          if (hungUpAt.has(call.providerCallId)) return
          yield* Queue.offer(reports, { providerCallId: call.providerCallId, ref, report: step.report })
        }
      })

      const remember = (ref: string, providerCallId: string): void => {
        idByRef.set(ref, providerCallId)
        const [oldest] = idByRef.keys()
        if (idByRef.size > maxCallsByRef && oldest !== undefined) idByRef.delete(oldest)
      }

      return CallProvider.of({
        // The simulation makes no HTTP requests, so every callback is refused.
        maxCallbackBytes: 0,
        name: "simulated",
        preflight: () => null,
        variablesOf: () => null,
        start: Tracing.operation("SimulatedCallProvider.start")(function* ({ ref, to }) {
          if (scriptOf(to) === "refused") {
            return {
              _tag: "Refused",
              code: "destination_refused",
              reason: "the simulation refuses numbers that end in 0003",
              retryable: false
            }
          }
          const draft = { to, startedAt: yield* DateTime.now, pace }
          const call = { ...draft, providerCallId: SimulatedCallId.make(draft, ref) }
          remember(ref, call.providerCallId)
          yield* announce(call, ref).pipe(Effect.forkIn(scope))
          return { _tag: "Accepted", providerCallId: call.providerCallId }
        }),
        fetch: Tracing.operation("SimulatedCallProvider.fetch")(function* (known) {
          const call = find(known)
          if (call === undefined) return { _tag: "NotFound" }
          const now = yield* DateTime.now
          const reports = stepsOf(call)
            .filter((step) => DateTime.isLessThanOrEqualTo(step.at, now))
            .map((step) => step.report)
          return { _tag: "Known", providerCallId: call.providerCallId, reports }
        }),
        hangUp: Tracing.operation("SimulatedCallProvider.hangUp")(function* (known) {
          const call = find(known)
          if (call === undefined) return { _tag: "Unknown", cause: "the simulation has no such call" }
          const { providerCallId } = call
          const now = yield* DateTime.now
          const isOver = stepsOf(call).some(
            ({ at, report }) => report._tag === "Ended" && DateTime.isLessThanOrEqualTo(at, now)
          )
          if (isOver) return { _tag: "AlreadyOver" }
          hungUpAt.set(providerCallId, now)
          for (const { at, report } of stepsOf(call)) {
            if (DateTime.Equivalence(at, now)) yield* Queue.offer(reports, { providerCallId, ref: known.ref, report })
          }
          return { _tag: "Ended" }
        }),
        mayBeAuthentic: () => false,
        ingest: () => ({ _tag: "BadSignature" }),
        reports: Stream.fromQueue(reports),
        check: Effect.succeed({ isUsable: true, says: "calls are simulated" })
      })
    })
  )

const Pace = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))

/** Provides {@link layer} with the pace from the setting `FRONTDESK_SIMULATED_CALL_PACE`. Default: 10. */
export const layerConfig: Layer.Layer<CallProvider, Config.ConfigError> = Layer.unwrap(
  Effect.map(Config.schema(Pace, "FRONTDESK_SIMULATED_CALL_PACE").pipe(Config.withDefault(10)), (pace) =>
    layer({ pace })
  )
)
