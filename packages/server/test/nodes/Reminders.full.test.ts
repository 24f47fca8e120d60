import { describe, it } from "vitest"
import { expectOneReminder } from "./reminders.ts"

describe("three nodes", () => {
  it("send each reminder once as a webhook event and once as a mail", () => expectOneReminder(40), 180_000)
})
