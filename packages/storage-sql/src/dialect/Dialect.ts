import type * as DateTime from "effect/DateTime"

/** The kind of value in a column of a JSON record. */
export type ColumnType = "integer" | "text" | "flag" | "time"

/** The SQL types of columns, for `CREATE TABLE`. */
export interface ColumnTypes {
  /** A primary key that the database generates, ascending and never twice. */
  readonly id: string
  /** A generated primary key that is never shown outside the storage. SQLite may reuse the keys of deleted rows. */
  readonly key: string
  /** A whole number within ±(2^53 − 1), for references, money and counts. */
  readonly integer: string
  /** A text that is compared and ordered by its code points, whatever the language of the database is. */
  readonly text: string
  /** A boolean; 1 and 0 in SQLite. */
  readonly flag: string
  /** A unique text that the database generates for each new row. */
  readonly token: string
  /** An instant with milliseconds. */
  readonly time: string
  /** A JSON document. */
  readonly json: string
  /** A sequence of bytes. */
  readonly bytes: string
  /** The text that follows the closing parenthesis of `CREATE TABLE`. */
  readonly table: string
}

/** Everything in which the databases differ. Each store is written once on top of it. */
export interface Dialect {
  /** The types of columns. */
  readonly types: ColumnTypes
  /** Whether transactions that write are concurrent. If not, each excludes every other one. */
  readonly isConcurrent: boolean
  /** Returns a statement with parameters `?1`, `?2` in the notation of the database. */
  readonly text: (statement: string) => string
  /**
   * Converts a value of the client to the form that row schemas decode: integers as numbers, flags as 1 and 0, instants
   * as epoch milliseconds, JSON as text. Null where the client already returns that form.
   */
  readonly toStored: ((value: unknown) => unknown) | null
  /** Returns an instant as a parameter. */
  readonly time: (instant: DateTime.Utc) => number | string
  /** Returns a parameter as an instant, where the statement alone does not determine its type. */
  readonly instant: (parameter: string) => string
  /**
   * Returns the condition that an instant is more than some hours after another one. It has no parameter, so that an index
   * can have it.
   */
  readonly isApart: (earlier: string, later: string, hours: number) => string
  /**
   * Returns a parameter as a text that is compared by its code points like the columns, where the statement alone does
   * not determine its type.
   */
  readonly storedText: (parameter: string) => string
  /** Returns a text as a JSON document, where the statement alone does not determine its type. */
  readonly document: (text: string) => string
  /** Returns the integers of a JSON array as `(…)`, to follow `IN`. */
  readonly integers: (parameter: string) => string
  /**
   * Returns the condition that a column is one of the integers of a JSON array. An index finds the rows, even next to
   * an `OR`.
   */
  readonly isOneOf: (column: string, parameter: string) => string
  /** Returns the condition that a column is one of the texts of a JSON array. An index finds the rows text by text. */
  readonly isOneOfTexts: (column: string, parameter: string) => string
  /**
   * Returns the condition that a column is one of the integers that a `SELECT` returns. The database runs the `SELECT`
   * once, before it looks for the rows by their index, whatever its statistics say.
   */
  readonly isOneOfRows: (column: string, select: string) => string
  /**
   * Returns `FROM … WHERE …`. For each row of `each` that meets `condition`, `select` returns ids. The result is the
   * rows of `table` with these ids, under the alias `alias`. `select` may refer to the row of `each`.
   */
  readonly fromEach: (options: {
    readonly each: string
    readonly condition: string
    readonly select: string
    readonly table: string
    readonly alias: string
  }) => string
  /**
   * Returns a `SELECT` as a branch of a `UNION` whose branches are merged by an order until a page is full. `maxRows`
   * is the maximum number of rows that the page needs from it.
   */
  readonly branch: (select: string, order: string, maxRows: string) => string
  /** Returns the objects of a JSON array as a table with a name, to follow `FROM`. */
  readonly records: (name: string, parameter: string, columns: Readonly<Record<string, ColumnType>>) => string
  /** Returns the condition that a column with a JSON array of texts contains a text. */
  readonly contains: (column: string, parameter: string) => string
  /** Returns the aggregate that collects the rows of a subquery as one JSON array of values or arrays. */
  readonly collect: (values: ReadonlyArray<string>, order: string) => string
  /** Returns the expression for the stored size of a column in bytes. It does not read the value. NULL for NULL. */
  readonly storedBytes: (column: string) => string
  /**
   * Returns the expression for the size of a text or document in bytes of UTF-8. The database does not send the value.
   * NULL for NULL.
   */
  readonly textBytes: (column: string) => string
  /**
   * Returns a condition that few rows meet, so that an index over its column is preferred to others. SQLite has no
   * statistics, and otherwise may prefer an index over a range of times.
   */
  readonly rare: (condition: string) => string
  /** Returns the condition that a text occurs in a column. */
  readonly occurs: (column: string, parameter: string) => string
  /**
   * Returns the ending of a `SELECT` that locks its rows until the transaction ends. Empty where a transaction excludes
   * every other one anyway.
   */
  readonly forUpdate: (alias: string) => string
  /**
   * Returns the ending of a `SELECT` that keeps its rows from being deleted until the transaction ends, for a
   * transaction that adds rows with references to them.
   */
  readonly forReference: (alias: string) => string
  /**
   * Like `forUpdate`, for rows that the transaction may delete: it also keeps other transactions from adding references
   * to them.
   */
  readonly forDelete: (alias: string) => string
  /**
   * Returns the condition that rows of a table meet another condition. It locks them all in the order of their ids
   * before the first is changed, so that two transactions cannot deadlock. Returns the other condition alone where a
   * transaction excludes every other one anyway.
   */
  readonly lockedInOrder: (table: string, condition: string) => string
  /**
   * The ending of a `SELECT` that locks its rows and skips rows that another transaction has locked. Empty where that
   * cannot happen.
   */
  readonly skipLocked: string
  /** Returns the expression for the id that this connection has last generated for a table. */
  readonly lastId: (table: string) => string
  /**
   * Returns a statement that takes `?1` ids of a table, which the database never generates again. Null where an INSERT
   * returns its id without a wait.
   */
  readonly nextIds: ((table: string) => string) | null
  /**
   * A statement that locks the row of a name (`?1`) and a number (`?3`) until the transaction ends, and creates the row
   * if it is missing. `?2` is the number that servers of the previous version lock. Null where transactions that write
   * wait for each other anyway.
   */
  readonly lock: string | null
  /**
   * A statement that does for several numbers what `lock` does for one. `?2` is a JSON array of objects with the `number` and
   * the `row` of each. Null where `lock` is null.
   */
  readonly lockAll: string | null
}
