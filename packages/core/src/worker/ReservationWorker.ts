import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountStore } from "../access/AccountStore.ts"
import type { AgentStore } from "../agent/AgentStore.ts"
import * as Acting from "../audit/Acting.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import type { ContactStore } from "../contact/ContactStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Transaction } from "../storage/Transaction.ts"
import type { WebhookEventPublisher } from "../webhook-event/WebhookEventPublisher.ts"
import * as Claims from "../background/Claims.ts"
import * as Timestamp from "../values/Timestamp.ts"
import * as Tracing from "../values/Tracing.ts"
import type { Call, CallId } from "../call/Call.ts"
import { CallProgress } from "../call/CallProgress.ts"
import type { CallProvider } from "../call/CallProvider.ts"
import { CallStore } from "../call/CallStore.ts"
import { HangUps } from "../call/HangUps.ts"
import { isOutOfFunds, minutesNeeded, ReservationPlan } from "../call/ReservationPlan.ts"

/** The maximum number of calls that a process changes at once. */
const concurrency = 8

/** The maximum number of calls that each lane claims at once. */
const perLane = 6

/** The rest between two claims. */
const pause = Duration.seconds(1)

/**
 * Reserves the talk time of running calls minute by minute, and hangs up those whose next minute the balance does not
 * cover (D-BILL-7).
 */
export class ReservationWorker extends Context.Service<
  ReservationWorker,
  {
    /**
     * Reserves talk time for the calls that are due now, and hangs up those that are out of funds. Returns how many
     * calls it handled. Each call is claimed first, so that only one process acts. When a call cannot be changed, the
     * worker logs it and continues with the others. The call is due again after a few seconds.
     */
    readonly runOnce: Effect.Effect<number, StorageError>
    /**
     * Repeats the work of `runOnce` until it is interrupted. A failure is logged and retried. Reservations do not wait
     * for a hang-up.
     */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/ReservationWorker") {
  /** The worker on the stores and the provider. */
  static readonly layer: Layer.Layer<
    ReservationWorker,
    never,
    | AccountStore
    | AgentStore
    | AuditStore
    | CallProvider
    | CallStore
    | ContactStore
    | WebhookEventPublisher
    | Transaction
  > = Layer.effect(
    ReservationWorker,
    Effect.gen(function* () {
      const calls = yield* CallStore
      const hangUps = yield* HangUps
      const progress = yield* CallProgress
      const plan = yield* ReservationPlan

      /** Reserves the next talk time of a call. Returns the call only when it is out of funds and must be hung up. */
      const reserve = Tracing.operation("ReservationWorker.reserve")(function* (id: CallId) {
        const reserved = yield* progress.change({ id }, (call, now) => ({
          call,
          reports: [],
          minutes: minutesNeeded(plan, call, now)
        }))
        const now = yield* DateTime.now
        return Option.filter(reserved, (call) => isOutOfFunds(plan, call, now))
      })

      const claim = Effect.fnUntraced(function* (limit: number) {
        const now = yield* DateTime.now
        return yield* calls.claim("reserve", now, Timestamp.after(now, plan.retry), limit)
      })

      const hangUp = (call: Call) =>
        hangUps
          .hangUp(call)
          .pipe(
            Effect.andThen(Effect.logInfo("A call was hung up because the balance covers no further minute")),
            Claims.orElse("A call without funds could not be hung up, and is hung up later", Effect.void),
            Effect.annotateLogs({ call: call.callId })
          )

      /**
       * The work of the lanes: reserves talk time for due calls, and passes each call that is out of funds to `end`.
       */
      const work = (end: (call: Call) => Effect.Effect<unknown>): Claims.ClaimedWork<CallId> => ({
        claim,
        apply: (id) =>
          reserve(id).pipe(
            Claims.orElse("The talk time of a call could not be reserved", Effect.succeedNone),
            Effect.annotateLogs({ call: id }),
            Effect.flatMap(Option.match({ onNone: () => Effect.void, onSome: end })),
            Effect.as(true)
          ),
        lanes: concurrency,
        perLane
      })

      const runOnce = Effect.gen(function* () {
        const ending: Array<Call> = []
        const total = yield* Claims.workOnce(work((call) => Effect.sync(() => void ending.push(call))))
        yield* Effect.forEach(ending, hangUp, { concurrency: "unbounded", discard: true })
        return total
      }).pipe(Acting.by("worker", "call-reservations"), Tracing.span("ReservationWorker.runOnce"))

      const run = Effect.gen(function* () {
        const scope = yield* Effect.scope
        return yield* Claims.workForever(
          work((call) => Effect.forkIn(hangUp(call), scope)),
          { pause, level: "Error", failure: "The talk time of calls could not be reserved" }
        )
      }).pipe(Effect.scoped, Acting.by("worker", "call-reservations"))

      return ReservationWorker.of({ runOnce, run })
    })
  ).pipe(Layer.provide(HangUps.layer), Layer.provide(CallProgress.layer))
}
