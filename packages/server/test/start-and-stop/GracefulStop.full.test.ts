import { describe } from "vitest"
import { gracefulStop } from "./gracefulStop.ts"

describe("SIGTERM with many connections", () => {
  gracefulStop(30)
})
