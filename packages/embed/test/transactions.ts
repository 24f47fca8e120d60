import { Frontdesk } from "@frontdesk/embed"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { Pool } from "pg"
import { document } from "./opened.ts"

/** A program with a pool of its own and a table of its own, and Frontdesk on the pool. */
export interface Host {
  readonly pool: Pool
  readonly frontdesk: Frontdesk
}

/** Runs a test with a {@link Host}. */
export const withHost = async (test: (host: Host) => Promise<void>, workers = false): Promise<void> => {
  const scope = Scope.makeUnsafe()
  try {
    const url = await Effect.runPromise(Effect.provideService(TestDatabase.make, Scope.Scope, scope))
    const pool = new Pool({ connectionString: url, max: 5, options: "-c TimeZone=Asia/Tokyo -c DateStyle=German" })
    // The database is dropped while the pool closes its connections.
    pool.on("error", () => {})
    await pool.query("CREATE TABLE crm_note (text text)")
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
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
