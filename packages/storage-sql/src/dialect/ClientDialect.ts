import type { SqlClient } from "effect/sql/SqlClient"
import type { Dialect } from "./Dialect.ts"
import { postgres } from "./PostgresDialect.ts"
import { sqlite } from "./SqliteDialect.ts"

/** Returns the dialect of the database that a client is connected to. */
export const of = (sql: SqlClient): Dialect => sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
