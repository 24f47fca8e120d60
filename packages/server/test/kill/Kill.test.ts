import process from "node:process"
import { beforeAll, describe, expect, it } from "vitest"
import { type KillPointName, killPointNames } from "./KillPoint.ts"
import * as Run from "./Run.ts"

/** `FRONTDESK_KILL_SEED` runs again what a run before it printed. */
const seed = Number(process.env["FRONTDESK_KILL_SEED"] ?? Date.now() % 1_000_000_000)

describe(`a server that is killed again and again, with the seed ${seed}`, () => {
  let report: Run.RunReport

  beforeAll(async () => {
    report = await Run.run({ seed, kills: 160, killsPerWorld: 40, concurrency: 2 })
    // Two minutes where nothing else runs; the cores may be shared.
  }, 900_000)

  it("keeps every promise of webhook delivery, reminders and calls", () => {
    expect(Run.failures(report).join("\n\n")).toBe("")
  })

  it("was killed 150 times or more", () => {
    expect(report.kills).toBeGreaterThanOrEqual(150)
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

  it("was killed in the middle of a batch 12 times or more", () => {
    const inBatches = killPointNames.filter((name) => name.startsWith("in a batch"))
    expect(inBatches.reduce((sum, name) => sum + (report.killsByPoint.get(name) ?? 0), 0)).toBeGreaterThanOrEqual(12)
  })
})
