import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as LongRead from "./LongRead.ts"

/** The reads of a list that has a maximum length. A limit is a part of the text of its query (D-PG-17). */
export interface CappedReads<A> {
  /** Counts the rows of the list, and stops at the limit. */
  readonly countUpTo: (limit: number) => Effect.Effect<{ readonly count: number }, StorageError>
  /** Reads rows of the list, in its order. */
  readonly rows: (limit: number, offset: number) => Effect.Effect<ReadonlyArray<A>, StorageError>
}

/**
 * Reads a page of the first `maxRows` rows of a list, as `Page.sliceCapped` does in memory. What may examine many rows is a
 * long read of the account.
 */
export const read = Effect.fnUntraced(function* <A>(
  accountId: number,
  maxRows: number,
  page: Page.PageRequest,
  { countUpTo, rows }: CappedReads<A>
): Effect.fn.Return<Page.Page<A>, StorageError> {
  const { count: found } = yield* LongRead.unlessFew(accountId, {
    few: countUpTo(LongRead.probeRows),
    // One row more than the maximum tells whether the list is capped.
    all: countUpTo(maxRows + 1),
    rowsOf: ({ count }) => count
  })
  const isCapped = found > maxRows
  const count = isCapped ? maxRows : found
  const offset = Page.offset(page)
  const limit = isCapped ? Math.min(page.limit, count - offset) : page.limit
  const items = offset < count ? yield* LongRead.ofRows(accountId, offset + limit, rows(limit, offset)) : []
  return { items, count, isCapped, page: page.page, limit: page.limit }
})
