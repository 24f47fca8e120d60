import * as PostgresServer from "@frontdesk/test-postgres/PostgresServer"
import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { reports } from "../support/logLines.ts"
import * as Load from "./Load.ts"
import * as Nodes from "./Nodes.ts"

/** Returns the length of the outage in milliseconds. `FRONTDESK_OUTAGE_SECONDS` overrides the given one. */
const outageMillis = (seconds: number): number => Number(process.env["FRONTDESK_OUTAGE_SECONDS"] ?? seconds) * 1_000

/**
 * The statement timeout, and the resulting maximum time of a request in milliseconds: 5 seconds for a connection, the
 * statement timeout, and 2 seconds more for the answer of the database.
 */
const [statementTimeout, maxRequestTime] = ["1 second", 8_000]

/** The additional time that a request may take on a busy machine, in milliseconds. */
const busyTime = 9_000

/** A kind of outage. */
interface Outage {
  /** The length in seconds. If the database does not answer, it is longer than the maximum time of a request. */
  readonly seconds: number
  readonly lose: () => Promise<void> | void
  readonly restore: () => Promise<void> | void
}

type MakeOutage = (server: PostgresServer.PostgresServer, proxy: Proxy.Proxy) => Outage

const outages: ReadonlyArray<readonly [name: string, outage: MakeOutage]> = [
  ["crashes", (server) => ({ seconds: 4, lose: server.crash, restore: server.start })],
  ["freezes", (server) => ({ seconds: 22, lose: server.freeze, restore: server.thaw })],
  ["becomes unreachable", (_, proxy) => ({ seconds: 22, lose: proxy.hold, restore: proxy.pass })]
]

/** Checks that the log has one line for the begin of an outage, one for its end, and only slow statements otherwise. */
const expectLoggedOnce = async (log: () => string): Promise<void> => {
  await Nodes.until(log, (text) => reports("storage.available").test(text))
  const lines = log()
    .trim()
    .split("\n")
    // Each slow statement is logged too, and on a busy machine statements are slow before and after the outage.
    .filter((line) => !line.includes("statement timeout"))
  expect(lines).toEqual([
    expect.stringMatching(reports("storage.unavailable")),
    expect.stringMatching(reports("storage.available"))
  ])
  // No line may have the URL of the database, which contains the password.
  expect(lines.join("\n")).not.toContain("postgres:")
  expect(lines.join("\n").length).toBeLessThan(1_500)
}

describe.concurrent("nodes under load whose database", () => {
  it.each(outages)(
    "%s lose no answered request and recover by themselves",
    async (_, makeOutage) => {
      // Committed data must outlive the processes of the database.
      const server = await PostgresServer.make({ settings: { synchronous_commit: "on" } })
      try {
        await using receiver = await Receiver.open()
        await using proxy = await Proxy.open(server.url)
        await using nodes = await Nodes.open({
          server: server.url,
          // With a short lease, deliveries that were claimed before the outage and not sent are sent soon after it.
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
        const { lose, restore, seconds } = makeOutage(server, proxy)
        const { sent, expectStored, more, stop } = Load.start(all)

        await more(50)
        const logged = all.map((node) => node.log().length)
        await lose()
        const lostAt = performance.now()
        await Nodes.until(
          () => Load.healths(all),
          (result) => result === "503,503"
        )
        await sleep(outageMillis(seconds) - (performance.now() - lostAt))
        await restore()
        await Nodes.until(
          () => Load.healths(all),
          (result) => result === "200,200"
        )
        await more(50)
        await stop()

        const failures = sent.filter(({ result }) => result !== "201")
        expect(failures.length).toBeGreaterThan(0)
        expect([...new Set(failures.map(({ result }) => result))]).toEqual(["503 service_unavailable"])
        expect(Math.max(...sent.map(({ took }) => took))).toBeLessThan(maxRequestTime + busyTime)
        const events = await expectStored(nodes)
        await Nodes.delivered(nodes, events)
        // A node records deferred results after the outage, so nothing is sent twice.
        expect(receiver.requests).toHaveLength(events)
        for (const [index, node] of all.entries()) {
          await expectLoggedOnce(() => node.log().slice(logged[index]))
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
