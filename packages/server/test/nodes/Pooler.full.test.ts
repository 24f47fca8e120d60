import * as PgBouncer from "@frontdesk/test-postgres/PgBouncer"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { describe, expect, inject, it } from "vitest"
import * as Load from "./Load.ts"
import * as Nodes from "./Nodes.ts"

const sessions =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"

/** Those that listen, past the pooler: one in it would hear for others. */
const listening = `${sessions} AND query LIKE 'LISTEN %'`

describe.skipIf(PgBouncer.path === undefined)(`nodes behind PgBouncer in transaction mode${PgBouncer.skipped}`, () => {
  it("lose nothing that was answered when it crashes under load, and go on by themselves", async () => {
    const server = inject("postgresUrl")
    const pooler = await PgBouncer.make(server)
    try {
      await using receiver = await Receiver.open()
      await using nodes = await Nodes.open()
      const settings = {
        FRONTDESK_DATABASE_URL: pooler.through(nodes.database.url),
        FRONTDESK_DATABASE_POOLER: "transaction",
        FRONTDESK_DATABASE_LISTEN_URL: nodes.database.url,
        FRONTDESK_RATE_LIMIT: "100000/1 hour",
        // What could not be recorded meanwhile is sent again soon.
        FRONTDESK_WEBHOOK_TIMEOUT: "1 second",
        FRONTDESK_WEBHOOK_LEASE: "11 seconds"
      }
      await expect(
        nodes.start({ settings: { ...settings, FRONTDESK_DATABASE_POOLER: "none", FRONTDESK_DATABASE_LISTEN_URL: "" } })
      ).rejects.toThrow(
        /unsupported startup parameter.*set --database-pooler \(FRONTDESK_DATABASE_POOLER\) to "transaction"/
      )
      const all = await Promise.all(Nodes.range(2).map(() => nodes.start({ settings })))
      const [first] = all
      if (first === undefined) return
      await Nodes.until(
        () => Nodes.count(nodes, listening),
        (count) => count === all.length
      )
      await Nodes.subscribe(first, receiver.url, "calendar.created")
      const { asked, kept, more, stop } = Load.start(all)
      for (const _ of Nodes.range(2)) {
        await more(50)
        await pooler.crash()
        await Nodes.until(
          () => Load.healths(all),
          (said) => said === "503,503"
        )
        await pooler.start()
      }
      await more(50)
      await stop()

      expect(new Set(asked.map(({ said }) => said))).toEqual(new Set(["201", "503 service_unavailable"]))
      await Nodes.delivered(nodes, await kept(nodes))
      expect(new Set(nodes.deeds("send").map(({ pid }) => pid))).toEqual(new Set(all.map(({ pid }) => pid)))
      for (const node of all) {
        node.stop()
        expect(await node.ended).toEqual({ code: 0, signal: null })
      }
      // The pooler keeps its sessions; none of them is in a transaction of a server that is gone.
      expect(await Nodes.count(nodes, `${sessions} AND state <> 'idle' AND pid <> pg_backend_pid()`)).toBe(0)
      expect(await Nodes.count(nodes, listening)).toBe(0)
    } finally {
      await pooler.remove()
    }
  }, 180_000)
})
