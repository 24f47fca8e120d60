import { describe, it } from "vitest"
import { expectOneClaim } from "./claims.ts"

describe("three nodes on one database", () => {
  it("claim none of 10,000 deliveries twice", () => expectOneClaim(20, 500), 180_000)
})
