import * as Effect from "effect/Effect"

/** How many rows of a list without pages are read in one statement. */
export const pageSize = 500

/**
 * Reads a list of any length page by page, so that no statement reads a whole table. `read` returns at most
 * {@link pageSize} rows behind a row in the order of the list; null: from the first.
 */
export const readAll = Effect.fnUntraced(function* <A, E, R>(
  read: (after: A | null, limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
) {
  const all: Array<A> = []
  while (true) {
    const page: ReadonlyArray<A> = yield* read(all.at(-1) ?? null, pageSize)
    // A shorter page is not the last one: rows that cannot be read are left out of it.
    if (page.length === 0) return all
    for (const row of page) all.push(row)
  }
})
