import { describe } from "vitest"
import { fuzzTest } from "./fuzzTest.ts"

describe("a server that is sent 300 requests drawn from its own OpenAPI document", () => {
  fuzzTest(300)
})
