import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * How many rows a read examines at most in its ordinary place (D-LITE-10). A read that may examine more is long, unless
 * it asked before whether there are more.
 */
export const maxExamined = 1_000

/**
 * The account whose long read the running fiber makes; null for other reads. A client whose reads block the program may
 * run a long read elsewhere, one at a time for each account. Inside a transaction it has no effect.
 */
export const CurrentLongRead = Context.Reference<number | null>(
  "@frontdesk/storage-sql/storage/LongRead/CurrentLongRead",
  {
    defaultValue: () => null
  }
)

/** Marks the reads of an effect as long, on behalf of an account. */
export const by =
  (accountId: number) =>
  <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(read, CurrentLongRead, accountId)
