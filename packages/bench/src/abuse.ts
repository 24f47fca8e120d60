import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Attacker from "./abuse/Attacker.ts"
import type { AnswersByStatus } from "./abuse/attackProcess.ts"
import * as Decoy from "./abuse/Decoy.ts"
import { type Kind, kinds } from "./abuse/Kind.ts"
import * as Target from "./abuse/Target.ts"
import * as PostgresServer from "./postgres/Server.ts"
import { quantile, ratioText, row, type SuiteOptions } from "./Rounds.ts"

/**
 * How much is measured. `connections` is a maximum; `deliveries` and `answers` are those of one round. An attack begins
 * `warmUp` milliseconds before the measurement, and `pause` milliseconds pass after it.
 */
const full = { rounds: 4, connections: 500, deliveries: 25, answers: 150, warmUp: 500, pause: 200 }

const smoke: typeof full = { rounds: 1, connections: 10, deliveries: 3, answers: 5, warmUp: 50, pause: 0 }

/** The measured times of the victim. */
interface Samples {
  readonly deliveries: Array<Target.Sample>
  readonly answers: Array<Target.Sample>
}

const noSamples = (): Samples => ({ deliveries: [], answers: [] })

const millisOf = (samples: ReadonlyArray<Target.Sample>): ReadonlyArray<number> => samples.map(({ millis }) => millis)

const cells = (samples: ReadonlyArray<Target.Sample>, alone: ReadonlyArray<Target.Sample>): ReadonlyArray<string> => {
  const [p50, p99] = [quantile(millisOf(samples), 0.5), quantile(millisOf(samples), 0.99)]
  const ratio = p99 / quantile(millisOf(alone), 0.99)
  return [p50.toFixed(1), p99.toFixed(1), ratioText(ratio)]
}

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** The processes of a measurement. */
interface Parties {
  readonly target: Target.Target
  readonly attacker: Attacker.AttackerProcess
  readonly decoy: Decoy.Decoy
  /** Returns the CPU time so far of the server and its database, in microseconds. */
  readonly cpuMicros: () => Promise<number>
}

/**
 * Measures the victim alone, during an attack on its server, and during the same attack on a decoy. The decoy answers
 * as often and uses as much CPU time as the server. Returns the rows of the table.
 */
const measure = async (
  { attacker, cpuMicros, decoy, target }: Parties,
  kind: Kind,
  size: typeof full
): Promise<ReadonlyArray<string>> => {
  const [alone, attacked, busy] = [noSamples(), noSamples(), noSamples()]
  const sample = async (into: Samples): Promise<{ readonly cpu: number; readonly micros: number }> => {
    const [cpuBefore, before] = [await cpuMicros(), performance.now()]
    into.deliveries.push(...(await target.deliveries(size.deliveries)))
    into.answers.push(...(await target.answers(size.answers)))
    return { cpu: (await cpuMicros()) - cpuBefore, micros: (performance.now() - before) * 1_000 }
  }
  const connections = Math.min(kind.connections, size.connections)
  const attack = async (url: string, prepares: boolean, into: Samples) => {
    const { stop } = await attacker.start({
      url,
      keys: Target.keys.attacker,
      kind,
      connections,
      prepares
    })
    await pause(size.warmUp)
    const used = await sample(into)
    const answered = await stop()
    await pause(size.pause)
    return { answered, used }
  }
  const all: Array<AnswersByStatus> = []
  for (let round = 0; round < size.rounds; round++) {
    const undisturbed = await sample(alone)
    const { answered, used } = await attack(target.url, round === 0, attacked)
    all.push(answered)
    // The CPU time beyond that of the victim alone is that of the attack.
    const cpuShare = Math.min(1, Math.max(0, (used.cpu - undisturbed.cpu) / used.micros))
    await attack(await decoy.imitate({ answered, cpuShare }), false, busy)
  }
  const rateOf = (status: string): number =>
    all.reduce((sum, answers) => sum + (answers[status]?.perSecond ?? 0), 0) / size.rounds
  const statuses = [...new Set(all.flatMap((answers) => Object.keys(answers)))].toSorted()
  const repeats = [...attacked.deliveries, ...attacked.answers].reduce((sum, sample) => sum + sample.repeats, 0)
  return [
    row(`${kind.name}, ${connections} connections`, [
      statuses.map((status) => `${Math.round(rateOf(status))}/s ${status}`).join(", ")
    ]),
    row("  a delivery, alone", cells(alone.deliveries, alone.deliveries)),
    row("  a delivery, machine as busy", cells(busy.deliveries, alone.deliveries)),
    row("  a delivery, attacked", cells(attacked.deliveries, alone.deliveries)),
    row("  an answer, alone", cells(alone.answers, alone.answers)),
    row("  an answer, machine as busy", cells(busy.answers, alone.answers)),
    row("  an answer, attacked", [...cells(attacked.answers, alone.answers), String(repeats)])
  ]
}

const titles: { readonly [L in Target.Limits]: string } = {
  default: "with default settings",
  off: "without a rate limit"
}

/**
 * Prints how long the deliveries and answers of a victim take alone and during each attack by another account. It
 * measures on SQLite and on PostgreSQL, with the default rate limit and without one.
 *
 * `x alone` is the 99th percentile divided by that of the victim alone. `machine as busy` has the times during an
 * attack on another process. They show the cost of the shared processor without that of the server. `repeats` counts the
 * requests that the victim repeated because they were answered with 503.
 */
export const run = async ({ quick }: SuiteOptions): Promise<void> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))
  const postgres = await PostgresServer.start()
  const attacker = Attacker.open()
  const decoy = Decoy.open()
  const size = quick ? smoke : full
  const databases: ReadonlyArray<readonly [string, (name: string) => Promise<string>]> = [
    ["SQLite", (name) => Promise.resolve(`sqlite:${path.join(folder, `${name}.db`)}`)],
    ["PostgreSQL", (name) => postgres.database(`abuse_${name}`)]
  ]
  try {
    for (const [name, create] of databases) {
      for (const limits of ["default", "off"] as const) {
        const target = await Target.start(folder, await create(limits), limits)
        const cpuMicros = async () =>
          target.cpuMicros() + (name === "PostgreSQL" ? ((await postgres.cpuMicros()) ?? 0) : 0)
        try {
          console.log(row(`${name}, ${titles[limits]}`, ["p50 ms", "p99 ms", "x alone", "repeats"]))
          // A warm-up: the first requests of a process are slower.
          await target.deliveries(size.deliveries)
          await target.answers(size.answers)
          for (const kind of kinds) {
            for (const line of await measure({ target, attacker, decoy, cpuMicros }, kind, size)) console.log(line)
          }
        } finally {
          await target.stop()
        }
      }
    }
  } finally {
    attacker.end()
    decoy.end()
    await postgres.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
