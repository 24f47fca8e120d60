/** The kind of value in a column. SQLite itself only distinguishes integers, texts and bytes. */
export type Kind = "integer" | "flag" | "time" | "text" | "json" | "bytes"

/** A column of a table. */
export interface Column {
  readonly name: string
  readonly kind: Kind
  /** Whether the column is part of the primary key. */
  readonly isKey: boolean
  /** Whether the database generates its values, ascending and each at most once. */
  readonly isGenerated: boolean
}

/** A table with its columns in order. */
export interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<Column>
}

/** Returns a name as a quoted identifier. */
export const quoted = (name: string): string => `"${name}"`

/** Returns names as quoted identifiers, separated by commas. */
export const quotedList = (named: ReadonlyArray<{ readonly name: string }>): string =>
  named.map(({ name }) => quoted(name)).join(", ")
