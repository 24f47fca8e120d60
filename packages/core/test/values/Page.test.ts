import { describe, expect, it } from "@effect/vitest"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import * as Page from "@frontdesk/core/values/Page"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

describe("Page", () => {
  it("request returns page 1 with 20 rows for an empty query", () => {
    expect(Page.request({})).toEqual({ page: 1, limit: 20 })
  })

  it("request reduces a limit above 100 to 100", () => {
    expect(Page.request({ limit: 101 }).limit).toBe(100)
    expect(Page.request({ limit: 100 }).limit).toBe(100)
    for (const limit of [2_000_000_000, Number.MAX_SAFE_INTEGER]) {
      expect(Page.request({ limit: Schema.decodeUnknownSync(Page.PageLimit)(limit) }).limit).toBe(100)
    }
  })

  it("request keeps a page and a limit that are given", () => {
    expect(Page.request({ page: 3, limit: 7 })).toEqual({ page: 3, limit: 7 })
  })

  it("page and limit must be whole numbers from 1, and the limit of a PageRequest must be at most 100", () => {
    const accepted = (schema: Schema.Schema<number>) => [0, 1, 1.5].map((value) => Schema.is(schema)(value))
    expect(accepted(Page.PageNumber)).toEqual([false, true, false])
    expect(accepted(Page.PageLimit)).toEqual([false, true, false])
    const isRequest = Schema.is(Page.PageRequest)
    expect([100, 101].map((limit) => isRequest({ page: 1, limit }))).toEqual([true, false])
  })

  it("pages returns 0 for an empty list", () => {
    expect(Page.pages(Page.slice([], Page.request({})))).toBe(0)
  })

  it("a page beyond the end is empty and has the count of the list", () => {
    expect(Page.slice([1, 2, 3], { page: 9, limit: 2 })).toEqual({ items: [], count: 3, page: 9, limit: 2 })
  })

  it("offset is at most the largest safe integer, however high the page number is", () => {
    const page = Schema.decodeUnknownSync(Page.PageNumber)(Number.MAX_SAFE_INTEGER)
    expect(Page.offset({ page, limit: 100 })).toBe(Number.MAX_SAFE_INTEGER)
    expect(Page.slice([1, 2, 3], { page, limit: 100 }).items).toEqual([])
  })

  describe("bounded", () => {
    interface Row {
      readonly id: number
      readonly bytes: number
    }
    const bounded = (items: ReadonlyArray<Row>, truncated?: ReadonlyArray<number>) => {
      const page = { items, count: items.length, page: 1, limit: 20, truncated }
      const shorten = (row: Row): Row => ({ ...row, bytes: 1 })
      const result = Page.bounded(page, shorten, ({ bytes }) => bytes)
      return { items: result.items.map(({ bytes }) => bytes), truncated: result.truncated }
    }

    it("bounded keeps every row of a page of exactly 2 MiB", () => {
      const rows = [
        { id: 7, bytes: 2_097_151 },
        { id: 8, bytes: 1 }
      ]
      expect(bounded(rows)).toEqual({ items: [2_097_151, 1], truncated: [] })
    })

    it("bounded shortens the first row with which the page exceeds 2 MiB, and every row after it", () => {
      const rows = [
        { id: 7, bytes: 1_000 },
        { id: 8, bytes: 2_097_000 },
        { id: 9, bytes: 5 }
      ]
      expect(bounded(rows)).toEqual({ items: [1_000, 1, 1], truncated: [8, 9] })
    })

    it("bounded counts the short forms of all rows before it counts a full row", () => {
      const rows = [
        { id: 7, bytes: 2_097_151 },
        { id: 8, bytes: 1 },
        { id: 9, bytes: 1 }
      ]
      expect(bounded(rows)).toEqual({ items: [1, 1, 1], truncated: [7, 8, 9] })
    })

    it("bounded names a row that was shortened before, and leaves it unchanged", () => {
      const rows = [
        { id: 7, bytes: 10 },
        { id: 8, bytes: 20 }
      ]
      expect(bounded(rows, [8])).toEqual({ items: [10, 20], truncated: [8] })
    })
  })

  it("map replaces the rows of a page and keeps its other fields", () => {
    const page = { items: [1, 2], count: 9, page: 3, limit: 2, truncated: [1] }
    expect(Page.map(page, (row) => `row ${row}`)).toEqual({ ...page, items: ["row 1", "row 2"] })
  })

  it("onlyCount requests a page without rows, whatever the length of the list is", () => {
    expect(Page.slice([1, 2, 3], Page.onlyCount)).toMatchObject({ items: [], count: 3 })
    expect(Schema.is(Page.PageRequest)(Page.onlyCount)).toBe(true)
  })

  it("the problem of a limit above 100 names the range", () => {
    const decoded = Schema.decodeUnknownResult(Page.PageRequest)({ page: 1, limit: 101 })
    expect(FieldProblems.fromIssue(Result.getOrThrow(Result.flip(decoded)).issue)).toMatchObject([
      { field: "limit", message: "Expected a whole number from 1 to 100" }
    ])
  })

  it("bounded measures rows as JSON when no measure is given", () => {
    const rows = [
      { id: 1, text: "x".repeat(2_097_152 - 100) },
      { id: 2, text: "x".repeat(200) }
    ]
    const bounded = Page.bounded({ items: rows, count: 2, page: 1, limit: 20 }, ({ id }) => ({ id, text: "" }))
    expect(bounded).toEqual({
      items: [rows[0], { id: 2, text: "" }],
      count: 2,
      page: 1,
      limit: 20,
      truncated: [2]
    })
  })

  it("bounded shortens a row when the short forms alone have exactly 2 MiB", () => {
    const page = { items: [{ id: 1, bytes: 2_097_157 }], count: 1, page: 1, limit: 20 }
    const shorten = () => ({ id: 1, bytes: 2_097_152 })
    expect(Page.bounded(page, shorten, ({ bytes }) => bytes).truncated).toEqual([1])
  })

  it("bounded does not measure the full form of a row after the first row beyond 2 MiB", () => {
    const items = [3_000_000, 7, 8].map((bytes, id) => ({ id, bytes }))
    const measured: Array<number> = []
    const shorten = ({ id }: { readonly id: number }) => ({ id, bytes: 1 })
    Page.bounded({ items, count: 3, page: 1, limit: 20 }, shorten, ({ bytes }) => {
      measured.push(bytes)
      return bytes
    })
    expect(measured).toEqual([1, 1, 1, 3_000_000])
  })

  it("bounded does not shorten a row again that was shortened before", () => {
    const rows = [{ id: 1, bytes: 5 }]
    const shorten = () => ({ id: 1, bytes: 1 })
    const page = { items: rows, count: 1, page: 1, limit: 20, truncated: [1] }
    expect(Page.bounded(page, shorten, ({ bytes }) => bytes)).toEqual({ ...page, items: rows })
  })

  it("the pages of a list together have each row once, in order", () => {
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
