import * as PostgresServer from "@frontdesk/test-postgres/PostgresServer"
import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { describe, expect, it } from "vitest"
import * as Load from "./Load.ts"
import * as Nodes from "./Nodes.ts"

describe("a failover to a standby under load", () => {
  it("loses no answered request with synchronous replication, and servers find the new primary by themselves", async () => {
    // Each commit waits for the standby, and data outlives the processes of both servers.
    const primary = await PostgresServer.make({
      settings: { synchronous_commit: "on", synchronous_standby_names: "*" }
    })
    const standby = await primary.makeStandby()
    try {
      await using receiver = await Receiver.open()
      await using address = await Proxy.open(primary.url)
      await using nodes = await Nodes.open({
        server: address.through(primary.url),
        // With a short lease, deliveries whose result could not be recorded are soon sent again.
        settings: { FRONTDESK_WEBHOOK_TIMEOUT: "1 second", FRONTDESK_WEBHOOK_LEASE: "11 seconds" }
      })
      const all = await Promise.all(Nodes.range(2).map(() => nodes.start()))
      const [first] = all
      if (first === undefined) return
      await Nodes.subscribe(first, receiver.url, "calendar.created")
      const { sent, expectStored, more, stop } = Load.start(all)
      await more(50)
      await primary.crash()
      await Nodes.until(
        () => Load.healths(all),
        (result) => result === "503,503"
      )

      // The address leads to the standby before the standby is promoted.
      address.lead(standby.url)
      const before = sent.length
      await Nodes.until(
        () => sent.slice(before).filter(({ result }) => result === "503 service_unavailable").length,
        (count) => count > 20
      )
      // The standby answers reads, but GET /health must report that it accepts no writes.
      expect(await Load.healths(all)).toBe("503,503")
      await expect(nodes.start()).rejects.toThrow(/it is a standby, and read-only until it is promoted/)

      await nodes.database.rows("SELECT pg_promote()")
      await Nodes.until(
        () => Load.healths(all),
        (result) => result === "200,200"
      )
      await more(50)
      await stop()
      expect(new Set(sent.map(({ result }) => result))).toEqual(new Set(["201", "503 service_unavailable"]))
      await Nodes.delivered(nodes, await expectStored(nodes))
      for (const node of all) {
        node.stop()
        expect(await node.ended).toEqual({ code: 0, signal: null })
      }
    } finally {
      await Promise.all([primary.remove(), standby.remove()])
    }
  }, 180_000)
})
