import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * A database cannot be migrated: its tables are gone, it is read-only, it cannot have the tables, or its encoding
 * cannot store every text. The message says why and what to do.
 */
export class UnfitDatabase extends Schema.TaggedError<UnfitDatabase>("@frontdesk/storage-sql/migrations/UnfitDatabase")(
  "UnfitDatabase",
  { message: Schema.String }
) {}

/** Fails for a PostgreSQL database that is read-only. */
export const checkWritable = (sql: SqlClient): Effect.Effect<void, UnfitDatabase | SqlError> =>
  Effect.gen(function* () {
    const [found] = yield* sql<{ readonly: boolean; standby: boolean }>`
      SELECT current_setting('transaction_read_only') = 'on' AS readonly, pg_is_in_recovery() AS standby`
    if (found?.readonly !== true) return
    return yield* new UnfitDatabase({
      message: found.standby
        ? "it is a standby, and read-only until it is promoted; connect to the primary"
        : "it is read-only; connect to the primary, or turn default_transaction_read_only off"
    })
  })

/**
 * Fails when the migrations cannot create the tables in a new PostgreSQL database (D-PG-26). Its encoding must be
 * UTF-8, it must have a schema, and the role must be able to create tables in that schema.
 */
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
        message: `its encoding is ${found.encoding}; create it with ENCODING 'UTF8' TEMPLATE template0`
      })
    }
    if (found.schema === null) {
      return yield* new UnfitDatabase({
        message:
          `no schema of its search_path exists for the role ${found.role}: ${found.path}; create one with ` +
          "CREATE SCHEMA, or put another one into search_path"
      })
    }
    if (!found.create) {
      return yield* new UnfitDatabase({
        message: `the role ${found.role} cannot create tables in the schema ${found.schema}; make it the owner of the database`
      })
    }
  })
