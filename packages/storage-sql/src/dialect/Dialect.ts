import type * as DateTime from "effect/DateTime"
import type { SqlClient } from "effect/sql/SqlClient"
import { postgres } from "./PostgresDialect.ts"
import { sqlite } from "./SqliteDialect.ts"

/** What a column holds. */
export type ColumnType = "integer" | "text" | "flag" | "time"

/** Types of columns, as `CREATE TABLE` takes them. */
export interface ColumnTypes {
  /** A primary key that the database counts up and never gives twice. */
  readonly id: string
  /** A primary key whose rows only the storage knows: the database counts it up. */
  readonly key: string
  /** A whole number within ±(2^53 − 1): references, money, counts. */
  readonly integer: string
  /** A text, compared and ordered by its code points, whatever the language of the database. */
  readonly text: string
  readonly flag: string
  /** A text that the database makes up for each row that is written, and that no other row has. */
  readonly token: string
  /** An instant with milliseconds. */
  readonly time: string
  /** A JSON document. */
  readonly json: string
  readonly bytes: string
  /** What follows the closing parenthesis of a table. */
  readonly table: string
}

/** All in which the dialects differ; every repository is written once on top of it. */
export interface Dialect {
  readonly types: ColumnTypes
  /** Whether transactions that write run at the same time; if not, each excludes every other. */
  readonly isConcurrent: boolean
  /** A statement with parameters `?1`, `?2` as the database wants it. */
  readonly text: (statement: string) => string
  /**
   * Rows in the one form the row schemas know: integers as numbers, flags as 1 and 0, instants as epoch milliseconds,
   * JSON as text.
   */
  readonly rows: (rows: ReadonlyArray<object>) => ReadonlyArray<object>
  /** An instant as a parameter. */
  readonly time: (instant: DateTime.Utc) => number | string
  /** A parameter that is an instant, where the statement does not show it. */
  readonly instant: (parameter: string) => string
  /** A text that is to be kept as a document, where the statement does not show it. */
  readonly document: (text: string) => string
  /** The numbers of a JSON array, `(…)` to stand after `IN`. */
  readonly numbers: (parameter: string) => string
  /** Whether a column is one of the numbers of a JSON array, so that an index finds it also beside an `OR`. */
  readonly isOneOf: (column: string, parameter: string) => string
  /** Whether a column is one of the texts of a JSON array, so that an index finds them one by one. */
  readonly isOneOfTexts: (column: string, parameter: string) => string
  /**
   * A `SELECT` as one of several that are merged by an order until a page is full; `last` is how many rows that takes at
   * most.
   */
  readonly branch: (select: string, order: string, last: string) => string
  /** The objects of a JSON array as a table of that name, to stand after `FROM`. */
  readonly records: (name: string, parameter: string, columns: Readonly<Record<string, ColumnType>>) => string
  /** Whether a column with a JSON array of texts holds a text. */
  readonly holds: (column: string, parameter: string) => string
  /** Rows of a subquery as one JSON array of arrays or values. */
  readonly collect: (values: ReadonlyArray<string>, order: string) => string
  /** How many bytes a column takes as it is stored, told without reading them; null for NULL. */
  readonly storedBytes: (column: string) => string
  /** How many bytes of UTF-8 a text or a document has, told without sending it; null for NULL. */
  readonly textBytes: (column: string) => string
  /** Whether a text occurs in a column. */
  readonly occurs: (column: string, parameter: string) => string
  /** Holds the rows of a `SELECT` until the transaction ends; "" where a transaction excludes every other anyway. */
  readonly forUpdate: (alias: string) => string
  /**
   * Keeps the rows of a `SELECT` from being deleted until the transaction ends, for who adds rows that refer to them.
   */
  readonly forReference: (alias: string) => string
  /** The same as `forUpdate` for rows that may be deleted: nobody adds a row that refers to one of them either. */
  readonly forDelete: (alias: string) => string
  /**
   * A condition that is true of the rows of a table that meet another one, and holds them all in the order of their ids
   * before the first is changed: so nobody waits for somebody who waits for him. The same condition where a transaction
   * excludes every other anyway.
   */
  readonly heldInOrder: (table: string, condition: string) => string
  /** Leaves out rows that another transaction holds; "" where there is never such a transaction. */
  readonly skipLocked: string
  /** A statement that makes other transactions that lock the same name and number wait; null where they wait anyway. */
  readonly lock: string | null
}

/** The dialect of a client. */
export const of = (sql: SqlClient): Dialect => sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
