import { DatabaseSync } from "node:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Frontdesk } from "@frontdesk/embed"
import { describe, expect, it } from "vitest"
import { document } from "../opened.ts"

const times = { startTime: "2030-03-04T10:00:00Z", endTime: "2030-03-04T10:30:00Z" }

describe("the contact for whom an agent booked a calendar event", () => {
  it("is stored and kept by every write, and shown by no method", async () => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-embed-"))
    const sqlite = join(folder, "frontdesk.db")
    const frontdesk = await Frontdesk.open({ storage: { sqlite }, workers: false })
    const database = new DatabaseSync(sqlite)
    try {
      await frontdesk.provision(document)
      const { calendar, contacts } = frontdesk.as("acme")
      const contact = await contacts.create({ firstName: "Jo" })
      const created = await calendar.create({ title: "Visit", ...times })
      database.prepare("UPDATE calendar_event SET contact_id = ? WHERE id = ?").run(contact.id, created.id)
      const shown = [
        created,
        await calendar.get(created.id),
        ...(await calendar.list()).items,
        ...(await calendar.events()).items,
        ...(await Array.fromAsync(calendar.list())),
        await calendar.put(created.id, { title: "Moved", startTime: "2030-03-04T10:10:00Z" }),
        await calendar.patch(created.id, { customerName: "Zoë" }),
        await calendar.resolveCopy(created.id, "google", { resolution: "overwrite" }),
        (await calendar.cancel(created.id, { reason: "ill" })).event
      ]
      expect(shown).toHaveLength(9)
      const fields = Object.keys(created)
      expect(fields).toHaveLength(26)
      expect(fields).not.toContain("contactId")
      for (const event of shown) expect(Object.keys(event)).toEqual(fields)
      const stored = database.prepare("SELECT contact_id, title, customer_name, status FROM calendar_event").all()
      expect(stored.map((row) => ({ ...row }))).toEqual([
        { contact_id: contact.id, title: "Moved", customer_name: "Zoë", status: "cancelled" }
      ])
    } finally {
      database.close()
      await frontdesk.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
