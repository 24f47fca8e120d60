import process from "node:process"
import { beforeAll, describe, expect, inject, it } from "vitest"
import type { Claim } from "./Invariants.ts"
import { type KillPointName, killPointNames } from "./KillPoint.ts"
import * as Run from "./Run.ts"
import * as WorldDatabase from "./WorldDatabase.ts"

/** With this seed the leases of the first world run out, so that there are such worlds on both databases. */
const seed = Number(process.env["FRONTDESK_TEST_SEED"]) | 3

const sqlite: Run.RunOptions["worlds"][number] = {
  database: ["sqlite", (folder) => Promise.resolve(WorldDatabase.sqlite(folder))],
  kills: 50
}

const postgres: Run.RunOptions["worlds"][number] = {
  database: ["postgres", () => WorldDatabase.postgres(inject("postgresUrl"))],
  kills: 36
}

/**
 * The minimum number of checks of each claim; 100 for the other claims. The closing of every world causes this number
 * (`Script.closing`), and the rounds cause more, depending on the machine. The other claims are checked for every request,
 * event or log line.
 */
const minChecks: { readonly [claim in Claim]?: number } = {
  "a repeat under a key that is told to wait finds nothing done later": 8,
  "what has failed has had all its results": 16,
  "what is cancelled belongs to a webhook that was off": 4,
  "changes of one subject are queued in the order of their answers": 16,
  "what is asked for once more is sent once more": 4,
  "a test that was accepted is sent": 4,
  "a reminder that is due is sent": 12,
  "every call is charged once": 12,
  "what every event has become is mailed": 40,
  "what was not committed is not mailed": 4,
  "every reminder is mailed": 12,
  "a mail that is left was begun": 1,
  "secrets are kept sealed when there is a key": 4,
  "what was not committed is told to nobody": 4,
  "the database is sound": 4,
  "everything settles": 4
}

describe(`a server that is killed again and again, with the seed ${seed}`, () => {
  let report: Run.RunReport

  beforeAll(async () => {
    report = await Run.run({ seed, worlds: [sqlite, postgres, sqlite, postgres], nodes: 1, concurrency: 2 })
    // It takes some minutes on an idle machine, and many times as long on a busy one.
  }, 2_700_000)

  it("keeps every promise of webhook delivery, reminders and calls", () => {
    expect(Run.failures(report).join("\n\n")).toBe("")
  })

  it("was checked often enough for every claim", () => {
    expect([...report.judged].filter(([claim, count]) => count < (minChecks[claim] ?? 100))).toEqual([])
  })

  it.each([
    ["SQLite", 100, "sqlite"],
    ["PostgreSQL", 60, "postgres"]
  ] as const)("was killed on %s at least %i times", (_, times, kind) => {
    const kills = report.worlds
      .filter(({ database }) => database === kind)
      .flatMap((world) => [...world.kills.values()])
    expect(kills.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(times)
  })

  it("was killed at every kill point", () => {
    expect(killPointNames.filter((name) => report.killsByPoint.get(name) === 0)).toEqual([])
  })

  it.each<readonly [KillPointName, number]>([
    ["after commit", 4],
    ["after the socket write", 8],
    ["after the answer", 8],
    ["before the record", 4],
    ["at a random time", 12],
    ["during start", 8]
  ])("was killed %s at least %i times", (name, times) => {
    expect(report.killsByPoint.get(name)).toBeGreaterThanOrEqual(times)
  })

  it("was killed in the middle of a batch at least 10 times", () => {
    const inBatches = killPointNames.filter((name) => name.startsWith("in a batch"))
    expect(inBatches.reduce((sum, name) => sum + (report.killsByPoint.get(name) ?? 0), 0)).toBeGreaterThanOrEqual(10)
  })
})
