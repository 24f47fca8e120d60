import { describe, expect, it } from "vitest"
import { lastFirst } from "../pages/contacts/lastFirst.ts"

/** Reads a list of events with the ids from 1 to `count`, three on a page. */
const listOf = (count: number) => (page: number) => {
  const ids = Array.from({ length: count }, (_, index) => index + 1).slice(3 * page - 3, 3 * page)
  return Promise.resolve({ count, page, limit: 3, pages: Math.ceil(count / 3), events: ids.map((id) => ({ id })) })
}

const idsOf = async (count: number, page: number) => {
  const found = await lastFirst(listOf(count), page)
  return [found.page, ...found.events.map(({ id }) => id)]
}

describe("lastFirst", () => {
  it("reads the pages of a list from its last event to its first", async () => {
    expect(await idsOf(7, 1)).toEqual([1, 7])
    expect(await idsOf(7, 2)).toEqual([2, 6, 5, 4])
    expect(await idsOf(7, 3)).toEqual([3, 3, 2, 1])
    expect(await idsOf(3, 1)).toEqual([1, 3, 2, 1])
  })

  it("is empty for an empty list", async () => {
    expect(await idsOf(0, 1)).toEqual([1])
  })
})
