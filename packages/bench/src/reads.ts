import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Attacker from "./abuse/Attacker.ts"
import type { Kind } from "./abuse/Kind.ts"
import * as Target from "./abuse/Target.ts"
import { fill, type Rows } from "./reads/Rows.ts"
import { quantile, ratioText, row, type SuiteOptions } from "./Rounds.ts"

interface Size extends Rows {
  readonly rounds: number
  /** How many answers are measured in a round. */
  readonly answers: number
  /** How many milliseconds a query is repeated before the measurement, and how many pass after it. */
  readonly warmUp: number
}

const full: Size = {
  deliveries: 1_000_000,
  contacts: 250_000,
  calls: 500_000,
  events: 200_000,
  rounds: 4,
  answers: 250,
  warmUp: 1_500
}

const smoke: Size = {
  deliveries: 2_000,
  contacts: 1_000,
  calls: 1_000,
  events: 1_000,
  rounds: 1,
  answers: 5,
  warmUp: 2_000
}

/** How many connections of the large account repeat a query. */
const connections = 4

/** The slowest queries of each list, and of availability. */
const queries = (webhookId: number): ReadonlyArray<readonly [name: string, path: string]> => [
  ["failed deliveries", `webhooks/${webhookId}/deliveries?status=failed`],
  ["last page of deliveries", `webhooks/${webhookId}/deliveries?page=500`],
  ["search of contacts", "contacts?search=unknown"],
  ["last page of contacts", "contacts?page=12000"],
  ["calls, two rare filters", "calls?type=inbound&status=busy"],
  ["calls of an agent", "calls?agent_id=1&status=busy"],
  ["last page of events", "calendar/events?page=9900"],
  ["events of a range", "calendar/events?start_date=2031-01-02&end_date=2031-03-02&customer_email=jo@example.com"],
  ["availability, 62 days", "calendar/availability?start_date=2031-01-01&end_date=2031-03-03&duration=5&limit=5000"]
]

const victimPath = "/api/v1/agents"

const millisOf = (samples: ReadonlyArray<Target.Sample>): ReadonlyArray<number> => samples.map(({ millis }) => millis)

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

const measure = async (
  target: Target.Target,
  attacker: Attacker.AttackerProcess,
  kind: Kind,
  { answers, rounds, warmUp }: Size
): Promise<string> => {
  const [alone, beside]: [Array<number>, Array<number>] = [[], []]
  const rates: Array<string> = []
  for (let round = 0; round < rounds; round++) {
    alone.push(...millisOf(await target.answers(answers, victimPath)))
    const { stop } = await attacker.start({
      url: target.url,
      keys: Target.keys.attacker,
      kind,
      connections,
      prepares: false
    })
    await pause(warmUp)
    beside.push(...millisOf(await target.answers(answers, victimPath)))
    const answered = await stop()
    rates.push(...Object.entries(answered).map(([status, { perSecond }]) => `${perSecond.toFixed(1)}/s ${status}`))
    await pause(warmUp)
  }
  const [p50, p99] = [quantile(beside, 0.5), quantile(beside, 0.99)]
  const p99Alone = quantile(alone, 0.99)
  return row(kind.name, [
    quantile(alone, 0.5).toFixed(1),
    p99Alone.toFixed(1),
    p50.toFixed(1),
    p99.toFixed(1),
    ratioText(p99 / p99Alone),
    rates.at(-1) ?? ""
  ])
}

/**
 * Prints how long `GET /agents` of one account takes on SQLite, alone and while another account, with up to a million
 * rows of a kind, repeats one of the slowest queries on four connections. The two take turns in four rounds.
 *
 * `x alone` is the 99th percentile divided by that of the account alone. The rate is that of the answers to the query.
 */
export const run = async ({ quick }: SuiteOptions): Promise<void> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))
  const size = quick ? smoke : full
  const filename = path.join(folder, "reads.db")
  const attacker = Attacker.open()
  try {
    let webhookId = 0
    const target = await Target.start(folder, `sqlite:${filename}`, "off", () => {
      webhookId = fill(filename, "attacker", size)
    })
    try {
      console.log(row("GET /agents beside", ["p50 alone", "p99 alone", "p50 ms", "p99 ms", "x alone", "queries"]))
      await target.answers(size.answers, victimPath)
      for (const [name, query] of queries(webhookId)) {
        const requests = [{ method: "GET", path: `/api/v1/${query}` } as const]
        console.log(await measure(target, attacker, { name, connections, preparation: [], requests }, size))
      }
    } finally {
      await target.stop()
    }
  } finally {
    attacker.end()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
