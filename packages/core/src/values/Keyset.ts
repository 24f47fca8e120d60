import * as Effect from "effect/Effect"

/** The number of rows that {@link readAll} reads in one statement. */
export const pageSize = 500

/**
 * Returns all rows of a list of any length. It reads them page by page, so that no statement reads a whole table.
 *
 * @param read returns the first `limit` rows after the row `after` in the order of the list, or the first rows for null
 */
export const readAll = Effect.fnUntraced(function* <A, E, R>(
  read: (after: A | null, limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
) {
  const all: Array<A> = []
  while (true) {
    const page: ReadonlyArray<A> = yield* read(all.at(-1) ?? null, pageSize)
    // Only an empty page is the end. A page with fewer rows than the limit may lack unreadable rows.
    if (page.length === 0) return all
    for (const row of page) all.push(row)
  }
})
