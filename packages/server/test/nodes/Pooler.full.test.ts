import * as PgBouncer from "@frontdesk/test-postgres/PgBouncer"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { describe, expect, inject, it } from "vitest"
import * as Load from "./Load.ts"
import * as Nodes from "./Nodes.ts"

const sessions =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"

/** The listening sessions. They avoid the pooler, in which a session would receive the notifications of others. */
const listening = `${sessions} AND query LIKE 'LISTEN %'`

describe.skipIf(PgBouncer.path === undefined)(`nodes behind PgBouncer in transaction mode${PgBouncer.skipped}`, () => {
  it("lose no answered request when the pooler crashes under load, and recover by themselves", async () => {
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
        // With a short lease, deliveries whose result could not be recorded are soon sent again.
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
      const { sent, expectStored, more, stop } = Load.start(all)
      for (const _ of Nodes.range(2)) {
        await more(50)
        await pooler.crash()
        await Nodes.until(
          () => Load.healths(all),
          (result) => result === "503,503"
        )
        await pooler.start()
      }
      await more(50)
      await stop()

      expect(new Set(sent.map(({ result }) => result))).toEqual(new Set(["201", "503 service_unavailable"]))
      await Nodes.delivered(nodes, await expectStored(nodes))
      expect(new Set(nodes.traced("send").map(({ pid }) => pid))).toEqual(new Set(all.map(({ pid }) => pid)))
      for (const node of all) {
        node.stop()
        expect(await node.ended).toEqual({ code: 0, signal: null })
      }
      // The pooler keeps its sessions open, but none may be in a transaction of a node that has ended.
      expect(await Nodes.count(nodes, `${sessions} AND state <> 'idle' AND pid <> pg_backend_pid()`)).toBe(0)
      expect(await Nodes.count(nodes, listening)).toBe(0)
    } finally {
      await pooler.remove()
    }
  }, 180_000)
})
