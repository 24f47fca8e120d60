import { describe, expect, it } from "@effect/vitest"
import * as Page from "@frontdesk/core/values/Page"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

describe("Page", () => {
  it("without a wish it is page 1 with 20 rows", () => {
    expect(Page.request({})).toEqual({ page: 1, limit: 20 })
  })

  it("a limit above 100 is 100", () => {
    expect(Page.request({ limit: 101 }).limit).toBe(100)
    expect(Page.request({ limit: 100 }).limit).toBe(100)
    for (const limit of [2_000_000_000, Number.MAX_SAFE_INTEGER]) {
      expect(Page.request({ limit: Schema.decodeUnknownSync(Page.PageLimit)(limit) }).limit).toBe(100)
    }
  })

  it("an empty list has no pages", () => {
    expect(Page.pages(Page.slice([], Page.request({})))).toBe(0)
  })

  it("a page past the end is empty and says how many rows there are", () => {
    expect(Page.slice([1, 2, 3], { page: 9, limit: 2 })).toEqual({ items: [], count: 3, page: 9, limit: 2 })
  })

  it("however far past the end a page is, the rows before it are a safe integer", () => {
    const page = Schema.decodeUnknownSync(Page.PageNumber)(Number.MAX_SAFE_INTEGER)
    expect(Page.offset({ page, limit: 100 })).toBe(Number.MAX_SAFE_INTEGER)
    expect(Page.slice([1, 2, 3], { page, limit: 100 }).items).toEqual([])
  })

  it("pages concatenated are the list, each row once", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 50 }), fc.integer({ min: 1, max: 12 }), (rows, limit) => {
        const count = Page.pages(Page.slice(rows, { page: 1, limit }))
        const pages = Array.from({ length: count }, (_, index) => Page.slice(rows, { page: index + 1, limit }).items)
        expect(pages.flat()).toEqual(rows)
        expect(pages.every((page) => page.length > 0)).toBe(true)
      })
    )
  })
})
