import { withProgram } from "@frontdesk/test-postgres/withProgram"
import { readFileSync } from "node:fs"
import { Client } from "pg"
import { expect, it } from "vitest"

const main = new URL("../src/main.ts", import.meta.url)

const lead = { name: "Jo", note: "Wants a demo", start: "2099-03-02T10:00:00", end: "2099-03-02T10:30:00" }

it("the program stores its own rows and those of Frontdesk together, and serves the API to its users", () =>
  withProgram(main, async ({ databaseUrl, url }) => {
    const post = (body: object) =>
      fetch(`${url}/leads`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" }
      })
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    const notes = async (): Promise<ReadonlyArray<object>> =>
      (await client.query<object>("SELECT contact_id, text FROM crm_note")).rows
    const contacts = async (cookie: string) =>
      (await fetch(`${url}/voice/api/v1/contacts`, { headers: { cookie } })).json()
    try {
      expect(await (await post(lead)).json()).toMatchObject({
        contact: { id: 1, firstName: "Jo" },
        event: { title: "Call Jo", startTime: "2099-03-02T09:00:00.000Z" }
      })
      // The event ends before it begins, so neither the contact nor the note of the lead is stored.
      expect((await post({ ...lead, name: "Al", end: lead.start })).status).toBe(400)
      expect(await notes()).toEqual([{ contact_id: 1, text: "Wants a demo" }])
      expect(await contacts("session=jo")).toMatchObject({ count: 1, contacts: [{ id: 1, first_name: "Jo" }] })
      expect(await contacts("session=other")).toMatchObject({ error: "authentication_required" })
    } finally {
      await client.end()
    }
  }))

it("the README shows the program as it is", () => {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8")
  expect(readme).toContain(readFileSync(main, "utf8"))
})
