import * as PostgresServer from "@frontdesk/test-postgres/PostgresServer"
import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { reports } from "../support/logLines.ts"
import * as Load from "./Load.ts"
import * as Nodes from "./Nodes.ts"

/** `FRONTDESK_OUTAGE_SECONDS` says for how long the database is away instead. */
const outageOf = (seconds: number): number => Number(process.env["FRONTDESK_OUTAGE_SECONDS"] ?? seconds) * 1_000

/** A node waits 5 seconds for a connection at most, and for an answer 2 seconds longer than a statement may take. */
const [statementTimeout, atMost] = ["1 second", 8_000]

/** How much longer that may take on a busy machine. */
const busy = 9_000

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
  ["freezes", (server) => ({ seconds: 22, lose: server.freeze, restore: server.thaw })],
  ["goes out of reach", (_, proxy) => ({ seconds: 22, lose: proxy.hold, restore: proxy.pass })]
]

/** Sees that an outage was said when it began and when it was over, and nothing of it in between. */
const expectSaidOnce = async (log: () => string): Promise<void> => {
  await Nodes.until(log, (text) => reports("storage.available").test(text))
  const lines = log()
    .trim()
    .split("\n")
    // What is slow and not lost is said of each; a machine that has other things to do is slow before and after.
    .filter((line) => !line.includes("statement timeout"))
  expect(lines).toEqual([
    expect.stringMatching(reports("storage.unavailable")),
    expect.stringMatching(reports("storage.available"))
  ])
  // A password stands in no line.
  expect(lines.join("\n")).not.toContain("postgres:")
  expect(lines.join("\n").length).toBeLessThan(1_500)
}

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
          // Leases end during the outage, and what was claimed and not sent comes soon.
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
        const { asked, kept, more, stop } = Load.start(all)

        await more(50)
        const logged = all.map((node) => node.log().length)
        await lose()
        const lostAt = performance.now()
        await Nodes.until(
          () => Load.healths(all),
          (said) => said === "503,503"
        )
        await sleep(outageOf(seconds) - (performance.now() - lostAt))
        await restore()
        await Nodes.until(
          () => Load.healths(all),
          (said) => said === "200,200"
        )
        await more(50)
        await stop()

        const failures = asked.filter(({ said }) => said !== "201")
        expect(failures.length).toBeGreaterThan(0)
        expect([...new Set(failures.map(({ said }) => said))]).toEqual(["503 service_unavailable"])
        expect(Math.max(...asked.map(({ took }) => took))).toBeLessThan(atMost + busy)
        const events = await kept(nodes)
        await Nodes.delivered(nodes, events)
        // What could not be recorded was recorded after the outage by whoever had sent it: nothing is sent twice.
        expect(receiver.requests).toHaveLength(events)
        for (const [index, node] of all.entries()) {
          await expectSaidOnce(() => node.log().slice(logged[index]))
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
