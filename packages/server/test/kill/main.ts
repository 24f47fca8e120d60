import process from "node:process"
import { parseArgs } from "node:util"
import * as Run from "./Run.ts"

const usage = "pnpm kill-test [--kills 1000] [--seed N] [--world 40] [--concurrency 2], each a whole number above 0"

const options = (): ReturnType<typeof parse> => {
  try {
    return parse()
  } catch {
    console.error(usage)
    process.exit(2)
  }
}

const parse = () =>
  parseArgs({
    // pnpm passes its own "--" on.
    args: process.argv.slice(2).filter((argument) => argument !== "--"),
    options: {
      kills: { type: "string", default: "1000" },
      seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
      world: { type: "string", default: "40" },
      concurrency: { type: "string", default: "2" }
    }
  })

const number = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  console.error(usage)
  process.exit(2)
}

const { values } = options()
const seed = number(values.seed)
const killsPerWorld = number(values.world)
const kills = Math.ceil(number(values.kills) / killsPerWorld) * killsPerWorld
console.log(`Seed ${seed}: ${kills} kills, ${killsPerWorld} to a world`)

const startedAt = performance.now()
const report = await Run.run({
  seed,
  killsPerWorld,
  kills,
  concurrency: number(values.concurrency),
  onWorld: ({ deliveries, requests, seed, violations }, done, of) => {
    const state = violations.length === 0 ? "holds" : `FAILS, ${violations.length} violations`
    console.log(`${done}/${of} world ${seed}: ${deliveries} deliveries, ${requests} requests, ${state}`)
  }
})

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
    console.error(`\nAgain: pnpm kill-test --seed ${seed} --kills ${killsPerWorld} --world ${killsPerWorld}`)
  }
}
process.exitCode = failures.length === 0 ? 0 : 1
