import { expect, it, vi } from "vitest"
import * as abuse from "../src/abuse.ts"
import * as deliveries from "../src/deliveries.ts"
import * as http from "../src/http.ts"
import * as postgres from "../src/postgres.ts"
import * as signature from "../src/signature.ts"
import * as slots from "../src/slots.ts"
import * as storage from "../src/storage.ts"

const suites = { slots, signature, http, storage, deliveries, postgres, abuse }

// What is measured is checked as it is measured: slots, signatures, answers and rows against those of the baseline.
for (const [name, suite] of Object.entries(suites)) {
  it(`the suite ${name} runs and prints what it has measured`, { timeout: 240_000 }, async () => {
    const printed: Array<unknown> = []
    const log = vi.spyOn(console, "log").mockImplementation((line) => void printed.push(line))
    try {
      await suite.run({ quick: true })
    } finally {
      log.mockRestore()
    }
    expect(printed.length).toBeGreaterThan(2)
    expect(printed.join("\n")).not.toContain("NaN")
  })
}
