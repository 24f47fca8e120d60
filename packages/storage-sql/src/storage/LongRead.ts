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

/** Returns a read that examines a number of rows: a long one if they are more than {@link maxExamined}. */
export const ofRows = <A, E, R>(
  accountId: number,
  examined: number,
  read: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => (examined > maxExamined ? by(accountId)(read) : read)

/** How many rows a read asks for to find out whether there are more than {@link maxExamined}. */
export const probeRows = maxExamined + 1

/**
 * Returns what `few` finds, which reads at most {@link probeRows} rows. If it has found more than {@link maxExamined},
 * returns what `all` finds, as a long read.
 */
export const unlessFew = <A, E, R>(
  accountId: number,
  reads: {
    readonly few: Effect.Effect<A, E, R>
    readonly all: Effect.Effect<A, E, R>
    /** Returns how many rows `few` has found. */
    readonly rowsOf: (found: A) => number
  }
): Effect.Effect<A, E, R> =>
  Effect.flatMap(reads.few, (found) =>
    reads.rowsOf(found) > maxExamined ? by(accountId)(reads.all) : Effect.succeed(found)
  )

/**
 * Returns the number of rows of a list. It counts them as a long read if they are more than {@link maxExamined}.
 *
 * @param countUpTo counts the rows with this ending of its `SELECT`: a limit, or nothing
 */
export const count = <E, R>(
  accountId: number,
  countUpTo: (limit: string) => Effect.Effect<{ readonly count: number }, E, R>
): Effect.Effect<{ readonly count: number }, E, R> =>
  unlessFew(accountId, {
    few: countUpTo(` LIMIT ${probeRows}`),
    all: countUpTo(""),
    rowsOf: ({ count }) => count
  })
