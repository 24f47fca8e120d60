import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Child from "./http/Child.ts"
import type { HttpOptions } from "./http.ts"
import * as Profile from "./http/Profile.ts"
import * as Places from "./Place.ts"
import * as Rounds from "./Rounds.ts"
import * as Fixture from "./tools/Fixture.ts"
import * as MeasuredTool from "./tools/MeasuredTool.ts"

/** Calls a tool of a server, and returns its structured answer. Throws when the tool refuses. */
const caller =
  ({ port }: Child.Server): MeasuredTool.Call =>
  async ({ callId, key }, name, args) => {
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "x-call-id": callId },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })
    })
    const text = await answer.text()
    const body: unknown = JSON.parse(text)
    const result = typeof body === "object" && body !== null && "result" in body ? body.result : undefined
    if (typeof result !== "object" || result === null || !("structuredContent" in result) || isError(result)) {
      throw new Error(`${name} was answered with ${text}`)
    }
    return result.structuredContent
  }

const isError = (result: object): boolean => "isError" in result && result.isError === true

/** What is measured on one database. */
interface Measurement extends Omit<HttpOptions, "database"> {
  readonly place: Places.Place
  /** The number of accounts to which the conversations belong. */
  readonly accounts: number
  readonly folder: string
  readonly load: Child.Load
  readonly receiver: Fixture.Receiver
}

/** Measures all tools on one database, in turn with the baseline. */
const measure = async ({ accounts, folder, load, place, profile = false, quick, receiver }: Measurement) => {
  const [days, rounds, calls, count] = quick ? [10, 1, 1, 10] : [300, 6, 6, 50]
  const planned = Fixture.conversationsOf(accounts, count)
  const databaseUrl = await place.database(`tools${accounts}`)
  await Fixture.provision(folder, databaseUrl, planned)
  const server = await Child.startServer({ name: "Frontdesk", module: "../tools/server.ts", databaseUrl })
  try {
    await Fixture.fill(load, server, planned, receiver, days)
    const conversations = await Fixture.startCalls(server, planned)
    await place.analyze(databaseUrl)
    const call = caller(server)
    const send = async ({ expectedText, prepare }: MeasuredTool.MeasuredTool) => {
      const requests = await prepare(call)
      const connections = conversations.length
      return load.measure(
        server,
        { connections, millis: 0, isOnce: true, requests, expectedStatus: 200, expectedText },
        place.others
      )
    }
    const options = { conversations, calls }
    const measured = [MeasuredTool.availability(options), ...MeasuredTool.tools(options)]
    // An uncounted first round warms up.
    for (const each of measured) await send(each)
    const results = await Rounds.interleave(measured, rounds, send)
    console.log(
      Rounds.table(
        `${place.name}, ${accounts === 1 ? "one account" : `${accounts} accounts`}`,
        results.map(({ contestant: { name }, results }) => ({ name, results }))
      )
    )
    for (const each of profile ? measured : []) {
      let answers = 0
      const recorded = await server.profile(async () => {
        answers = (await send(each)).answers
      })
      console.log(`${place.name}, ${each.name}`)
      console.log(Profile.table(recorded, answers))
    }
  } finally {
    await server.stop()
  }
}

/** By default an account has at most 10 running calls, so 50 conversations at once have at least 5 accounts. */
const accountCounts = [5, 1]

/**
 * Prints how long each tool of a voice agent takes over `POST /mcp` of a server with its workers, on SQLite and on
 * PostgreSQL, with 50 conversations at once. The baseline is `GET /calendar/availability` for the same weeks. The aim is a
 * p99 under 300 ms.
 */
export const run = async ({ database, ...options }: HttpOptions): Promise<void> => {
  const load = Child.startLoad()
  const receiver = await Fixture.receive()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))
  try {
    for (const open of database === undefined ? Object.values(Places.places) : [Places.places[database]]) {
      const place = await open(folder)
      try {
        for (const accounts of accountCounts) {
          await measure({ ...options, place, accounts, folder, load, receiver })
        }
      } finally {
        await place.stop()
      }
    }
  } finally {
    receiver.close()
    await load.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
