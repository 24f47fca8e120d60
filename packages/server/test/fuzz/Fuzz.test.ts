import { describe } from "vitest"
import { fuzzTest } from "./fuzzTest.ts"

describe("a server that receives 150 requests generated from its own OpenAPI document", () => {
  fuzzTest(150)
})
