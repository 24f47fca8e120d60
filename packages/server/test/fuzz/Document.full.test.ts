import { describe } from "vitest"
import { documentTest } from "./documentTest.ts"

describe("an API in memory that receives 10,000 requests generated from its OpenAPI document", () => {
  documentTest(10_000)
})
