import { describe } from "vitest"
import { gracefulStop } from "./gracefulStop.ts"

describe("SIGTERM", () => {
  gracefulStop(5)
})
