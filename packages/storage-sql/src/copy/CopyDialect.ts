import type * as Effect from "effect/Effect"
import type { CopyFailed, ValueProblem } from "./CopyError.ts"
import type { Row } from "./CopyRow.ts"
import type { CopyStatements } from "./CopyStatements.ts"
import type { Column, Kind, Table } from "./CopyTable.ts"

/** Everything in which the databases differ when an installation is copied. */
export interface CopyDialect {
  /** Begins a transaction that sees one state of the database from its first read to its end. */
  readonly beginRead: string
  /** Begins a transaction in which each statement sees what other transactions committed before it. */
  readonly beginWrite: string
  /**
   * The first statements of a transaction. In PostgreSQL they let the transaction take long, and limit its waits for
   * locks. In SQLite they make it check references at its end.
   */
  readonly opening: ReadonlyArray<string>
  /** Reads a `place` that no other database has. It is NULL when only the client itself can open the database. */
  readonly place: string
  /** Reads `table`, `column`, `type`, `is_key` and `is_generated` of every column. */
  readonly columns: string
  /** Returns the kind of the columns of a type, or undefined for a type that Frontdesk does not use. */
  readonly kind: (type: string) => Kind | undefined
  /** Reads the `table` and the `highest` generated id of each table with generated ids. */
  readonly highestIds: string
  /** Returns the expression that reads a column as text, in the form that all databases share. */
  readonly read: (column: Column) => string
  /** Returns why the database would reject a value, or undefined. */
  readonly problem: (kind: Kind, value: string) => ValueProblem | undefined
  /** Locks tables against all other transactions. */
  readonly lock: (target: CopyStatements, tables: ReadonlyArray<Table>) => Effect.Effect<void, CopyFailed>
  /**
   * Deletes all rows of tables, and switches off triggers and references, so that rows can be added in any order.
   * Returns an effect that switches them on again, and makes the next generated ids begin above the highest ids.
   */
  readonly empty: (
    target: CopyStatements,
    tables: ReadonlyArray<Table>
  ) => Effect.Effect<(highestIds: ReadonlyMap<string, bigint>) => Effect.Effect<void, CopyFailed>, CopyFailed>
  /** Adds rows to a table. */
  readonly insert: (
    target: CopyStatements,
    table: Table
  ) => (rows: ReadonlyArray<Row>) => Effect.Effect<void, CopyFailed>
}
