import * as Schema from "effect/Schema"
import * as JsonSize from "./JsonSize.ts"

/** The largest `limit` of a page. A request for more gets this many rows, and the page names this limit (D-PAGE-1). */
export const maxLimit = 100

/** The `limit` of a page when the request has none. */
export const defaultLimit = 20

/** A page number: a whole number from 1. A page beyond the end is empty (D-PAGE-2). */
export const PageNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** The number of rows on a page: a whole number from 1. {@link request} reduces it to {@link maxLimit}. */
export const PageLimit = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** Returns whether a value is a number of rows. */
export const isLimit = Schema.is(PageLimit)

/** The requested page: `page` counts from 1, `limit` is 1 to {@link maxLimit}. */
export const PageRequest = Schema.Struct({
  page: PageNumber,
  limit: PageLimit.check(Schema.isLessThanOrEqualTo(maxLimit, { description: `a whole number from 1 to ${maxLimit}` }))
})

/** The requested page: its number from 1, and its number of rows. */
export type PageRequest = typeof PageRequest.Type

/** Selects a page of a list. {@link request} fills in what is absent. */
export const PageQuery = Schema.Struct({
  page: Schema.optional(PageNumber),
  limit: Schema.optional(PageLimit)
})

/** Selects a page of a list. */
export type PageQuery = typeof PageQuery.Type

/** One page of a list. */
export interface Page<out A> {
  readonly items: ReadonlyArray<A>
  /** The number of rows in the whole list, or the maximum length of the list if `isCapped`. */
  readonly count: number
  /** Whether rows are missing behind the maximum length of the list. Absent in a list that has all rows. */
  readonly isCapped?: boolean | undefined
  readonly page: number
  readonly limit: number
  /** The ids of the rows whose large fields were left out. Absent in a list whose rows have no large fields. */
  readonly truncated?: ReadonlyArray<number> | undefined
}

/**
 * The maximum number of bytes of all rows of a page together as JSON: 2 MiB (D-PAGE-4). The first row that would exceed
 * it comes without its large fields, and so does every row after it. A page cannot end early instead, because pages are
 * numbered.
 */
export const maxBytes = 2_097_152

/** Returns the requested page, with the defaults filled in and the limit reduced to {@link maxLimit}. */
export const request = (query: PageQuery): PageRequest => ({
  page: query.page ?? 1,
  limit: Math.min(query.limit ?? defaultLimit, maxLimit)
})

/**
 * Returns the number of rows before the page, at most the largest safe integer, which is beyond the end of any list.
 */
export const offset = (request: PageRequest): number =>
  Math.min((request.page - 1) * request.limit, Number.MAX_SAFE_INTEGER)

/** A request for the count of a list without any of its rows: a page behind the end of every list. */
export const onlyCount: PageRequest = { page: Number.MAX_SAFE_INTEGER, limit: maxLimit }

/** Returns the number of pages in the whole list, 0 when the list is empty. */
export const pages = (page: Page<unknown>): number => Math.ceil(page.count / page.limit)

/** Returns the page with each row replaced by `f` of the row. */
export const map = <A, B>(page: Page<A>, f: (item: A) => B): Page<B> => ({ ...page, items: page.items.map(f) })

/** Returns the page if it certainly is within {@link maxBytes}, and otherwise undefined. No row is measured exactly. */
export const small = <A extends { readonly id: number }>(page: Page<A>): Page<A> | undefined => {
  if (page.items.reduce((sum, item) => sum + JsonSize.maxBytesOf(item), 0) > maxBytes) return undefined
  const before = new Set(page.truncated)
  return { ...page, truncated: page.items.flatMap(({ id }) => (before.has(id) ? [id] : [])) }
}

/**
 * Returns the page within {@link maxBytes}: the rows beyond it are shortened, and `truncated` has their ids. The bytes
 * of all shortened rows count first, because each row has at least those.
 *
 * @param page its `truncated` has the ids of rows that were shortened before
 * @param shorten returns a row without its large fields
 * @param bytesOf returns the number of bytes of a row as JSON
 */
export const bounded = <A extends { readonly id: number }>(
  page: Page<A>,
  shorten: (item: A) => A,
  bytesOf: (item: A) => number = JsonSize.bytesOf
): Page<A> => {
  const before = new Set(page.truncated)
  const rows = page.items.map((item) => {
    const short = before.has(item.id) ? item : shorten(item)
    return { item, short, shortBytes: bytesOf(short) }
  })
  let bytes = rows.reduce((sum, { shortBytes }) => sum + shortBytes, 0)
  const truncated: Array<number> = []
  const items = rows.map(({ item, short, shortBytes }) => {
    // After the first row beyond the maximum, the rows are shortened without measuring them.
    if (bytes <= maxBytes) bytes += bytesOf(item) - shortBytes
    if (bytes <= maxBytes && !before.has(item.id)) return item
    truncated.push(item.id)
    return short
  })
  return { ...page, items, truncated }
}

/** Returns the requested page of a list that is in memory. */
export const slice = <A>(all: ReadonlyArray<A>, request: PageRequest): Page<A> => ({
  items: all.slice(offset(request), offset(request) + request.limit),
  count: all.length,
  page: request.page,
  limit: request.limit
})

/**
 * Returns the requested page of a list that is in memory and has a maximum length. `isCapped` says whether rows are
 * left out behind it.
 */
export const sliceCapped = <A>(all: ReadonlyArray<A>, maxRows: number, request: PageRequest): Page<A> => ({
  ...slice(all.slice(0, maxRows), request),
  isCapped: all.length > maxRows
})
