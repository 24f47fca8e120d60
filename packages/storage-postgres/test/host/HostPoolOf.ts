import * as Effect from "effect/Effect"
import { Pool } from "pg"

/** Settings of a host that would make our statements fail, or return other values, if they were used. */
const hostileOptions = [
  "-c TimeZone=Asia/Tokyo",
  "-c DateStyle=German",
  "-c bytea_output=escape",
  "-c search_path=pg_catalog",
  "-c default_transaction_isolation=serializable",
  "-c statement_timeout=7s"
].join(" ")

/** Opens a pool of node-postgres, as a host has it: with settings and parsers of its own. */
export const make = (url: string, max = 10) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const types = { getTypeParser: () => (value: unknown) => `parsed by the host: ${String(value)}` }
      // Tests end the connections of their databases.
      return new Pool({ connectionString: url, max, options: hostileOptions, types }).on("error", () => {})
    }),
    (pool) => Effect.promise(() => pool.end())
  )
