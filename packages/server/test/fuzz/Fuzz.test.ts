import { temporaryFolder } from "../temporaryFolder.ts"
import { describe, expect, inject, it } from "vitest"
import * as WorldDatabase from "../kill/WorldDatabase.ts"
import * as Run from "./Run.ts"

/** `pnpm fuzz` sends more, with a seed that it draws and prints. */
const [seed, requests] = [20_261_122, 2_000]

describe(`a server that is sent ${requests} requests drawn from its own OpenAPI document`, () => {
  it.each([
    ["SQLite", (folder: string) => Promise.resolve(WorldDatabase.sqlite(folder))],
    ["PostgreSQL", () => WorldDatabase.postgres(inject("postgresUrl"))]
  ] as const)(
    "answers all of them as the document says, keeps every list readable and logs no error on %s",
    async (_, open) => {
      const folder = temporaryFolder()
      const database = await open(folder)
      const { answers, faults } = await Run.run({ seed, requests, folder, databaseUrl: database.url })
      await database.close()
      expect([...faults].map(([fault, { example }]) => `${fault}\n  ${example}`)).toEqual([])
      const successes = [...answers.values()].flatMap((statuses) => [...statuses])
      expect(successes.reduce((sum, [status, count]) => (status < 300 ? sum + count : sum), 0)).toBeGreaterThan(300)
    },
    120_000
  )
})
