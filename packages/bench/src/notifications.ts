import { createServer } from "node:http"
import process from "node:process"
import { Frontdesk } from "@frontdesk/embed"
import { Pool } from "pg"
import * as Server from "./postgres/Server.ts"
import * as Rounds from "./Rounds.ts"

const visit = { title: "Visit", startTime: "2099-03-02T10:00:00Z", endTime: "2099-03-02T10:30:00Z" }

/** Opens a receiver. `next` resolves with the time of the next delivery. */
const openReceiver = async () => {
  let arrived: (at: number) => void = () => {}
  const server = createServer((request, response) => {
    arrived(performance.now())
    request.resume()
    response.end()
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const next = () =>
    new Promise<number>((resolve) => {
      arrived = resolve
    })
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/`, next, close }
}

/** A way to commit a transaction with a calendar event. Returns when the COMMIT began. */
interface Way {
  readonly name: string
  readonly times: number
  readonly commit: () => Promise<number>
}

const waysOf = (frontdesk: Frontdesk, pool: Pool, quick: boolean): ReadonlyArray<Way> => {
  const join = async (isTold: boolean): Promise<number> => {
    const client = await pool.connect()
    await client.query("BEGIN")
    const joined = frontdesk.join(client)
    await joined.as("acme").calendar.create(visit)
    const at = performance.now()
    await client.query("COMMIT")
    client.release()
    if (isTold) await joined.committed()
    return at
  }
  const transaction = () =>
    frontdesk.transaction(async ({ as }) => {
      await as("acme").calendar.create(visit)
      return performance.now()
    })
  return [
    { name: "join, found by the poll", times: 1, commit: () => join(false) },
    { name: "join and committed()", times: quick ? 5 : 20, commit: () => join(true) },
    { name: "frontdesk.transaction", times: quick ? 5 : 20, commit: transaction }
  ]
}

/**
 * Prints how long a delivery takes from the COMMIT of the program's transaction to its arrival, on a pool of the program
 * with all workers in this process. The baseline is a program that does not call `committed()`.
 */
export const run = async ({ quick }: Rounds.SuiteOptions): Promise<void> => {
  const server = await Server.start()
  const receiver = await openReceiver()
  const pool = new Pool({ connectionString: await server.database("notifications"), max: 10 })
  const frontdesk = await Frontdesk.open({
    storage: { postgres: { pool, schema: "voice" } },
    webhooks: { allowInsecure: true }
  })
  try {
    await frontdesk.provision({ accounts: [{ ref: "acme", name: "Acme" }] })
    const subscribedEvents = ["calendar.created"] as const
    await frontdesk.as("acme").webhooks.create({ name: "Calendar", url: receiver.url, subscribedEvents })
    const measure = async ({ commit, times }: Way): Promise<ReadonlyArray<number>> => {
      const waits: Array<number> = []
      for (let time = 0; time < times; time++) {
        const arrival = receiver.next()
        const at = await commit()
        waits.push((await arrival) - at)
      }
      return waits
    }
    const ways = waysOf(frontdesk, pool, quick)
    for (const way of ways) await measure(way)
    const results = await Rounds.interleave(ways, quick ? 1 : 25, measure)
    const columns = ["median", "p99", "most"]
    console.log(Rounds.row("commit to arrival, in ms", columns))
    for (const { contestant, results: rounds } of results) {
      const waits = rounds.flat()
      const cells = [0.5, 0.99, 1].map((part) => Rounds.quantile(waits, part).toFixed(1))
      console.log(Rounds.row(contestant.name, cells))
    }
  } finally {
    await frontdesk.close()
    await pool.end()
    receiver.close()
    await server.stop()
  }
}

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
