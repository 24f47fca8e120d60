import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import { get } from "node:http"
import * as os from "node:os"
import * as path from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { freePort } from "@frontdesk/provider-fakes/FreePort"
import * as ProcessCpu from "./ProcessCpu.ts"
import * as Rounds from "./Rounds.ts"

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Only answers every request. It is plain JavaScript, because to load Node's compiler of types takes longer than the rest. */
const bare = `
  const port = Number(process.argv[process.argv.indexOf("--port") + 1])
  require("node:http").createServer((_, response) => void response.end()).listen(port, "127.0.0.1")
`

/** The start of Node and of its HTTP server, the program of a checkout, and the program of the published package. */
const contestants = [
  { name: "node:http alone", args: ["--eval", bare] },
  { name: "checkout", args: [file("../../server/bin/source.cjs")] },
  { name: "package", args: [file("../../server/bin/frontdesk.cjs")] }
]

/** Makes what the published package has of this checkout. */
const bundlePackage = (): void => {
  const args = ["../../server/bin/run.cjs", "../../server/bundle/publish.ts"].map(file)
  execFileSync(process.execPath, args, { stdio: "inherit" })
}

/** Resolves with whether the server answers `/health` with 200. */
const isHealthy = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get({ host: "127.0.0.1", port, path: "/health", agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    request.once("error", () => resolve(false))
  })

/** How long the first answer may take, in milliseconds. */
const maxMillis = 60_000

interface Start {
  readonly millis: number
  /** The CPU time of the process until the answer, in milliseconds; NaN where the system has no `/proc`. */
  readonly cpuMillis: number
}

/** Starts a program and returns when it first answered. It is asked every two milliseconds, and then stopped. */
const start = async (args: ReadonlyArray<string>, databaseUrl: string): Promise<Start> => {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...args, "serve", "--port", `${port}`, "--database-url", databaseUrl], {
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("FRONTDESK_"))),
      FRONTDESK_LOG_LEVEL: "warn"
    },
    stdio: ["ignore", "ignore", "inherit"]
  })
  const ended = once(child, "exit")
  try {
    while (!(await isHealthy(port))) {
      if (child.exitCode !== null || performance.now() - startedAt > maxMillis) {
        throw new Error(`${args.at(-1)} did not answer.`)
      }
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    const millis = performance.now() - startedAt
    const cpuMillis =
      ProcessCpu.isKnown && child.pid !== undefined ? ProcessCpu.familyMicros(child.pid) / 1_000 : Number.NaN
    return { millis, cpuMillis }
  } finally {
    child.kill("SIGTERM")
    await ended
  }
}

/**
 * Prints the time from the start of the process until the first 200 of `/health`, on a SQLite database that exists and
 * is current. An uncounted first round fills the caches of the disk and of compiled code, and bundles the checkout.
 */
export const run = async ({ quick }: Rounds.SuiteOptions): Promise<void> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))
  try {
    bundlePackage()
    const databaseUrl = `sqlite:${path.join(folder, "start.db")}`
    const measured = await Rounds.interleave(contestants, quick ? 2 : 16, ({ args }) => start(args, databaseUrl))
    console.log(Rounds.row("start to first 200, ms", ["best", "p50", "p99", "CPU", "x best"]))
    const bestOf = (results: ReadonlyArray<Start>) => Math.min(...results.slice(1).map(({ millis }) => millis))
    for (const { contestant, results } of measured) {
      const counted = results.slice(1)
      const times = counted.map(({ millis }) => millis)
      const cpu = Math.min(...counted.map(({ cpuMillis }) => cpuMillis))
      const quantiles = [0.5, 0.99].map((part) => Rounds.quantile(times, part))
      const cells = [bestOf(results), ...quantiles, cpu].map((millis) => millis.toFixed(0))
      const ratio = bestOf(results) / bestOf(measured[0]?.results ?? [])
      console.log(Rounds.row(contestant.name, [...cells, ratio.toFixed(2)]))
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
