import { CallProvider, type KnownCall, type CallReport } from "@frontdesk/core/call/CallProvider"
import * as Config from "effect/Config"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { scriptOf, type SimulatedCall, timeline } from "./SimulatedScript.ts"
import * as SimulatedCallId from "./SimulatedCallId.ts"

/** How many calls the simulation finds again by the caller's reference alone: the latest ones. */
const remembered = 10_000

/**
 * A provider that calls nobody, on Effect's clock: what becomes of a call depends on the last four digits of the number.
 *
 * | digits | call |
 * |---|---|
 * | 0001 | busy |
 * | 0002 | no answer |
 * | 0003 | refused by the provider |
 * | 0004 | answered by voicemail |
 * | 0005 | answered, and its end is never reported: `fetch` knows it |
 * | other | rings, is answered, talks 30 seconds, ends; then transcript, recording and summary |
 *
 * Nothing is random. Each report reaches one reader of `reports`; reports that nobody has read are lost with the process,
 * `fetch` is not: it computes how a call stands from its id and the clock.
 *
 * @param options.pace how many simulated seconds pass in a second; 0: the whole call at once. Not negative.
 */
export const layer = (options: { readonly pace: number }): Layer.Layer<CallProvider> =>
  Layer.effect(
    CallProvider,
    Effect.gen(function* () {
      const { pace } = options
      if (!(pace >= 0 && Number.isFinite(pace)))
        return yield* Effect.die(new RangeError(`pace ${pace} is not possible`))
      const scope = yield* Effect.scope
      const reports = yield* Queue.unbounded<CallReport>()
      const idByRef = new Map<string, string>()

      /** When calls were hung up; forgotten with the process. */
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
        if (idByRef.size > remembered && oldest !== undefined) idByRef.delete(oldest)
      }

      return CallProvider.of({
        // Nobody is called back.
        maxCallbackBytes: 0,
        name: "simulated",
        preflight: () => null,
        variablesOf: () => null,
        start: Effect.fn("SimulatedCallProvider.start")(function* ({ ref, to }) {
          if (scriptOf(to) === "refused") {
            return {
              _tag: "Refused",
              code: "destination_refused",
              reason: "The simulation refuses this number",
              retryable: false
            }
          }
          const draft = { to, startedAt: yield* DateTime.now, pace }
          const call = { ...draft, providerCallId: SimulatedCallId.make(draft, ref) }
          remember(ref, call.providerCallId)
          yield* announce(call, ref).pipe(Effect.forkIn(scope))
          return { _tag: "Accepted", providerCallId: call.providerCallId }
        }),
        fetch: Effect.fn("SimulatedCallProvider.fetch")(function* (known) {
          const call = find(known)
          if (call === undefined) return { _tag: "NotFound" }
          const now = yield* DateTime.now
          const reports = stepsOf(call)
            .filter((step) => DateTime.isLessThanOrEqualTo(step.at, now))
            .map((step) => step.report)
          return { _tag: "Known", providerCallId: call.providerCallId, reports }
        }),
        hangUp: Effect.fn("SimulatedCallProvider.hangUp")(function* (known) {
          const call = find(known)
          if (call === undefined) return { _tag: "Unknown", cause: "the simulation knows no such call" }
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

/** {@link layer} with `FRONTDESK_SIMULATED_CALL_PACE`: 10 when it is not set. */
export const layerConfig: Layer.Layer<CallProvider, Config.ConfigError> = Layer.unwrap(
  Effect.map(Config.schema(Pace, "FRONTDESK_SIMULATED_CALL_PACE").pipe(Config.withDefault(10)), (pace) =>
    layer({ pace })
  )
)
