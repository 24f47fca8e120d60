import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** A PostgreSQL database in which the tables cannot be made, or could not hold every text. */
export class UnfitDatabase extends Schema.TaggedError<UnfitDatabase>("@frontdesk/storage-sql/migrations/UnfitDatabase")(
  "UnfitDatabase",
  { message: Schema.String }
) {}

/** Says of a PostgreSQL database that only reads what helps. */
export const checkWritable = (sql: SqlClient): Effect.Effect<void, UnfitDatabase | SqlError> =>
  Effect.gen(function* () {
    const [found] = yield* sql<{ readonly: boolean; standby: boolean }>`
      SELECT current_setting('transaction_read_only') = 'on' AS readonly, pg_is_in_recovery() AS standby`
    if (found?.readonly !== true) return
    return yield* new UnfitDatabase({
      message: found.standby
        ? "it is a standby, and read-only until it is promoted; name the primary"
        : "it is read-only; name the primary, or turn default_transaction_read_only off"
    })
  })

/** Says of a PostgreSQL database without tables why it cannot have them, and what helps. */
export const check = (sql: SqlClient): Effect.Effect<void, UnfitDatabase | SqlError> =>
  Effect.gen(function* () {
    const [found] = yield* sql<{
      encoding: string
      role: string
      path: string
      schema: string | null
      create: boolean
    }>`
      SELECT current_setting('server_encoding') AS encoding, current_user AS role,
        current_setting('search_path') AS path, current_schema() AS schema,
        coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS create`
    if (found === undefined) return
    if (found.encoding !== "UTF8") {
      return yield* new UnfitDatabase({
        message: `its encoding is ${found.encoding}; make it with ENCODING 'UTF8' TEMPLATE template0`
      })
    }
    if (found.schema === null) {
      return yield* new UnfitDatabase({
        message:
          `none of the schemas of its search_path exists for the role ${found.role}: ${found.path}; make one with ` +
          "CREATE SCHEMA, or name another in search_path"
      })
    }
    if (!found.create) {
      return yield* new UnfitDatabase({
        message: `the role ${found.role} may not make tables in the schema ${found.schema}; let it own the database`
      })
    }
  })
