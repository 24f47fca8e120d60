import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Outage from "../storage/Outage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Loop from "./Loop.ts"

/** Items that a worker claims from a store, and what it does with each. */
export interface ClaimedWork<Item> {
  /** Claims up to `limit` due items, the longest due first. An item whose work fails is due again when its lease ends. */
  readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<Item>, StorageError>
  /** Does the work of one item and returns whether it counts as done. {@link orElse} handles work that may fail. */
  readonly apply: (item: Item) => Effect.Effect<boolean>
  /** How many lanes work at the same time. A lane works on one item after the other. */
  readonly lanes: number
  /** How many items a lane claims together. With 1, no claimed item waits for a slow one. */
  readonly perLane: number
}

/**
 * Works on the given items one after the other, then claims further due items, until none is due. Returns how many were
 * done.
 */
const lane = Effect.fnUntraced(function* <Item>(work: ClaimedWork<Item>, first: ReadonlyArray<Item>) {
  let total = 0
  let items = first
  while (items.length > 0) {
    for (const item of items) if (yield* work.apply(item)) total += 1
    // A failing store ends the lane without an error. If the store still fails at the next first claim, that is logged.
    items = yield* Effect.orElseSucceed(work.claim(work.perLane), () => [])
  }
  return total
})

/** Distributes the items evenly over at most `lanes` lists, none of which is empty. */
const deal = <Item>(items: ReadonlyArray<Item>, lanes: number): ReadonlyArray<ReadonlyArray<Item>> =>
  Array.from({ length: Math.min(lanes, items.length) }, (_, index) => items.filter((_, at) => at % lanes === index))

/** Works on everything that is due and returns how many items count as done. Fails when the first claim fails. */
export const workOnce = Effect.fnUntraced(function* <Item>(work: ClaimedWork<Item>) {
  const items = yield* work.claim(work.lanes * work.perLane)
  const totals = yield* Effect.forEach(deal(items, work.lanes), (some) => lane(work, some), {
    concurrency: "unbounded"
  })
  return totals.reduce((sum, total) => sum + total, 0)
})

/**
 * Works on everything that is due, until it is interrupted. Each round claims items for the lanes that are free, so that a
 * slow item blocks only its own lane.
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

/**
 * Returns an effect that logs `failure` as an error when the given effect fails or dies, and then runs `otherwise`. An
 * interruption passes.
 */
export const orElse =
  <B, R2>(failure: string, otherwise: Effect.Effect<B, never, R2>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | B, never, R | R2> =>
    Effect.catchCause(effect, (cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.orDie(Effect.failCause(cause))
        : Effect.andThen(Outage.log("Error", failure, cause), otherwise)
    )
