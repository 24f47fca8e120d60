import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Storage } from "../Storage.ts"

/** An effect on a storage. */
export type OnStorage<A = unknown> = Effect.Effect<A, StorageError, Storage>

/** A write of a store that is ready to be executed, with what the store shows. */
export interface PreparedWrite {
  readonly write: OnStorage
  /** Returns what the store shows of everything that the write can change. */
  readonly view: OnStorage
}

/** The writing methods of a store by name, each with an effect that makes the rows that it needs. */
export type Participation = Readonly<Record<string, OnStorage<PreparedWrite>>>

/**
 * Returns the writes of a store. Every method of the port must be listed: with a call that changes what `view` returns,
 * as "reads" when it stores nothing, or as "unseen" when the port has no way to show what it stores.
 *
 * @param make makes the rows that a call needs; each call has rows of its own
 */
export const participation = <Port, Store, Rows>(
  port: Context.Key<Port & Storage, Store>,
  make: OnStorage<Rows>,
  options: {
    readonly view: (store: Store, rows: Rows) => OnStorage
    readonly methods: {
      readonly [Method in keyof Store]: "reads" | "unseen" | ((store: Store, rows: Rows) => OnStorage)
    }
  }
): Participation => {
  const writes: Record<string, OnStorage<PreparedWrite>> = {}
  for (const method in options.methods) {
    const call = options.methods[method]
    if (call === "reads" || call === "unseen") continue
    writes[method] = Effect.gen(function* () {
      const store = yield* port
      const rows = yield* make
      return { write: call(store, rows), view: Effect.suspend(() => options.view(store, rows)) }
    })
  }
  return writes
}

/**
 * Returns the result of an effect whose writes are rolled back. It shows what a store returns only to a write, such as
 * which tasks a claim would claim.
 */
export const rolledBack = <A>(effect: OnStorage<A>): OnStorage<A> =>
  Effect.gen(function* () {
    const { run } = yield* Transaction
    const end = yield* Effect.flip(run(Effect.flatMap(effect, (seen) => Effect.fail({ seen }))))
    return "reason" in end ? yield* end : end.seen
  })
