import * as PostgresServer from "@frontdesk/test-postgres/PostgresServer"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import * as Nodes from "./Nodes.ts"
import * as Proxy from "./Proxy.ts"

/** `FRONTDESK_OUTAGE_SECONDS` says for how long the database is away instead. */
const outageOf = (seconds: number): number => Number(process.env["FRONTDESK_OUTAGE_SECONDS"] ?? seconds) * 1_000

/** A node waits 5 seconds for a connection at most, and for an answer 2 seconds longer than a statement may take. */
const [statementTimeout, atMost] = ["1 second", 8_000]

/** How much longer that may take on a busy machine. */
const busy = 3_000

/** How many ask all the time. */
const clients = 6

/** A way to lose a database, and to get it back. */
interface Loss {
  /** For how long, in seconds: where nobody answers, longer than a request may take all the same. */
  readonly seconds: number
  readonly lose: () => Promise<void> | void
  readonly restore: () => Promise<void> | void
}

type Losing = (server: PostgresServer.PostgresServer, proxy: Proxy.Proxy) => Loss

const losses: ReadonlyArray<readonly [name: string, loss: Losing]> = [
  ["crashes", (server) => ({ seconds: 4, lose: server.crash, restore: server.start })],
  ["freezes", (server) => ({ seconds: 12, lose: server.freeze, restore: server.thaw })],
  ["goes out of reach", (_, proxy) => ({ seconds: 12, lose: proxy.hold, restore: proxy.pass })]
]

/** Something that was asked, and what came of it. */
interface Asked {
  readonly title: string
  readonly said: string
  readonly took: number
  readonly at: number
}

/** Books one event after the other on nodes in turn, until it is told that it is over. */
const load = (all: ReadonlyArray<Nodes.Node>) => {
  const asked: Array<Asked> = []
  const over = new AbortController()
  const client = async (name: number): Promise<void> => {
    for (let index = 0; !over.signal.aborted; index += 1) {
      const title = `event ${name} ${index}`
      const at = performance.now()
      const node = all[(name + index) % all.length]
      const answer = (await node?.ask("POST", "/api/v1/calendar/events/create", Nodes.meeting(title))) ?? null
      const error = /"error":"(\w+)"/.exec(answer?.body ?? "")?.[1]
      const said = answer === null ? "nothing" : [answer.status, ...(error === undefined ? [] : [error])].join(" ")
      asked.push({ title, said, took: performance.now() - at, at })
      if (said !== "201") await sleep(50)
    }
  }
  const ended = Promise.all(Nodes.range(clients).map(client))
  return {
    asked,
    done: () => asked.filter(({ said }) => said === "201"),
    stop: async () => {
      over.abort()
      await ended
    }
  }
}

const healths = (all: ReadonlyArray<Nodes.Node>): Promise<string> =>
  Promise.all(all.map((node) => node.ask("GET", "/health"))).then((answers) =>
    answers.map((answer) => answer?.status).join()
  )

describe.concurrent("a database that is lost under load", () => {
  it.each(losses)(
    "and %s costs nothing that was answered, and all goes on by itself",
    async (_, loss) => {
      // What was committed must outlive the processes of the database; the machine lives on.
      const server = await PostgresServer.make({ settings: { synchronous_commit: "on" } })
      try {
        await using receiver = await Receiver.open()
        await using proxy = await Proxy.open(server.url)
        await using nodes = await Nodes.open({
          server: server.url,
          // What could not be recorded meanwhile is sent again soon.
          settings: {
            FRONTDESK_DATABASE_STATEMENT_TIMEOUT: statementTimeout,
            FRONTDESK_WEBHOOK_TIMEOUT: "1 second",
            FRONTDESK_WEBHOOK_LEASE: "11 seconds"
          }
        })
        const settings = { FRONTDESK_DATABASE_URL: proxy.through(nodes.database.url) }
        const all = await Promise.all(Nodes.range(2).map(() => nodes.start({ settings })))
        const [first] = all
        if (first === undefined) return
        await Nodes.subscribe(first, receiver.url, "calendar.created")
        const { lose, restore, seconds } = loss(server, proxy)
        const { asked, done, stop } = load(all)
        const more = (than: number) =>
          Nodes.until(
            () => done().length,
            (length) => length >= than
          )

        await more(50)
        await lose()
        const lostAt = performance.now()
        await Nodes.until(
          () => healths(all),
          (said) => said === "503,503"
        )
        await sleep(outageOf(seconds) - (performance.now() - lostAt))
        await restore()
        await Nodes.until(
          () => healths(all),
          (said) => said === "200,200"
        )
        await more(done().length + 50)
        await stop()

        const failures = asked.filter(({ said }) => said !== "201")
        expect(failures.length).toBeGreaterThan(0)
        expect([...new Set(failures.map(({ said }) => said))]).toEqual(["503 service_unavailable"])
        expect(Math.max(...asked.map(({ took }) => took))).toBeLessThan(atMost + busy)
        const titles = new Set(done().map(({ title }) => title))
        const rows = await nodes.database.rows("SELECT title FROM calendar_event")
        expect(rows).toEqual(expect.arrayContaining([...titles].map((title) => ({ title }))))
        // What was not answered may have happened; nothing happened twice.
        expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length)
        await Nodes.delivered(nodes, rows.length)
        for (const node of all) {
          expect(node.hasEnded()).toBe(false)
          node.stop()
          expect(await node.ended).toEqual({ code: 0, signal: null })
        }
      } finally {
        await server.thaw().catch(() => {})
        await server.remove()
      }
    },
    180_000
  )
})
