import * as Schema from "effect/Schema"
import * as JsonSize from "./JsonSize.ts"

/** The greatest `limit` of a page; above it a page has this many rows and says so (D-PAGE-1). */
export const maxLimit = 100

/** The `limit` of a page when none is asked. */
export const defaultLimit = 20

/** A page number: a whole number from 1. A page beyond the end is empty. */
export const PageNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** Rows a page: a whole number from 1; above {@link maxLimit} it counts as that. */
export const PageLimit = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** Which page is asked: `page` counts from 1, `limit` is 1 to {@link maxLimit}. */
export const PageRequest = Schema.Struct({
  page: PageNumber,
  limit: PageLimit.check(Schema.isLessThanOrEqualTo(maxLimit, { description: `a whole number from 1 to ${maxLimit}` }))
})

/** Which page is asked. */
export type PageRequest = typeof PageRequest.Type

/** One page of a list: its rows, and how many rows the whole list has. */
export interface Page<out A> {
  readonly items: ReadonlyArray<A>
  readonly count: number
  readonly page: number
  readonly limit: number
  /** The ids of the rows whose large fields are left out; absent in a list whose rows have none. */
  readonly truncated?: ReadonlyArray<number> | undefined
}

/**
 * The most bytes that all rows of a page have together as JSON: 2 MiB. A row whose large fields reach beyond, and every row
 * behind it, comes without its large fields, because pages are numbered and none may end early.
 */
export const maxBytes = 2_097_152

/** `page` and `limit` as asked, with the defaults filled in and the limit held at {@link maxLimit}. */
export const request = (asked: {
  readonly page?: number | undefined
  readonly limit?: number | undefined
}): PageRequest => ({ page: asked.page ?? 1, limit: Math.min(asked.limit ?? defaultLimit, maxLimit) })

/** How many rows come before the page; held at the greatest safe integer, which is beyond the end of any list. */
export const offset = (request: PageRequest): number =>
  Math.min((request.page - 1) * request.limit, Number.MAX_SAFE_INTEGER)

/** Asks for no row of a list, only for its count: the page is behind the end of every list. */
export const nothing: PageRequest = { page: Number.MAX_SAFE_INTEGER, limit: maxLimit }

/** How many pages the list has: 0 when it is empty. */
export const pages = (page: Page<unknown>): number => Math.ceil(page.count / page.limit)

/** The same page with its rows mapped. */
export const map = <A, B>(page: Page<A>, f: (item: A) => B): Page<B> => ({ ...page, items: page.items.map(f) })

/**
 * Returns the page with rows shortened that reach beyond {@link maxBytes}, and their ids in `truncated`. What every row has
 * without its large fields is counted first, because every row comes with it.
 *
 * @param page `truncated` names the rows that were shortened before
 * @param shorten leaves out the large fields of a row
 * @param bytesOf how many bytes a row has as JSON, when that is known before
 */
export const bounded = <A extends { readonly id: number }>(
  page: Page<A>,
  shorten: (item: A) => A,
  bytesOf: (item: A) => number = JsonSize.bytesOf
): Page<A> => {
  const before = new Set(page.truncated ?? [])
  const rows = page.items.map((item) => {
    const short = before.has(item.id) ? item : shorten(item)
    return { item, short, shortBytes: bytesOf(short) }
  })
  let bytes = rows.reduce((sum, { shortBytes }) => sum + shortBytes, 0)
  const truncated: Array<number> = []
  const items = rows.map(({ item, short, shortBytes }) => {
    // Beyond the bound no further row is measured: every one is shortened.
    if (bytes <= maxBytes) bytes += bytesOf(item) - shortBytes
    if (bytes <= maxBytes && !before.has(item.id)) return item
    truncated.push(item.id)
    return short
  })
  return { ...page, items, truncated }
}

/** The wanted page of a list that is in memory. */
export const slice = <A>(all: ReadonlyArray<A>, request: PageRequest): Page<A> => ({
  items: all.slice(offset(request), offset(request) + request.limit),
  count: all.length,
  page: request.page,
  limit: request.limit
})
