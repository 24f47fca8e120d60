import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import { deserialize, serialize } from "node:v8"
import * as Samples from "./endpoints/Samples.ts"
import type { Executed, Recorded } from "./endpoints/Statements.ts"
import * as Child from "./http/Child.ts"
import * as Fixture from "./http/Fixture.ts"
import * as Rounds from "./Rounds.ts"

const connections = 24

const asked = async (
  port: number,
  apiKey: string,
  { body, method, path }: Omit<Samples.Sample, "name" | "method"> & { readonly method: string }
) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
  return { status: answer.status, contentType: answer.headers.get("content-type") ?? "", body: text }
}

/** Sends each request to Frontdesk three times, and returns the last answer with the statements that it took. */
const record = async (filename: string, fixture: Fixture.Fixture) => {
  const { apiKey } = fixture
  const server = await Child.startServer({
    name: "Frontdesk, recorded",
    module: "../endpoints/recorder.ts",
    databaseUrl: `sqlite:${filename}`
  })
  try {
    const samples = await Samples.make(fixture, async (method, path, body): Promise<unknown> =>
      JSON.parse((await asked(server.port, apiKey, { method, path, body })).body)
    )
    const recorded: Array<Recorded> = []
    for (const sample of samples) {
      // The first answers change the record, prepare statements and remember the key.
      for (let repeat = 0; repeat < 2; repeat++) await asked(server.port, apiKey, sample)
      await server.statements()
      const answer = await asked(server.port, apiKey, sample)
      // oxlint-disable-next-line typescript/no-unsafe-assignment -- The recorder is a module of this package.
      const statements: ReadonlyArray<Executed> = deserialize(Buffer.from(await server.statements(), "base64"))
      recorded.push({ ...answer, method: sample.method, path: sample.path, statements })
    }
    return { samples, recorded }
  } finally {
    await server.stop()
    // The copies have only the file itself, without its write-ahead log.
    const database = new DatabaseSync(filename)
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
  }
}

const messageOf = (apiKey: string, { body, method, path }: Samples.Sample): string => {
  const sent = body === undefined ? "" : JSON.stringify(body)
  const content =
    body === undefined ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(sent)}`]
  const head = [`${method} ${path} HTTP/1.1`, "host: 127.0.0.1", `authorization: Bearer ${apiKey}`, ...content]
  return `${head.join("\r\n")}\r\n\r\n${sent}`
}

/**
 * Prints how many requests a second Frontdesk answers at each endpoint on SQLite. The baseline is the floor of the
 * endpoint: `node:http` with the same statements by hand and the same answer.
 */
export const run = async ({ quick }: Rounds.SuiteOptions): Promise<void> => {
  const [events, rounds, millis] = quick ? [50, 1, 100] : [1_000, 5, 500]
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))
  const load = Child.startLoad()
  const servers: Array<Child.Server> = []
  try {
    const original = path.join(folder, "fixture.db")
    const fixture = await Fixture.make(`sqlite:${original}`, events)
    const { recorded, samples } = await record(original, fixture)
    const file = path.join(folder, "recorded")
    fs.writeFileSync(file, serialize(recorded))
    for (const [name, module] of [
      ["node:http, the same SQL", "../endpoints/floor.ts"],
      ["Frontdesk", "./frontdesk.ts"]
    ] as const) {
      const filename = path.join(folder, `${servers.length}.db`)
      fs.copyFileSync(original, filename)
      servers.push(await Child.startServer({ name, module, databaseUrl: `sqlite:${filename}`, args: [file] }))
    }
    const titles = ["floor/s", "Frontdesk/s", "x best", "x median", "x CPU", "p50 ms", "p99 ms", "SQL"]
    console.log(Rounds.row(`each endpoint, ${connections} connections`, titles))
    for (const [index, sample] of samples.entries()) {
      const { status: expectedStatus = 200, statements = [] } = recorded[index] ?? {}
      const requests = [messageOf(fixture.apiKey, sample)]
      const measured = await Rounds.interleave(servers, rounds + 1, (server) =>
        load.measure(server, { connections, millis, requests, expectedStatus })
      )
      // `slice(1)` leaves out the warm-up round.
      const [floor = [], ours = []] = measured.map(({ results }) => results.slice(1))
      const baseline = floor.map(({ perSecond }) => perSecond)
      const { best, bestRatio, medianRatio } = Rounds.summary(
        ours.map(({ perSecond }) => perSecond),
        baseline
      )
      const latencies = ours.flatMap(({ latencies = [] }) => latencies)
      console.log(
        Rounds.row(sample.name, [
          ...[Math.max(...baseline), best].map((rate) => Math.round(rate).toLocaleString("en")),
          ...[bestRatio, medianRatio, Rounds.leastCpu(floor) / Rounds.leastCpu(ours)].map((ratio) => ratio.toFixed(2)),
          ...[0.5, 0.99].map((part) => Rounds.quantile(latencies, part).toFixed(2)),
          String(statements.length)
        ])
      )
    }
  } finally {
    await Promise.all([load, ...servers].map((child) => child.stop()))
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
