import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { acme } from "../support/acme.ts"
import { command } from "../support/command.ts"
import { claimsOf, mailsOf, sendsOf } from "./History.ts"
import { type Claim, judge, type Judgement } from "./Invariants.ts"
import type { KillName } from "./KillPoint.ts"
import * as Ledger from "./Ledger.ts"
import * as Lives from "./Lives.ts"
import * as Receivers from "./Receivers.ts"
import * as Records from "./Records.ts"
import * as Script from "./Script.ts"
import type { DatabaseKind, WorldDatabase } from "./WorldDatabase.ts"

/** What a world is made of. */
export interface WorldOptions {
  readonly seed: number
  /** What its data is kept in, and how that is had for a folder. */
  readonly database: readonly [kind: DatabaseKind, open: (folder: string) => Promise<WorldDatabase>]
  /** How often its server is killed. */
  readonly kills: number
  /**
   * Whether the server comes back under the name its predecessor leased under, and so frees its leases at once; else
   * they run out.
   */
  readonly isKnownAgain: boolean
  /** Whether the server has keys to seal secrets with. */
  readonly isSealed: boolean
  /** How many servers live at the same time; all but one are left alone. */
  readonly nodes: number
}

/** What became of a world. */
export interface WorldReport {
  readonly seed: number
  readonly database: DatabaseKind
  /** How often the server was killed, by point. */
  readonly kills: ReadonlyMap<KillName, number>
  readonly deliveries: number
  readonly requests: number
  readonly events: number
  readonly violations: ReadonlyArray<string>
  /** How many things each claim was held against. */
  readonly judged: ReadonlyMap<Claim, number>
  /** Where everything of a world that went wrong is kept: its file or its records, the traces and the logs of its servers. */
  readonly folder: string | null
}

/** Records with the bodies as the text they are. */
const readable = (records: Records.Records) => ({
  ...records,
  webhookEvents: records.webhookEvents.map((event) => ({ ...event, body: Buffer.from(event.body).toString() }))
})

/** Runs a world to its end: life after life of a server, and one at the end in which everything settles. */
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

  const live = async (): Promise<Judgement> => {
    const rounds = Script.make(seed, kills - 3, isKnownAgain)
    // The first processes find no database and are killed as they make it.
    for (const part of [0.2, 0.8]) await lives.duringStart(part * (rounds[0]?.lateness ?? 1))
    writeFileSync(join(folder, "acme.json"), JSON.stringify(acme))
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
    return judge({
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

  const { judged, violations: problems } = await live().catch((error: unknown): Judgement => ({
    violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    judged: new Map()
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
    judged,
    folder: problems.length === 0 ? null : folder
  }
}
