import { describe } from "vitest"
import { fuzzTest } from "./fuzzTest.ts"

describe("a server that is sent 2,000 requests drawn from its own OpenAPI document", () => {
  fuzzTest(2_000)
})
