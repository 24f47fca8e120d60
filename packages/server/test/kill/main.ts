import process from "node:process"
import * as PostgresServer from "@frontdesk/test-postgres/PostgresServer"
import * as CommandFlags from "../support/commandFlags.ts"
import * as Run from "./Run.ts"
import * as WorldDatabase from "./WorldDatabase.ts"

const usage =
  "pnpm kill-test [--database sqlite|postgres] [--kills 1000] [--seed N] [--world 40] [--nodes 1] [--concurrency 2]. " +
  "The numbers are whole, and all except the seed are above 0"

const flags = CommandFlags.flags(usage, {
  database: "sqlite",
  kills: "1000",
  seed: CommandFlags.drawnSeed(),
  world: "40",
  nodes: "1",
  concurrency: "2"
})
const kind = flags.oneOf("database", ["sqlite", "postgres"])
const seed = flags.seed("seed")
const killsPerWorld = flags.count("world")
const count = Math.ceil(flags.count("kills") / killsPerWorld)
const nodes = flags.count("nodes")
console.log(`Seed ${seed}: ${count * killsPerWorld} kills, ${killsPerWorld} to a world, on ${kind}`)

const server = kind === "postgres" ? await PostgresServer.make() : null
const open = (folder: string) =>
  server === null ? Promise.resolve(WorldDatabase.sqlite(folder)) : WorldDatabase.postgres(server.url)

const startedAt = performance.now()
const report = await Run.run({
  seed,
  worlds: Array.from({ length: count }, () => ({ database: [kind, open], kills: killsPerWorld })),
  nodes,
  concurrency: flags.count("concurrency"),
  onWorld: ({ deliveries, requests, seed, violations }, done, of) => {
    const state = violations.length === 0 ? "holds" : `FAILS, ${violations.length} violations`
    console.log(`${done}/${of} world ${seed}: ${deliveries} deliveries, ${requests} requests, ${state}`)
  }
})
await server?.remove()

console.log("\nKills by point")
for (const [name, count] of report.killsByPoint) console.log(`${String(count).padStart(7)}  ${name}`)
console.log("\nChecks by invariant")
for (const [name, count] of report.checks) console.log(`${String(count).padStart(7)}  ${name}`)
const sum = (of: (world: Run.RunReport["worlds"][number]) => number): number =>
  report.worlds.reduce((total, world) => total + of(world), 0)
console.log(
  `${String(report.kills).padStart(7)}  kills in all, in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`
)
console.log(
  `${sum((world) => world.events)} events, ${sum((world) => world.deliveries)} deliveries, ${sum((world) => world.requests)} requests`
)

const failures = Run.failures(report)
for (const failure of failures) console.error(`\n${failure}`)
for (const { seed, violations } of report.worlds) {
  if (violations.length > 0) {
    const more = `--database ${kind} --nodes ${nodes} --kills ${killsPerWorld} --world ${killsPerWorld}`
    console.error(`\nAgain: pnpm kill-test --seed ${seed} ${more}`)
  }
}
process.exitCode = failures.length === 0 ? 0 : 1
