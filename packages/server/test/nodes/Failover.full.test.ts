import * as PostgresServer from "@frontdesk/test-postgres/PostgresServer"
import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { describe, expect, it } from "vitest"
import * as Load from "./Load.ts"
import * as Nodes from "./Nodes.ts"

describe("a failover to a standby under load", () => {
  it("loses nothing that was answered when it was in step, and servers find the new primary by themselves", async () => {
    // A commit waits until the standby has it too; what either has written outlives its processes.
    const primary = await PostgresServer.make({
      settings: { synchronous_commit: "on", synchronous_standby_names: "*" }
    })
    const standby = await primary.makeStandby()
    try {
      await using receiver = await Receiver.open()
      await using address = await Proxy.open(primary.url)
      await using nodes = await Nodes.open({
        server: address.through(primary.url),
        // What could not be recorded meanwhile is sent again soon.
        settings: { FRONTDESK_WEBHOOK_TIMEOUT: "1 second", FRONTDESK_WEBHOOK_LEASE: "11 seconds" }
      })
      const all = await Promise.all(Nodes.range(2).map(() => nodes.start()))
      const [first] = all
      if (first === undefined) return
      await Nodes.subscribe(first, receiver.url, "calendar.created")
      const { asked, kept, more, stop } = Load.start(all)
      await more(50)
      await primary.crash()
      await Nodes.until(
        () => Load.healths(all),
        (said) => said === "503,503"
      )

      // The address may lead to the standby before that has been promoted.
      address.lead(standby.url)
      const before = asked.length
      await Nodes.until(
        () => asked.slice(before).filter(({ said }) => said === "503 service_unavailable").length,
        (count) => count > 20
      )
      // It answers what reads, and is ready for nothing else.
      expect(await Load.healths(all)).toBe("503,503")
      await expect(nodes.start()).rejects.toThrow(/it is a standby, and read-only until it is promoted/)

      await nodes.database.rows("SELECT pg_promote()")
      await Nodes.until(
        () => Load.healths(all),
        (said) => said === "200,200"
      )
      await more(50)
      await stop()
      expect(new Set(asked.map(({ said }) => said))).toEqual(new Set(["201", "503 service_unavailable"]))
      await Nodes.delivered(nodes, await kept(nodes))
      for (const node of all) {
        node.stop()
        expect(await node.ended).toEqual({ code: 0, signal: null })
      }
    } finally {
      await Promise.all([primary.remove(), standby.remove()])
    }
  }, 180_000)
})
