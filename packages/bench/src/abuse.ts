import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Attacker from "./abuse/Attacker.ts"
import { type Kind, kinds } from "./abuse/Kind.ts"
import * as Target from "./abuse/Target.ts"
import * as PostgresServer from "./postgres/Server.ts"
import { row, type SuiteOptions } from "./Rounds.ts"

/** How much is measured: connections are at most so many. */
const full = { connections: 500, deliveries: 60, answers: 400, warmUp: 2_000 }

const smoke: typeof full = { connections: 10, deliveries: 3, answers: 5, warmUp: 50 }

const cells = ({ p50, p99 }: Target.Times, alone: Target.Times): ReadonlyArray<string> => [
  p50.toFixed(1),
  p99.toFixed(1),
  (p99 / alone.p99).toFixed(1)
]

/** Measures the victim alone, then beside an attack. Returns the rows of the table. */
const measure = async (target: Target.Target, kind: Kind, size: typeof full): Promise<ReadonlyArray<string>> => {
  const victim = async () => ({
    deliveries: await target.deliveries(size.deliveries),
    answers: await target.answers(size.answers)
  })
  const alone = await victim()
  const connections = Math.min(kind.connections, size.connections)
  const attacker = await Attacker.start({ url: target.url, key: Target.keys.attacker, kind: kind.name, connections })
  await new Promise((resolve) => setTimeout(resolve, size.warmUp))
  const beside = await victim()
  const { perSecond } = await attacker.stop()
  const answered = Object.entries(perSecond).map(([status, rate]) => `${Math.round(rate)}/s ${status}`)
  return [
    row(`${kind.name}, ${connections} connections`, [answered.join(", ")]),
    row("  a delivery, alone", cells(alone.deliveries, alone.deliveries)),
    row("  a delivery, beside it", cells(beside.deliveries, alone.deliveries)),
    row("  an answer, alone", cells(alone.answers, alone.answers)),
    row("  an answer, beside it", [
      ...cells(beside.answers, alone.answers),
      `${beside.deliveries.repeats + beside.answers.repeats} repeats`
    ])
  ]
}

/**
 * What an attacker can do to another account: how long the victim's deliveries and answers take alone, and beside each
 * attack, on SQLite and on PostgreSQL. `x alone` is the 99th percentile beside the attack against the one alone.
 */
export const run = async ({ quick }: SuiteOptions): Promise<void> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))
  const postgres = await PostgresServer.start()
  const size = quick ? smoke : full
  try {
    const databases = [
      ["SQLite", `sqlite:${path.join(folder, "frontdesk.db")}`],
      ["PostgreSQL", await postgres.database("abuse")]
    ] as const
    for (const [name, databaseUrl] of databases) {
      const target = await Target.start(folder, databaseUrl)
      try {
        console.log(row(name, ["p50 ms", "p99 ms", "x alone", "repeats"]))
        // The first requests of a process are slower, whoever sends them.
        await target.deliveries(size.deliveries)
        for (const kind of kinds) for (const line of await measure(target, kind, size)) console.log(line)
      } finally {
        await target.stop()
      }
    }
  } finally {
    await postgres.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
