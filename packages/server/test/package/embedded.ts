/** A program as a user writes it, who knows nothing of Effect. */
import process from "node:process"
import { type CalendarEvent, type Contact, Frontdesk } from "@frontdesk/embed"

const frontdesk = await Frontdesk.open({ storage: { sqlite: "embedded.db" } })
const { accounts } = await frontdesk.provision({ accounts: [{ ref: "acme", name: "Acme" }] })
const { calendar, contacts } = frontdesk.as(accounts["acme"] ?? 0)
const created = await contacts.create({ firstName: "Jo" })
const contact: Contact = await contacts.patch(created.id, { customContext: { plan: "pro" } })
const event: CalendarEvent = await calendar.create({
  title: `Visit of ${contact.firstName}`,
  startTime: new Date("2099-03-02T10:00:00Z"),
  endTime: "2099-03-02T10:30:00Z"
})
const missing = await contacts.get(999).catch((error: unknown) => (Frontdesk.isError(error) ? error.code : ""))
process.stdout.write(`${event.title}, ${event.startTime}, ${typeof missing === "string" ? missing : missing.id}\n`)
await frontdesk.close()
