import * as Seeded from "@frontdesk/testing/Seeded"
import { type InvariantName, invariantNames } from "./Invariants.ts"
import { type KillName, killPointNames, whileIdle } from "./KillPoint.ts"
import * as World from "./World.ts"

/** Options of a run. */
export interface RunOptions {
  readonly seed: number
  /** The worlds: the database of each, and the number of kills. */
  readonly worlds: ReadonlyArray<Pick<World.WorldOptions, "database" | "kills">>
  /** The number of servers that run in a world at the same time. One of them is killed. */
  readonly nodes: number
  /** The number of worlds that run at the same time. */
  readonly concurrency: number
  readonly onWorld?: (report: World.WorldReport, done: number, of: number) => void
}

/** The result of all worlds. */
export interface RunReport {
  readonly kills: number
  readonly killsByPoint: ReadonlyMap<KillName, number>
  /** The number of checks of each invariant. */
  readonly checks: ReadonlyMap<InvariantName, number>
  readonly worlds: ReadonlyArray<World.WorldReport>
}

/** Returns the seed of a world. The first world has the seed of the run, so that any world can be repeated alone. */
const seedOfWorld = (seed: number, index: number): number =>
  index === 0 ? seed : ((Seeded.seedOf(seed, index) & ~3) | (index & 3)) >>> 0

/**
 * Returns whether all processes of a world have the same node name. One in four worlds has a new name in each process.
 */
const isKnownAgain = (seed: number): boolean => seed % 4 !== 3

/** Returns whether the server of a world seals its secrets, as in one of four worlds. */
const isSealed = (seed: number): boolean => seed % 4 === 1

/** Runs all worlds and combines their results. */
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
  const checks = new Map(
    invariantNames.map((name) => [name, worlds.reduce((sum, world) => sum + (world.checks.get(name) ?? 0), 0)])
  )
  return { kills: [...killsByPoint.values()].reduce((sum, count) => sum + count, 0), killsByPoint, checks, worlds }
}

/** Returns the violations of each world, with its seed and its folder. */
export const failures = ({ worlds }: RunReport): ReadonlyArray<string> =>
  worlds
    .filter((world) => world.violations.length > 0)
    .map(({ database, folder, seed, violations }) =>
      [`World ${seed} on ${database} (records in ${folder}):`, ...violations.map((problem) => `  - ${problem}`)].join(
        "\n"
      )
    )
