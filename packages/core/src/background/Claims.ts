import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Outage from "../storage/Outage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Loop from "./Loop.ts"

/** Items that a worker claims from a store, and what it does with each. */
export interface ClaimedWork<Item> {
  /** Claims up to so many items that are due, the longest due first. An item that fails is due again when its lease ends. */
  readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<Item>, StorageError>
  /** Does the work of one item; returns whether it counts as done. See {@link orElse} for one that may fail. */
  readonly apply: (item: Item) => Effect.Effect<boolean>
  /** How many items are worked on at once: each lane has one. */
  readonly lanes: number
  /** How many items a lane claims at a time. With 1, no claimed item waits behind a slow one. */
  readonly perLane: number
}

/** Works on what it is given, one item after the other, then on other items that are due, until none is. */
const lane = Effect.fnUntraced(function* <Item>(work: ClaimedWork<Item>, first: ReadonlyArray<Item>) {
  let total = 0
  let items = first
  while (items.length > 0) {
    for (const item of items) if (yield* work.apply(item)) total += 1
    // The next round meets a store that fails again, and reports it.
    items = yield* Effect.orElseSucceed(work.claim(work.perLane), () => [])
  }
  return total
})

/** Deals the items to as many lanes, so that each has as many as the others, or one more; no lane is empty. */
const deal = <Item>(items: ReadonlyArray<Item>, lanes: number): ReadonlyArray<ReadonlyArray<Item>> =>
  Array.from({ length: Math.min(lanes, items.length) }, (_, index) => items.filter((_, at) => at % lanes === index))

/** Works on everything that is due now; returns how many items count as done. Fails when the first claim does. */
export const workOnce = Effect.fnUntraced(function* <Item>(work: ClaimedWork<Item>) {
  const items = yield* work.claim(work.lanes * work.perLane)
  const totals = yield* Effect.forEach(deal(items, work.lanes), (some) => lane(work, some), {
    concurrency: "unbounded"
  })
  return totals.reduce((sum, total) => sum + total, 0)
})

/**
 * Works on everything that is due, until it is interrupted. It claims for the lanes that are free, rests, and claims again,
 * so that an item that takes long occupies its own lane alone.
 */
export const workForever = <Item>(work: ClaimedWork<Item>, options: Loop.LoopOptions): Effect.Effect<never> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    let busy = 0
    const left = Effect.sync(() => {
      busy -= 1
    })
    const round = Effect.gen(function* () {
      const free = work.lanes - busy
      if (free === 0) return
      for (const items of deal(yield* work.claim(free * work.perLane), free)) {
        busy += 1
        yield* Effect.forkIn(Effect.ensuring(lane(work, items), left), scope, { startImmediately: true })
      }
    })
    return yield* Loop.forever(round, options)
  }).pipe(Effect.scoped)

/** Returns the result of an effect, or of `otherwise` after an error in the log if it fails or dies; interruption passes. */
export const orElse =
  <B, R2>(failure: string, otherwise: Effect.Effect<B, never, R2>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | B, never, R | R2> =>
    Effect.catchCause(effect, (cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.orDie(Effect.failCause(cause))
        : Effect.andThen(Outage.log("Error", failure, cause), otherwise)
    )
