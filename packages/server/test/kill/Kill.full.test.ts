import process from "node:process"
import { beforeAll, describe, expect, inject, it } from "vitest"
import type { Claim } from "./Invariants.ts"
import { type KillPointName, killPointNames } from "./KillPoint.ts"
import * as Run from "./Run.ts"
import * as WorldDatabase from "./WorldDatabase.ts"

/** The first world is one whose leases run out, whatever the seed: then there are such worlds on both databases. */
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
 * How many things each claim is judged on at least. The smaller numbers are what the closing of every world brings about
 * (`Script.closing`); the rounds add more, as the machine allows. The other claims are judged on every request, event or
 * line of the log, of which there are hundreds and thousands.
 */
const fewest: { readonly [claim in Claim]?: number } = {
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
    // Some minutes where nothing else runs, and many times that where the cores are shared.
  }, 2_700_000)

  it("keeps every promise of webhook delivery, reminders and calls", () => {
    expect(Run.failures(report).join("\n\n")).toBe("")
  })

  it("held every claim against something", () => {
    expect([...report.judged].filter(([claim, count]) => count < (fewest[claim] ?? 100))).toEqual([])
  })

  it.each([
    ["SQLite", 100, "sqlite"],
    ["PostgreSQL", 60, "postgres"]
  ] as const)("was killed on %s %i times or more", (_, times, kind) => {
    const kills = report.worlds
      .filter(({ database }) => database === kind)
      .flatMap((world) => [...world.kills.values()])
    expect(kills.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(times)
  })

  it("was killed at every point", () => {
    expect(killPointNames.filter((name) => report.killsByPoint.get(name) === 0)).toEqual([])
  })

  it.each<readonly [KillPointName, number]>([
    ["after commit", 4],
    ["after the socket write", 8],
    ["after the answer", 8],
    ["before the record", 4],
    ["at a random time", 12],
    ["during start", 8]
  ])("was killed %s %i times or more", (name, times) => {
    expect(report.killsByPoint.get(name)).toBeGreaterThanOrEqual(times)
  })

  it("was killed in the middle of a batch 10 times or more", () => {
    const inBatches = killPointNames.filter((name) => name.startsWith("in a batch"))
    expect(inBatches.reduce((sum, name) => sum + (report.killsByPoint.get(name) ?? 0), 0)).toBeGreaterThanOrEqual(10)
  })
})
