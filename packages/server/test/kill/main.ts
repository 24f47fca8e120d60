import process from "node:process"
import { parseArgs } from "node:util"
import * as PostgresServer from "@frontdesk/test-postgres/PostgresServer"
import * as Run from "./Run.ts"
import * as WorldDatabase from "./WorldDatabase.ts"

const usage =
  "pnpm kill-test [--database sqlite|postgres] [--kills 1000] [--seed N] [--world 40] [--nodes 1] [--concurrency 2], " +
  "each number a whole one above 0"

const options = (): ReturnType<typeof parse> => {
  try {
    return parse()
  } catch {
    return refuse()
  }
}

const parse = () =>
  parseArgs({
    // pnpm passes its own "--" on.
    args: process.argv.slice(2).filter((argument) => argument !== "--"),
    options: {
      database: { type: "string", default: "sqlite" },
      kills: { type: "string", default: "1000" },
      seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
      world: { type: "string", default: "40" },
      nodes: { type: "string", default: "1" },
      concurrency: { type: "string", default: "2" }
    }
  })

const refuse = (): never => {
  console.error(usage)
  process.exit(2)
}

const number = (text: string): number => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : refuse())

const { values } = options()
const kind: WorldDatabase.DatabaseKind =
  values.database === "sqlite" || values.database === "postgres" ? values.database : refuse()
const seed = number(values.seed)
const killsPerWorld = number(values.world)
const count = Math.ceil(number(values.kills) / killsPerWorld)
const nodes = number(values.nodes)
console.log(`Seed ${seed}: ${count * killsPerWorld} kills, ${killsPerWorld} to a world, on ${kind}`)

const server = kind === "postgres" ? await PostgresServer.make() : null
const open = (folder: string) =>
  server === null ? Promise.resolve(WorldDatabase.sqlite(folder)) : WorldDatabase.postgres(server.url)

const startedAt = performance.now()
const report = await Run.run({
  seed,
  worlds: Array.from({ length: count }, () => ({ database: [kind, open], kills: killsPerWorld })),
  nodes,
  concurrency: number(values.concurrency),
  onWorld: ({ deliveries, requests, seed, violations }, done, of) => {
    const state = violations.length === 0 ? "holds" : `FAILS, ${violations.length} violations`
    console.log(`${done}/${of} world ${seed}: ${deliveries} deliveries, ${requests} requests, ${state}`)
  }
})
await server?.remove()

console.log("\nKills by point")
for (const [name, count] of report.killsByPoint) console.log(`${String(count).padStart(7)}  ${name}`)
console.log("\nJudged by claim")
for (const [claim, count] of report.judged) console.log(`${String(count).padStart(7)}  ${claim}`)
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
