import { Frontdesk } from "@frontdesk/embed"
import express from "express"
import { Pool } from "pg"

const pool = new Pool({ connectionString: process.env["DATABASE_URL"] })
await pool.query("CREATE TABLE IF NOT EXISTS crm_note (contact_id integer, text text)")

const frontdesk = await Frontdesk.open({
  storage: { postgres: { pool, schema: "voice" } },
  webhooks: { headerPrefix: "X-Acme-" }
})
await frontdesk.provision({ accounts: [{ ref: "acme", name: "Acme", time_zone: "Europe/Berlin" }] })

const app = express()
const users = new Map([["session=jo", { id: 1, account: "acme" }]]) // stands for the program's own sign-in

app.use(
  "/voice",
  frontdesk.express({
    basePath: "/voice",
    authenticate: (request) => {
      const user = users.get(request.headers.get("cookie") ?? "")
      return user && { accountId: user.account, permissions: ["*"], rateKey: `user:${user.id}` }
    }
  })
)

app.post("/leads", express.json(), async (request, response) => {
  const { name, note, start, end } = request.body
  const lead = await frontdesk.transaction(async ({ as, client }) => {
    const { calendar, contacts } = as("acme")
    const contact = await contacts.create({ firstName: name })
    await client.query("INSERT INTO crm_note VALUES ($1, $2)", [contact.id, note])
    return { contact, event: await calendar.create({ title: `Call ${name}`, startTime: start, endTime: end }) }
  })
  response.status(201).json(lead)
})

const server = app.listen(Number(process.env["PORT"] ?? 3000), () => {
  const address = server.address()
  console.log(`http://localhost:${typeof address === "string" ? address : address?.port}/voice/docs`)
})

process.once("SIGTERM", () => {
  server.close()
  void frontdesk.close({ within: "10s" }).then(() => pool.end())
})
