import process from "node:process"
import { beforeAll, describe, expect, inject, it } from "vitest"
import type { InvariantName } from "./Invariants.ts"
import { type KillPointName, killPointNames } from "./KillPoint.ts"
import * as Run from "./Run.ts"
import * as WorldDatabase from "./WorldDatabase.ts"

/** With this seed the leases of the first world run out, so that there are such worlds on both databases. */
const seed = Number(process.env["FRONTDESK_TEST_SEED"]) | 3

const sqlite: Run.RunOptions["worlds"][number] = {
  database: ["sqlite", (folder) => Promise.resolve(WorldDatabase.sqlite(folder))],
  kills: 54
}

const postgres: Run.RunOptions["worlds"][number] = {
  database: ["postgres", () => WorldDatabase.postgres(inject("postgresUrl"))],
  kills: 40
}

/**
 * The minimum numbers of checks of some invariants. The end of every world causes them (`Script.closing`), and the rounds
 * cause more, depending on the machine. The other invariants are checked for every request, event or log line, and at
 * least 100 times.
 */
const minChecks: { readonly [name in InvariantName]?: number } = {
  "a request answered with 409 for its idempotency key was not executed": 8,
  "every repeat of a booking gets the first answer": 36,
  "a failed delivery was rejected permanently or has had all attempts": 16,
  "a cancelled delivery belongs to a webhook that was turned off or deleted": 4,
  "changes of one subject are queued in the order of their answers": 16,
  "an accepted redelivery is sent": 4,
  "an accepted test delivery is sent": 4,
  "a reminder that is due is sent": 12,
  "every call is charged once": 12,
  "the last state of every calendar event is mailed": 40,
  "an uncommitted change is not mailed": 4,
  "every reminder is mailed": 12,
  "an unsent mail was begun and waits for its lease": 1,
  "stored secrets are sealed when there is a key": 4,
  "an uncommitted change has no delivery": 4,
  "the database finds no damage in itself": 4,
  "all work is finished at the end": 4
}

describe(`a server that is killed again and again, with the seed ${seed}`, () => {
  let report: Run.RunReport

  beforeAll(async () => {
    report = await Run.run({ seed, worlds: [sqlite, postgres, sqlite, postgres], nodes: 1, concurrency: 2 })
    // It takes some minutes on an idle machine, and many times as long on a busy one.
  }, 2_700_000)

  it("keeps every promise of bookings, webhook delivery, reminders and calls", () => {
    expect(Run.failures(report).join("\n\n")).toBe("")
  })

  it("was checked often enough for every invariant", () => {
    expect([...report.checks].filter(([name, count]) => count < (minChecks[name] ?? 100))).toEqual([])
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
