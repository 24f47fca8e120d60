import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SlotHoldStore } from "../availability/SlotHoldStore.ts"
import * as Loop from "../background/Loop.ts"
import * as Steps from "../background/Steps.ts"
import { ToolCallStore } from "../call/ToolCallStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Timestamp from "../values/Timestamp.ts"
import * as Tracing from "../values/Tracing.ts"

/** The rest between two sweeps. */
const sweepEvery = Duration.hours(1)

/** How long tool calls without a call are stored. */
const toolCallRetention = Duration.hours(24)

/** How many rows a sweep has deleted. */
export interface SweptBookings {
  readonly slotHolds: number
  readonly toolCalls: number
}

/**
 * Deletes expired slot holds, and tool calls without a call that are older than 24 hours. The tool calls of a call are
 * deleted with the call.
 */
export class BookingRetentionWorker extends Context.Service<
  BookingRetentionWorker,
  {
    /** Deletes in bounded steps with rests between them. Returns how many rows were deleted. */
    readonly sweep: Effect.Effect<SweptBookings, StorageError>
    /** Sweeps at once and then every hour. A failure is logged, and the next sweep follows an hour later. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/BookingRetentionWorker") {
  /** The worker on the stores of slot holds and tool calls. */
  static readonly layer: Layer.Layer<BookingRetentionWorker, never, SlotHoldStore | ToolCallStore> = Layer.effect(
    BookingRetentionWorker,
    Effect.gen(function* () {
      const holds = yield* SlotHoldStore
      const calls = yield* ToolCallStore

      const sweep = Effect.gen(function* () {
        const now = yield* DateTime.now
        const slotHolds = yield* Steps.sweepBefore(now, holds.sweep)
        const toolCalls = yield* Steps.sweepBefore(Timestamp.before(now, toolCallRetention), calls.sweep)
        return { slotHolds, toolCalls }
      }).pipe(Tracing.span("BookingRetentionWorker.sweep"))

      const logged = Effect.tap(sweep, ({ slotHolds, toolCalls }) =>
        slotHolds + toolCalls === 0
          ? Effect.void
          : Effect.logDebug(`Deleted ${slotHolds} expired slot holds and ${toolCalls} old tool calls`)
      )

      const run = Loop.forever(logged, {
        pause: sweepEvery,
        level: "Warn",
        failure: "Expired slot holds and old tool calls could not be deleted"
      })

      return BookingRetentionWorker.of({ sweep, run })
    })
  )
}
