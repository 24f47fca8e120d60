import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import * as PostgresServer from "@frontdesk/test-postgres/PostgresServer"
import * as WorldDatabase from "../kill/WorldDatabase.ts"
import * as CommandFlags from "../support/commandFlags.ts"
import * as Run from "./Run.ts"
import * as Server from "./Server.ts"

const usage =
  "pnpm fuzz [--database sqlite|postgres] [--requests 50000] [--seed N]. The numbers are whole; --requests is above 0"

const flags = CommandFlags.flags(usage, { database: "sqlite", requests: "50000", seed: CommandFlags.drawnSeed() })
const kind = flags.oneOf("database", ["sqlite", "postgres"])
const seed = flags.seed("seed")
const requests = flags.count("requests")

const folder = mkdtempSync(join(tmpdir(), "frontdesk-fuzz-"))
const postgres = kind === "postgres" ? await PostgresServer.make() : null
const database = postgres === null ? WorldDatabase.sqlite(folder) : await WorldDatabase.postgres(postgres.url)

console.log(`Seed ${seed}: ${requests} requests on ${kind}`)
const startedAt = performance.now()
const { answers, faults } = await Run.run({
  seed,
  requests,
  start: () => Server.start(folder, database.url),
  onBatch: (sent, faults) => {
    if (sent % 5_000 === 0 || sent === requests) console.log(`${sent} sent, ${faults} kinds of fault`)
  }
})
await database.close()
await postgres?.remove()
rmSync(folder, { recursive: true, force: true })

console.log(`\nAnswers by operation and status, in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
for (const [operation, statuses] of [...answers].toSorted(([a], [b]) => a.localeCompare(b))) {
  const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  console.log(`${operation}  ${counts.join(", ")}`)
}
for (const [fault, { count, example }] of faults) console.error(`\n${fault} (${count} times)\n  ${example}`)
if (faults.size > 0) console.error(`\nTo repeat: pnpm fuzz --database ${kind} --requests ${requests} --seed ${seed}`)
process.exitCode = faults.size === 0 ? 0 : 1
