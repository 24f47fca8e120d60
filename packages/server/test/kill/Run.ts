import * as Seeded from "@frontdesk/testing/Seeded"
import { type Claim, claims } from "./Invariants.ts"
import { type KillName, killPointNames, whileIdle } from "./KillPoint.ts"
import * as World from "./World.ts"

/** How much is to be run. */
export interface RunOptions {
  /** How often servers are killed in all, at least. */
  readonly kills: number
  /** How often the server of one world is killed. */
  readonly killsPerWorld: number
  readonly seed: number
  /** How many worlds run at a time. */
  readonly concurrency: number
  readonly onWorld?: (report: World.WorldReport, done: number, of: number) => void
}

/** What became of all worlds. */
export interface RunReport {
  readonly kills: number
  readonly killsByPoint: ReadonlyMap<KillName, number>
  /** How many things each claim was held against. */
  readonly judged: ReadonlyMap<Claim, number>
  readonly worlds: ReadonlyArray<World.WorldReport>
}

/** The seed of a world: that of the run for the first, so that any world can be run again alone. */
const seedOfWorld = (seed: number, index: number): number =>
  index === 0 ? seed : ((Seeded.seedOf(seed, index) & ~3) | (index & 3)) >>> 0

/** Of four worlds one has a server with a new name in each life; the seed says which. */
const isKnownAgain = (seed: number): boolean => seed % 4 !== 3

/** Of four worlds one has a server that seals its secrets. */
const isSealed = (seed: number): boolean => seed % 4 === 1

/** Runs worlds until servers have been killed so often. */
export const run = async ({ concurrency, kills, killsPerWorld, onWorld, seed }: RunOptions): Promise<RunReport> => {
  const count = Math.max(1, Math.ceil(kills / killsPerWorld))
  const worlds: Array<World.WorldReport> = []
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next++
      const worldSeed = seedOfWorld(seed, index)
      const report = await World.run({
        seed: worldSeed,
        kills: killsPerWorld,
        isKnownAgain: isKnownAgain(worldSeed),
        isSealed: isSealed(worldSeed)
      })
      worlds.push(report)
      onWorld?.(report, worlds.length, count)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, lane))
  const names: ReadonlyArray<KillName> = [...killPointNames, whileIdle]
  const killsByPoint = new Map(
    names.map((name) => [name, worlds.reduce((sum, world) => sum + (world.kills.get(name) ?? 0), 0)])
  )
  const judged = new Map(
    claims.map((claim) => [claim, worlds.reduce((sum, world) => sum + (world.judged.get(claim) ?? 0), 0)])
  )
  return { kills: [...killsByPoint.values()].reduce((sum, count) => sum + count, 0), killsByPoint, judged, worlds }
}

/** What went wrong, with what is needed to see it again. */
export const failures = ({ worlds }: RunReport): ReadonlyArray<string> =>
  worlds
    .filter((world) => world.violations.length > 0)
    .map(({ folder, seed, violations }) =>
      [`World ${seed} (kept in ${folder}):`, ...violations.map((problem) => `  - ${problem}`)].join("\n")
    )
