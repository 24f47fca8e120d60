import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"
import { access } from "./initial/Access.ts"
import { calendar } from "./initial/Calendar.ts"
import { calls } from "./initial/Calls.ts"
import { contacts } from "./initial/Contacts.ts"
import { postgresHotTables, postgresRateLimits } from "./initial/HotTables.ts"
import * as RowCounts from "./initial/RowCounts.ts"
import { webhooks } from "./initial/Webhooks.ts"

/** Stores the id of the installation. */
const postgresIdentity = "INSERT INTO installation (id) VALUES (CAST(gen_random_uuid() AS text))"

const sqliteIdentity = "INSERT INTO installation (id) VALUES (lower(hex(randomblob(16))))"

/**
 * Creates every table of the first schema, one statement at a time, because a client may reject two statements in one
 * text.
 */
export const initial = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { types } = ClientDialect.of(sql)
  const statements = [
    ...access(types),
    ...contacts(types),
    ...calls(types),
    ...calendar(types),
    ...webhooks(types),
    ...sql.onDialectOrElse({
      pg: () => [...RowCounts.postgresFunctions(), ...RowCounts.postgresTriggers],
      orElse: () => RowCounts.sqliteTriggers()
    }),
    ...sql.onDialectOrElse({ pg: () => [...postgresRateLimits, ...postgresHotTables], orElse: () => [] }),
    sql.onDialectOrElse({ pg: () => postgresIdentity, orElse: () => sqliteIdentity })
  ]
  for (const statement of statements) yield* sql.unsafe(statement)
})
