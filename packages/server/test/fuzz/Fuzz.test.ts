import { describe } from "vitest"
import { fuzzed } from "./fuzzed.ts"

describe("a server that is sent 300 requests drawn from its own OpenAPI document", () => {
  fuzzed(300)
})
