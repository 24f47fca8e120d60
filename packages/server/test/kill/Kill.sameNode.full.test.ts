import process from "node:process"
import { describe, expect, inject, it } from "vitest"
import * as Run from "./Run.ts"
import * as WorldDatabase from "./WorldDatabase.ts"

/** With this seed each new process has the node name of the killed one and recovers its leases without waiting. */
const seed = Number(process.env["FRONTDESK_TEST_SEED"]) & ~3

/** The minimum number of kills of a world. In `Kill.full.test.ts`, where leases run out, servers are killed 188 times. */
const kills = 4

describe(`a server that is killed a few times, with the seed ${seed}`, () => {
  it("keeps every promise of bookings, webhook delivery, reminders and calls, on SQLite and on PostgreSQL", async () => {
    const worlds: Run.RunOptions["worlds"] = [
      { database: ["sqlite", (folder) => Promise.resolve(WorldDatabase.sqlite(folder))], kills },
      { database: ["postgres", () => WorldDatabase.postgres(inject("postgresUrl"))], kills }
    ]
    const report = await Run.run({ seed, worlds, nodes: 1, concurrency: 2 })
    expect(Run.failures(report).join("\n\n")).toBe("")
    expect(report.kills).toBeGreaterThanOrEqual(worlds.length * kills)
  }, 300_000)
})
