import { describe, it } from "vitest"
import { expectOneClaim } from "./claims.ts"
import { expectOneReminder } from "./reminders.ts"
import { simultaneousRequests } from "./simultaneousRequests.ts"

// Deliveries, Reminders and SimultaneousRequests.full.test.ts check the same rules with nodes in separate processes.
const options = { isInProcess: true }

simultaneousRequests("two nodes in one process with simultaneous requests", 16, options)

describe("three nodes in one process", () => {
  it("claim no delivery twice", () => expectOneClaim(4, 30, options), 60_000)

  it("send each reminder once as a webhook event and once as a mail", () => expectOneReminder(8, options), 60_000)
})
