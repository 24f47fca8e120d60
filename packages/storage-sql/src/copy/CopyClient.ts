import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import * as NestedTransaction from "../storage/NestedTransaction.ts"
import type { CopyDialect } from "./CopyDialect.ts"
import { CopyFailed } from "./CopyError.ts"
import type { RawRow } from "./CopyRow.ts"
import type { CopyStatements } from "./CopyStatements.ts"
import { postgres } from "./PostgresCopyDialect.ts"
import { sqlite } from "./SqliteCopyDialect.ts"

const operation = "SqlCopy.copy"

/** The client of one of the two databases of a copy, with the dialect of that database. */
export interface CopyClient extends CopyStatements {
  readonly sql: SqlClient.SqlClient
  readonly dialect: CopyDialect
  /** Runs an effect in a transaction that the given statement begins. */
  readonly transaction: (
    begin: string
  ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | CopyFailed, R>
}

/** Returns the copy client of a SQL client. `database` names it in errors. */
export const make = (client: SqlClient.SqlClient, database: "source" | "target"): CopyClient => {
  const sql = client.withoutTransforms()
  const dialect = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  const failed = (cause: unknown): CopyFailed => new CopyFailed({ database, cause })
  const execute = (text: string, params: ReadonlyArray<unknown>) =>
    Effect.mapError(sql.unsafe<object>(text, params), failed)
  return {
    sql: client,
    dialect,
    failed,
    all: (row, text, params = []) => {
      const decode = Schema.decodeUnknownEffect(Schema.Array(row))
      return Effect.flatMap(execute(text, params), (rows) => Effect.mapError(decode(rows), failed))
    },
    run: (text, params = []) => Effect.asVoid(execute(text, params)),
    stream: (text) => Stream.mapError(sql.unsafe<RawRow>(text).stream, failed),
    transaction: (begin) => (effect) =>
      Effect.forEach(dialect.opening, (text) => execute(text, []), { discard: true }).pipe(
        Effect.andThen(effect),
        // A transaction of the other client, begun inside this one, must begin with its own statement.
        Effect.provideService(SqlClient.BeginTransaction, undefined),
        (statements) => NestedTransaction.run(sql, operation, statements),
        Effect.provideService(SqlClient.BeginTransaction, begin),
        Effect.mapError((error) => (error instanceof StorageError ? failed(error.cause) : error))
      )
  }
}
