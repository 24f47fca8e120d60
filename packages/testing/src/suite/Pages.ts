import type { Page, PageRequest } from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import { expect } from "./Expect.ts"

/**
 * Reads all pages of a list and returns their items in order. Fails the test if the pages have different counts, or if
 * a page has more items than the limit.
 */
export const readAll = <A, E, R>(
  list: (page: PageRequest) => Effect.Effect<Page<A>, E, R>,
  limit: number
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.gen(function* () {
    const first = yield* list({ page: 1, limit })
    const items = [...first.items]
    for (let page = 2; page <= Math.ceil(first.count / limit); page++) {
      const next = yield* list({ page, limit })
      expect(next).toMatchObject({ count: first.count, page, limit })
      expect(next.items.length).toBeLessThanOrEqual(limit)
      items.push(...next.items)
    }
    expect(items).toHaveLength(first.count)
    return items
  })

/** Returns the request for a page with at most `limit` rows. The first page has the number 1. */
export const page = (number: number, limit = 100): PageRequest => ({ page: number, limit })
