import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import * as NestedTransaction from "../storage/NestedTransaction.ts"
import type { CopyDialect } from "./CopyDialect.ts"
import { CopyFailed } from "./CopyError.ts"
import { postgres } from "./PostgresCopyDialect.ts"
import { sqlite } from "./SqliteCopyDialect.ts"

const operation = "SqlCopy.copy"

/** A row as the database gives it. */
export type RawRow = Readonly<Record<string, unknown>>

/** One of the two databases of a copy. */
export interface Side {
  readonly client: SqlClient.SqlClient
  readonly dialect: CopyDialect
  readonly failed: (cause: unknown) => CopyFailed
  /** The decoded rows of a statement. */
  readonly all: <A>(
    row: Schema.ConstraintDecoder<A>,
    text: string,
    params?: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<A>, CopyFailed>
  readonly run: (text: string, params?: ReadonlyArray<unknown>) => Effect.Effect<void, CopyFailed>
  /** The rows of a statement, a few at a time. */
  readonly stream: (text: string) => Stream.Stream<RawRow, CopyFailed>
  /** Runs an effect in a transaction that is begun with a statement. */
  readonly transaction: (
    begin: string
  ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | CopyFailed, R>
}

/** A client as one of the two databases. */
export const make = (client: SqlClient.SqlClient, database: "source" | "target"): Side => {
  const sql = client.withoutTransforms()
  const dialect = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  const failed = (cause: unknown): CopyFailed => new CopyFailed({ database, cause })
  const execute = (text: string, params: ReadonlyArray<unknown>) =>
    Effect.mapError(sql.unsafe<object>(text, params), failed)
  return {
    client,
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
        // What is begun inside, of another client, begins as that client does.
        Effect.provideService(SqlClient.BeginTransaction, undefined),
        (statements) => NestedTransaction.run(sql, operation, statements),
        Effect.provideService(SqlClient.BeginTransaction, begin),
        Effect.mapError((error) => (error instanceof StorageError ? failed(error.cause) : error))
      )
  }
}
