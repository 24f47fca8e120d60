import { describe, it } from "vitest"
import { remindOnce } from "./reminders.ts"

describe("three nodes", () => {
  it("raise each reminder once and mail it once", () => remindOnce(40), 180_000)
})
