import { expect, inject, it } from "vitest"
import * as WorldDatabase from "../kill/WorldDatabase.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import * as Run from "./Run.ts"
import * as Server from "./Server.ts"

/** The seed of the tests. `pnpm fuzz` uses a new seed and prints it. */
const seed = 20_261_122

/** Defines a test on each database that sends this number of requests, generated from the OpenAPI document. */
export const fuzzTest = (requests: number): void => {
  it.each([
    ["SQLite", (folder: string) => Promise.resolve(WorldDatabase.sqlite(folder))],
    ["PostgreSQL", () => WorldDatabase.postgres(inject("postgresUrl"))]
  ] as const)(
    "answers as the document describes, keeps every list readable and logs no error on %s",
    async (_, open) => {
      const folder = temporaryFolder()
      const database = await open(folder)
      const { answers, faults } = await Run.run({ seed, requests, start: () => Server.start(folder, database.url) })
      await database.close()
      expect([...faults].map(([fault, { example }]) => `${fault}\n  ${example}`)).toEqual([])
      const successes = [...answers.values()].flatMap((statuses) => [...statuses])
      const succeeded = successes.reduce((sum, [status, count]) => (status < 300 ? sum + count : sum), 0)
      // With fewer successes, the generators would no longer fit the API.
      expect(succeeded).toBeGreaterThan(0.15 * requests)
    },
    120_000
  )
}
