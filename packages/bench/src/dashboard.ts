import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { chromiumPath } from "@frontdesk/test-browser/browser"
import * as Fill from "./dashboard/Fill.ts"
import type { Opening } from "./dashboard/Openings.ts"
import type { Paint } from "./dashboard/Paints.ts"
import * as Child from "./http/Child.ts"
import type { HttpOptions } from "./http.ts"
import * as Places from "./Place.ts"
import * as Provision from "./Provision.ts"
import * as Rounds from "./Rounds.ts"

const full: Fill.Size = { contacts: 10_000, calls: 10_000, events: 3_650, deliveries: 100_000, auditEntries: 10_000 }
const smoke: Fill.Size = { contacts: 300, calls: 300, events: 365, deliveries: 300, auditEntries: 300 }

const key = `fd_test_dashboard_${"0".repeat(32)}`

const agents = ["ada", "ben", "cleo"]

const document = {
  accounts: [
    {
      ref: "acme",
      name: "Acme",
      balance: 1_000,
      api_keys: [{ ref: "acme", name: "Bench", permissions: ["*"], key }],
      agents: agents.map((name) => ({ ref: name, name, assistant_id: `asst_${name}` }))
    }
  ]
}

/** The number of connections of a browser to a server. */
const connections = 6

/** Returns the environment of a command on a database. */
const environment = (databaseUrl: string): NodeJS.ProcessEnv => {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("FRONTDESK_"))
  return { ...Object.fromEntries(inherited), FRONTDESK_DATABASE_URL: databaseUrl }
}

/** Sends a request with the API key of the account. */
const ask = async (url: string, path: string): Promise<unknown> => {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
  if (!response.ok) throw new Error(`${path} was answered with ${await response.text()}`)
  return response.json()
}

/** How long the server may take to count the calls and calendar events, in milliseconds. */
const maxCountingMillis = 120_000

/** Waits until the server has counted the calls and calendar events, which it does in the background. */
const counted = async (url: string): Promise<void> => {
  const end = performance.now() + maxCountingMillis
  while (performance.now() < end) {
    const answer = await ask(url, "/statistics")
    if (typeof answer === "object" && answer !== null && "is_complete" in answer && answer.is_complete === true) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error("The server has not counted what the account has.")
}

/** Returns a link with which the operator signs in, who sees every page. */
const linkOf = (folder: string, url: string, databaseUrl: string): string => {
  const link = ["dashboard", "link", "--account", "acme", "--operator", "--json"]
  const answer: unknown = JSON.parse(Provision.command(folder, environment(databaseUrl), link))
  if (typeof answer === "object" && answer !== null && "url" in answer && typeof answer.url === "string") {
    // The link has the port of the settings.
    return url + new URL(answer.url).pathname
  }
  throw new Error("The command printed no sign-in link.")
}

/** Returns the id of a delivery of the first webhook. */
const deliveryOf = async (url: string): Promise<string> => {
  const [, id] = /"id":"([0-9a-f-]{36})"/.exec(JSON.stringify(await ask(url, "/webhooks/1/deliveries?limit=1"))) ?? []
  if (id === undefined) throw new Error("The webhook has no delivery.")
  return id
}

const millis = (micros: number): string => (Number.isNaN(micros) ? "" : (micros / 1_000).toFixed(1))

/** Prints the cost of every opening. The first one is the baseline. */
const print = (
  title: string,
  measured: ReadonlyArray<{ readonly contestant: Opening; readonly results: ReadonlyArray<Rounds.Costed> }>
): void => {
  const smallest = Rounds.leastCpu(measured[0]?.results ?? [])
  const titles = ["requests", "kB", "CPU ms", "x caller", "p50 ms", "p99 ms", "database ms"]
  console.log(Rounds.row(title, titles))
  for (const { contestant, results } of measured) {
    const count = contestant.requests.length
    const latencies = results.flatMap(({ latencies = [] }) => latencies)
    console.log(
      Rounds.row(contestant.name, [
        String(count),
        (contestant.requests.reduce((sum, { answerBytes }) => sum + answerBytes, 0) / 1_000).toFixed(1),
        millis(Rounds.leastCpu(results) * count),
        Rounds.ratioText((Rounds.leastCpu(results) * count) / smallest),
        ...[0.5, 0.99].map((part) => Rounds.quantile(latencies, part).toFixed(1)),
        millis(Rounds.leastCpu(results, "database") * count)
      ])
    )
  }
}

/** Prints how long Chromium took to show pages, each time without any of their files. The first one is the baseline. */
const printPaints = (paints: ReadonlyArray<Paint>): void => {
  const baseline = Rounds.quantile(paints[0]?.complete ?? [], 0.5)
  console.log(Rounds.row("in Chromium, ms", ["paint p50", "paint max", "shown p50", "shown max", "x bare"]))
  for (const { complete, first, name } of paints) {
    console.log(
      Rounds.row(name, [
        ...[first, complete].flatMap((times) => [0.5, 1].map((part) => Rounds.quantile(times, part).toFixed(0))),
        Rounds.ratioText(Rounds.quantile(complete, 0.5) / baseline)
      ])
    )
  }
}

/** Measures all pages on one database. */
const measure = async (
  folder: string,
  place: Places.Place,
  load: Child.Load,
  executablePath: string,
  quick: boolean
): Promise<void> => {
  const [rounds, times] = quick ? [1, 6] : [6, 20]
  const databaseUrl = await place.database("dashboard")
  await Provision.run(folder, environment(databaseUrl), document)
  await Fill.fill(databaseUrl, quick ? smoke : full, agents.length)
  await place.analyze(databaseUrl)
  const server = await Child.startServer({ name: "Frontdesk", module: "../tools/server.ts", databaseUrl })
  try {
    const url = `http://127.0.0.1:${server.port}`
    await counted(url)
    // Loaded here, because it reads the built pages.
    const { record } = await import("./dashboard/Openings.ts")
    const link = linkOf(folder, url, databaseUrl)
    const { openings, paints } = await record(executablePath, url, link, await deliveryOf(url), quick ? 2 : 11)
    const smallest = openings.flatMap(({ requests }) => requests).find(({ line }) => line.endsWith("/api/v1/caller"))
    if (smallest === undefined) throw new Error("No page asks who is signed in.")
    const contestants: ReadonlyArray<Opening> = [{ name: "GET caller", requests: [smallest] }, ...openings]
    const send = ({ requests }: Opening) =>
      load.measure(
        server,
        {
          connections,
          millis: 0,
          isOnce: true,
          requests: Array.from({ length: times }, () => requests.map(({ message }) => message)).flat(),
          expectedStatus: 200
        },
        place.others
      )
    // An uncounted first round warms up.
    for (const opening of contestants) await send(opening)
    print(place.name, await Rounds.interleave(contestants, rounds, send))
    printPaints(paints)
  } finally {
    await server.stop()
  }
}

/**
 * Prints the CPU time of the server for opening each page of the dashboard, on SQLite and on PostgreSQL, in an account with
 * 10,000 calls, 10,000 contacts and 100,000 deliveries. The requests are those of the pages themselves, recorded in Chromium.
 * The baseline is `GET /caller`, the smallest of them. The aim is at most 50 ms for each page. Then prints how long Chromium takes
 * until the first paint and until all data is shown.
 */
export const run = async ({ database, quick }: HttpOptions): Promise<void> => {
  if (chromiumPath === undefined) {
    console.log("Skipped: Chromium is not found. FRONTDESK_TEST_CHROMIUM names it.")
    return
  }
  execFileSync(process.execPath, [fileURLToPath(new URL("../../dashboard/build/main.ts", import.meta.url))])
  const load = Child.startLoad()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))
  try {
    for (const open of database === undefined ? Object.values(Places.places) : [Places.places[database]]) {
      const place = await open(folder)
      try {
        await measure(folder, place, load, chromiumPath, quick)
      } finally {
        await place.stop()
      }
    }
  } finally {
    await load.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
