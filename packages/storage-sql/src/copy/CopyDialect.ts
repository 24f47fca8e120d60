import type * as Effect from "effect/Effect"
import type { CopyFailed, ValueProblem } from "./CopyError.ts"
import type { Row } from "./CopyRow.ts"
import type { Side } from "./CopySide.ts"

/** What a column holds. SQLite knows of integers, texts and bytes alone. */
export type Kind = "integer" | "flag" | "time" | "text" | "json" | "bytes"

/** A column of a table. */
export interface Column {
  readonly name: string
  readonly kind: Kind
  /** Whether it is part of the primary key. */
  readonly isKey: boolean
  /** Whether the database counts it up and never gives a value twice. */
  readonly isCounted: boolean
}

/** A table with its columns in order. */
export interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<Column>
}

/** All in which the dialects differ when an installation is copied. */
export interface CopyDialect {
  /** Begins a transaction that sees one state of the database from its first read to its end. */
  readonly beginRead: string
  /** Begins a transaction that sees what others committed before each of its statements. */
  readonly beginWrite: string
  /** What a transaction begins with: it may last. */
  readonly opening: ReadonlyArray<string>
  /** Asks for a `place` that no other database has; NULL when nobody else can open this one. */
  readonly place: string
  /** Asks for the `table`, `column`, `type`, `is_key` and `is_counted` of every column. */
  readonly columns: string
  /** What columns of a type hold; undefined for one that is not used. */
  readonly kind: (type: string) => Kind | undefined
  /** Asks for the `table` and the `high`est number given of all that count. */
  readonly highs: string
  /** A column as text, as every database writes it. */
  readonly read: (column: Column) => string
  /** Why the database would refuse a value. */
  readonly problem: (kind: Kind, value: string) => ValueProblem | undefined
  /** Keeps everybody else away from tables. */
  readonly hold: (side: Side, tables: ReadonlyArray<Table>) => Effect.Effect<void, CopyFailed>
  /**
   * Empties tables, and has them take rows in any order and as they are. The answer puts back what is off until then,
   * and has the next numbers begin above the highest given.
   */
  readonly empty: (
    side: Side,
    tables: ReadonlyArray<Table>
  ) => Effect.Effect<(highs: ReadonlyMap<string, bigint>) => Effect.Effect<void, CopyFailed>, CopyFailed>
  /** Adds rows to a table. */
  readonly insert: (side: Side, table: Table) => (rows: ReadonlyArray<Row>) => Effect.Effect<void, CopyFailed>
}

/** A name in a statement. */
export const quoted = (name: string): string => `"${name}"`

/** Names in a statement, separated by commas. */
export const list = (named: ReadonlyArray<{ readonly name: string }>): string =>
  named.map(({ name }) => quoted(name)).join(", ")
