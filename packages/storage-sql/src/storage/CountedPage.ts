import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"

/**
 * Reads a page of a list whose rows are counted on each request. A page beyond the end needs no query of rows.
 *
 * @param counted counts the rows of the list
 * @param rows reads the rows of the page, in the order of the list. `offset` is the number of rows before the page.
 */
export const read = Effect.fnUntraced(function* <A>(
  page: Page.PageRequest,
  counted: Effect.Effect<{ readonly count: number }, StorageError>,
  rows: (offset: number) => Effect.Effect<ReadonlyArray<A>, StorageError>
): Effect.fn.Return<Page.Page<A>, StorageError> {
  const { count } = yield* counted
  const offset = Page.offset(page)
  const items = offset < count ? yield* rows(offset) : []
  return { items, count, page: page.page, limit: page.limit }
})
