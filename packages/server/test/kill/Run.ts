import * as Seeded from "@frontdesk/testing/Seeded"
import { type Claim, claims } from "./Invariants.ts"
import { type KillName, killPointNames, whileIdle } from "./KillPoint.ts"
import * as World from "./World.ts"

/** How much is to be run. */
export interface RunOptions {
  readonly seed: number
  /** The worlds: what the data of each is kept in, and how often its server is killed. */
  readonly worlds: ReadonlyArray<Pick<World.WorldOptions, "database" | "kills">>
  /** How many servers live in a world at the same time; one of them is killed. */
  readonly nodes: number
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

/** Runs worlds, each to its end. */
export const run = async (options: RunOptions): Promise<RunReport> => {
  const { concurrency, nodes, onWorld, seed } = options
  const left = [...options.worlds.entries()]
  const worlds: Array<World.WorldReport> = []
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, { database, kills }] = next
      const worldSeed = seedOfWorld(seed, index)
      const report = await World.run({
        seed: worldSeed,
        database,
        kills,
        isKnownAgain: isKnownAgain(worldSeed),
        isSealed: isSealed(worldSeed),
        nodes
      })
      worlds.push(report)
      onWorld?.(report, worlds.length, options.worlds.length)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
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
    .map(({ database, folder, seed, violations }) =>
      [`World ${seed} on ${database} (kept in ${folder}):`, ...violations.map((problem) => `  - ${problem}`)].join("\n")
    )
