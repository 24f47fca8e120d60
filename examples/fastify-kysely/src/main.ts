import { Frontdesk, fromKysely } from "@frontdesk/embed"
import fastify from "fastify"
import { Kysely, PostgresDialect } from "kysely"
import { Pool } from "pg"

const pool = new Pool({ connectionString: process.env["DATABASE_URL"] })
const db = new Kysely<{ ticket: { contact_id: number; text: string } }>({ dialect: new PostgresDialect({ pool }) })
await db.schema
  .createTable("ticket")
  .ifNotExists()
  .addColumn("contact_id", "integer")
  .addColumn("text", "text")
  .execute()

const frontdesk = await Frontdesk.open({ storage: { postgres: { pool, schema: "voice" } } })
await frontdesk.provision({ accounts: [{ ref: "acme", name: "Acme" }] })

const app = fastify()

// A reverse proxy in front of the program has signed the user in, and names the user's account.
await app.register(
  frontdesk.fastify({
    basePath: "/voice",
    authenticate: ({ headers }) => {
      const accountId = headers.get("x-account")
      return accountId !== null && { accountId, permissions: ["can_read_contacts", "can_read_calendar"] }
    }
  })
)

app.post<{ Body: { name: string; text: string } }>("/tickets", async ({ body: { name, text } }, reply) => {
  const { contact, joined } = await db.transaction().execute(async (trx) => {
    const joined = frontdesk.join(fromKysely(trx))
    const contact = await joined.as("acme").contacts.create({ firstName: name })
    await trx.insertInto("ticket").values({ contact_id: contact.id, text }).execute()
    return { contact, joined }
  })
  await joined.committed()
  return reply.status(201).send(contact)
})

app.addHook("onClose", async () => {
  await frontdesk.close()
  await db.destroy()
})

console.log(await app.listen({ port: Number(process.env["PORT"] ?? 3000) }))
process.once("SIGTERM", () => void app.close())
