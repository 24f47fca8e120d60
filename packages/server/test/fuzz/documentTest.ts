import { expect, it } from "vitest"
import * as MemoryServer from "./MemoryServer.ts"
import * as Run from "./Run.ts"

/** Defines a test that sends this number of requests, generated from the OpenAPI document, to an API in memory. */
export const documentTest = (requests: number): void => {
  it(
    "answers 400 to none that the document permits, except by an unstated rule, and accepts none that it refuses",
    { timeout: 120_000 },
    async () => {
      const { answers, faults } = await Run.run({
        seed: 20_261_126,
        requests,
        hasOddParts: false,
        start: MemoryServer.start
      })
      expect([...faults].map(([fault, { example }]) => `${fault}\n  ${example}`)).toEqual([])
      const statuses = [...answers.values()].flatMap((statuses) => [...statuses])
      const count = (isCounted: (status: number) => boolean) =>
        statuses.reduce((sum, [status, count]) => (isCounted(status) ? sum + count : sum), 0)
      expect(count((status) => status < 300)).toBeGreaterThan(0.25 * requests)
      expect(count((status) => status === 400)).toBeGreaterThan(0.2 * requests)
    }
  )
}
