import { Frontdesk } from "@frontdesk/embed"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { withDatabase } from "@frontdesk/test-postgres/withDatabase"
import { Pool } from "pg"
import { document } from "./opened.ts"

/** A program with a pool of its own and a table of its own, and Frontdesk on the pool. */
export interface Host {
  readonly pool: Pool
  readonly frontdesk: Frontdesk
}

/** Runs a test with a {@link Host}, in a database in which an earlier test may have made the tables. */
export const withHost = (test: (host: Host) => Promise<void>, workers = false): Promise<void> =>
  withDatabase(async (url) => {
    const pool = new Pool({ connectionString: url, max: 5, options: "-c TimeZone=Asia/Tokyo -c DateStyle=German" })
    // The database is dropped while the pool closes its connections.
    pool.on("error", () => {})
    await pool.query("DROP TABLE IF EXISTS crm_note; CREATE TABLE crm_note (text text)")
    const frontdesk = await Frontdesk.open({
      storage: { postgres: { pool, schema: "voice" } },
      workers,
      webhooks: { allowInsecure: true }
    })
    try {
      await frontdesk.provision(document)
      await test({ pool, frontdesk })
    } finally {
      await frontdesk.close()
      await pool.end()
    }
  }, TestDatabase.withTablesInSchema("voice"))

/** Returns how many rows the table of the program has. */
export const notes = async (pool: Pool): Promise<number> =>
  Number((await pool.query<{ count: string }>("SELECT count(*) FROM crm_note")).rows[0]?.count)
