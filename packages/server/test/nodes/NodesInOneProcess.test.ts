import { describe, it } from "vitest"
import { claimOnce } from "./claims.ts"
import { remindOnce } from "./reminders.ts"
import { simultaneous } from "./simultaneousRequests.ts"

// The same rules as in the files beside this one, with nodes that live in the process of the tests.
const options = { isInProcess: true }

simultaneous("two nodes in one process that are asked at the same time", 16, options)

describe("three nodes in one process", () => {
  it("claim no delivery twice", () => claimOnce(4, 30, options), 60_000)

  it("raise each reminder once and mail it once", () => remindOnce(8, options), 60_000)
})
