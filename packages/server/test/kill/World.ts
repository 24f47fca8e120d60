import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { acme } from "../support/acme.ts"
import { command } from "../support/command.ts"
import { workerKeys } from "./BookingClient.ts"
import { claimsOf, mailsOf, sendsOf } from "./History.ts"
import { checkWorld, type InvariantName, type WorldCheck } from "./Invariants.ts"
import type { KillName } from "./KillPoint.ts"
import * as Ledger from "./Ledger.ts"
import * as Lives from "./Lives.ts"
import * as Receivers from "./Receivers.ts"
import * as Records from "./Records.ts"
import * as Script from "./Script.ts"
import type { DatabaseKind, WorldDatabase } from "./WorldDatabase.ts"

/** Options of a world. */
export interface WorldOptions {
  readonly seed: number
  /** The kind of the database, and the function that creates it for a folder. */
  readonly database: readonly [kind: DatabaseKind, open: (folder: string) => Promise<WorldDatabase>]
  /** The number of kills. */
  readonly kills: number
  /**
   * Whether each process of the server has the same node name. Then a new process recovers the leases of the killed one
   * at once. Otherwise the leases run out.
   */
  readonly isKnownAgain: boolean
  /** Whether the server has secret keys. */
  readonly isSealed: boolean
  /** The number of servers that run at the same time. Only one of them is killed. */
  readonly nodes: number
}

/** The result of a world. */
export interface WorldReport {
  readonly seed: number
  readonly database: DatabaseKind
  /** The number of kills by kill point. */
  readonly kills: ReadonlyMap<KillName, number>
  readonly deliveries: number
  readonly requests: number
  readonly events: number
  readonly violations: ReadonlyArray<string>
  /** The number of checks of each invariant. */
  readonly checks: ReadonlyMap<InvariantName, number>
  /** The folder with the records, traces and logs of a world with violations; null for a world without violations. */
  readonly folder: string | null
}

/** The account, with an API key for each worker that books. */
const document = {
  ...acme,
  accounts: acme.accounts.map((account) => ({
    ...account,
    api_keys: [
      ...account.api_keys,
      ...workerKeys.map((key, worker) => ({ ref: `worker-${worker}`, name: "Books", permissions: ["*"], key }))
    ]
  }))
}

/** Returns the records with the bodies as text. */
const readable = (records: Records.Records) => ({
  ...records,
  webhookEvents: records.webhookEvents.map((event) => ({ ...event, body: Buffer.from(event.body).toString() }))
})

/** Runs a world: many processes of a server, each of which is killed, and a last one that finishes all work. */
export const run = async ({
  database: [kind, open],
  isKnownAgain,
  isSealed,
  kills,
  nodes,
  seed
}: WorldOptions): Promise<WorldReport> => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-kill-"))
  const database = await open(folder)
  const receivers = await Receivers.open(seed)
  const ledger = Ledger.empty()
  const lives = await Lives.make({ folder, database, isKnownAgain, isSealed, ledger, nodes, receivers, seed })
  let records: Records.Records | null = null

  const live = async (): Promise<WorldCheck> => {
    // Two kills during the first starts and one after the set-up come before those of the script.
    const rounds = Script.make(seed, kills - 3, isKnownAgain)
    // The first processes find no database and are killed while they create it, one early and one late.
    for (const part of [0.2, 0.8]) await lives.duringStart(part * (rounds[0]?.lateness ?? 1))
    writeFileSync(join(folder, "acme.json"), JSON.stringify(document))
    const { code, stderr } = await command(folder, ["provision", join(folder, "acme.json")], {
      FRONTDESK_DATABASE_URL: database.url
    })
    if (code !== 0) throw new Error(stderr)
    await lives.setUp()
    for (const round of rounds) await lives.live(round)
    await lives.close()
    const unsettled = await lives.settle()
    records = await Records.read(database)
    const trace = readFileSync(join(folder, "trace"), "utf8")
    return checkWorld({
      ledger,
      arrivals: receivers.arrivals,
      sends: sendsOf(trace),
      mails: mailsOf(trace),
      records,
      delays: Lives.delays,
      clockError: database.clockError,
      errors: lives.logs.flatMap((log) => log.split("\n").filter((line) => /"level":"(ERROR|FATAL)"/.test(line))),
      lines: lives.logs.reduce((sum, log) => sum + log.split("\n").length, 0),
      claims: claimsOf(trace),
      isSealed,
      unsettled
    })
  }

  const { checks, violations: problems } = await live().catch((error: unknown): WorldCheck => ({
    violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    checks: new Map()
  }))
  await lives.end()
  await receivers.close()
  await database.close()
  if (problems.length === 0) rmSync(folder, { recursive: true, force: true })
  else {
    writeFileSync(join(folder, "log"), lives.logs.join("\n"))
    writeFileSync(join(folder, "ledger.json"), JSON.stringify(ledger, null, 2))
    const seen = receivers.arrivals.map(({ body, ...arrival }) => ({ ...arrival, body: body.toString() }))
    writeFileSync(join(folder, "arrivals.json"), JSON.stringify(seen, null, 2))
    if (records !== null) writeFileSync(join(folder, "records.json"), JSON.stringify(readable(records), null, 2))
  }
  const { deliveries, webhookEvents } = records ?? { deliveries: [], webhookEvents: [] }
  return {
    seed,
    database: kind,
    kills: lives.kills,
    deliveries: deliveries.length,
    requests: receivers.arrivals.length,
    events: webhookEvents.length,
    violations: problems,
    checks,
    folder: problems.length === 0 ? null : folder
  }
}
