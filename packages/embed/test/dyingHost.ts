// Commits a calendar event in a transaction of the program and dies before it could say so: its argument is a database.
import process from "node:process"
import { Frontdesk } from "@frontdesk/embed"
import { Pool } from "pg"
import { visit } from "./samples.ts"

const pool = new Pool({ connectionString: process.argv[2] ?? "" })
const frontdesk = await Frontdesk.open({ storage: { postgres: { pool, schema: "voice" } }, workers: false })
const client = await pool.connect()
await client.query("BEGIN")
await frontdesk.join(client).as("acme").calendar.create(visit)
await client.query("COMMIT")
process.kill(process.pid, "SIGKILL")
