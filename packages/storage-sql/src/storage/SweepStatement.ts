import type { StepLimit } from "@frontdesk/core/background/Steps"
import type { Dialect } from "../dialect/Dialect.ts"

/** Which rows a step of a sweep may delete, and in which order they go. */
export interface Bounded {
  readonly table: string
  /** The columns of the primary key. */
  readonly key: ReadonlyArray<string>
  /** Which rows are to go; an index has them in `order`. */
  readonly where: string
  readonly order: string
  /** The column whose size the caller decides. */
  readonly sized: string
}

/**
 * The text of a `SELECT` for the keys of the rows that one step deletes: the first by `order` that nobody has locked, as
 * many as both bounds of the limit allow, and one in any case. The parameter holds the most bytes; the most rows stand
 * in the text, because of a parameter PostgreSQL assumes a tenth of the table, and reads all of it.
 */
export const keys = (
  dialect: Dialect,
  { key, order, sized, table, where }: Bounded,
  { rows }: StepLimit,
  maxBytes: string
): string => {
  const columns = key.join(", ")
  return `SELECT ${columns} FROM (
      SELECT ${columns}, bytes, sum(bytes) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) AS total FROM (
        SELECT ${columns}, bytes, row_number() OVER () AS place FROM (
          SELECT ${columns}, coalesce(${dialect.storedBytes(sized)}, 0) AS bytes FROM ${table}
          WHERE ${where} ORDER BY ${order} LIMIT ${rows}${dialect.skipLocked}
        ) AS going
      ) AS going
    ) AS going WHERE total <= ${maxBytes} OR total = bytes`
}
