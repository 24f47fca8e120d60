import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Attacker from "./abuse/Attacker.ts"
import { type Kind, kinds } from "./abuse/Kind.ts"
import * as Target from "./abuse/Target.ts"
import * as PostgresServer from "./postgres/Server.ts"
import { quantile, row, type SuiteOptions } from "./Rounds.ts"

/** How much is measured: connections are at most so many, deliveries and answers those of a round. */
const full = { rounds: 4, connections: 500, deliveries: 25, answers: 150, warmUp: 500, pause: 200 }

const smoke: typeof full = { rounds: 1, connections: 10, deliveries: 3, answers: 5, warmUp: 50, pause: 0 }

/** What was measured of the victim. */
interface Samples {
  readonly deliveries: Array<Target.Sample>
  readonly answers: Array<Target.Sample>
}

const noSamples = (): Samples => ({ deliveries: [], answers: [] })

const millisOf = (samples: ReadonlyArray<Target.Sample>): ReadonlyArray<number> => samples.map(({ millis }) => millis)

const cells = (samples: ReadonlyArray<Target.Sample>, alone: ReadonlyArray<Target.Sample>): ReadonlyArray<string> => {
  const [p50, p99] = [0.5, 0.99].map((part) => quantile(millisOf(samples), part))
  return [p50, p99, (p99 ?? Number.NaN) / quantile(millisOf(alone), 0.99)].map((value) => (value ?? 0).toFixed(1))
}

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** Measures the victim alone and beside an attack, in turn. Returns the rows of the table. */
const measure = async (
  target: Target.Target,
  attacker: Attacker.AttackerProcess,
  kind: Kind,
  size: typeof full
): Promise<ReadonlyArray<string>> => {
  const [alone, beside] = [noSamples(), noSamples()]
  const sample = async (into: Samples): Promise<void> => {
    into.deliveries.push(...(await target.deliveries(size.deliveries)))
    into.answers.push(...(await target.answers(size.answers)))
  }
  const connections = Math.min(kind.connections, size.connections)
  const rates: Record<string, number> = {}
  for (let round = 0; round < size.rounds; round++) {
    await sample(alone)
    const attack = { url: target.url, keys: Target.keys.attacker, kind: kind.name, connections, prepares: round === 0 }
    const { stop } = await attacker.start(attack)
    await pause(size.warmUp)
    await sample(beside)
    const { perSecond } = await stop()
    for (const [status, rate] of Object.entries(perSecond)) rates[status] = (rates[status] ?? 0) + rate / size.rounds
    await pause(size.pause)
  }
  const answered = Object.entries(rates).map(([status, rate]) => `${Math.round(rate)}/s ${status}`)
  const repeats = [...beside.deliveries, ...beside.answers].reduce((sum, sample) => sum + sample.repeats, 0)
  return [
    row(`${kind.name}, ${connections} connections`, [answered.join(", ")]),
    row("  a delivery, alone", cells(alone.deliveries, alone.deliveries)),
    row("  a delivery, beside it", cells(beside.deliveries, alone.deliveries)),
    row("  an answer, alone", cells(alone.answers, alone.answers)),
    row("  an answer, beside it", [...cells(beside.answers, alone.answers), String(repeats)])
  ]
}

const titles: { readonly [L in Target.Limits]: string } = {
  default: "with default settings",
  off: "without a rate limit"
}

/**
 * What an attacker can do to another account: how long the victim's deliveries and answers take alone, and beside each
 * attack, on SQLite and on PostgreSQL, with the rate limit that is the default and without one. `x alone` is the 99th
 * percentile beside the attack against the one alone.
 */
export const run = async ({ quick }: SuiteOptions): Promise<void> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))
  const postgres = await PostgresServer.start()
  const attacker = Attacker.open()
  const size = quick ? smoke : full
  const databases: ReadonlyArray<readonly [string, (name: string) => Promise<string>]> = [
    ["SQLite", (name) => Promise.resolve(`sqlite:${path.join(folder, `${name}.db`)}`)],
    ["PostgreSQL", (name) => postgres.database(`abuse_${name}`)]
  ]
  try {
    for (const [name, create] of databases) {
      for (const limits of ["default", "off"] as const) {
        const target = await Target.start(folder, await create(limits), limits)
        try {
          console.log(row(`${name}, ${titles[limits]}`, ["p50 ms", "p99 ms", "x alone", "repeats"]))
          // The first requests of a process are slower, whoever sends them.
          await target.deliveries(size.deliveries)
          await target.answers(size.answers)
          for (const kind of kinds) {
            for (const line of await measure(target, attacker, kind, size)) console.log(line)
          }
        } finally {
          await target.stop()
        }
      }
    }
  } finally {
    attacker.end()
    await postgres.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
