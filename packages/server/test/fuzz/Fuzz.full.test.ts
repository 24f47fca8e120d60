import { describe } from "vitest"
import { fuzzed } from "./fuzzed.ts"

describe("a server that is sent 2,000 requests drawn from its own OpenAPI document", () => {
  fuzzed(2_000)
})
