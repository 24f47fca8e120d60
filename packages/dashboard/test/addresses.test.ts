import { describe, expect, it } from "vitest"
import { parseSearch, stringifySearch } from "../pages/app/addresses.ts"
import { filters } from "../pages/app/filters.ts"

const read = filters("event", "search")

describe("addresses of pages", () => {
  it.each([
    [{ event: "2" }, "?event=2"],
    [{ search: "true" }, "?search=true"],
    [{ search: "Jo Doe" }, "?search=Jo+Doe"],
    [{ event: "7", page: 3 }, "?event=7&page=3"]
  ])("write %o plainly", (search, address) => {
    expect(stringifySearch(search)).toBe(address)
    expect(read(parseSearch(address))).toEqual(search)
  })

  it("of earlier versions, with quotes around texts that look like numbers, are read", () => {
    expect(read(parseSearch("?event=%222%22&search=%22true%22&page=2"))).toEqual({
      event: "2",
      search: "true",
      page: 2
    })
  })

  it.each([
    "0",
    "-1",
    "007",
    "1e5",
    "9007199254740993",
    "+12025550100",
    '"2"',
    '"',
    '""',
    "null",
    "[1]",
    "{}",
    " 5 ",
    "é&?#%"
  ])("return the text %j as it was written", (search) => {
    expect(read(parseSearch(stringifySearch({ search })))).toEqual({ search })
  })
})
