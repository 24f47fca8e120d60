import type { StepLimit } from "@frontdesk/core/background/Steps"
import type { Dialect } from "../dialect/Dialect.ts"

/** The rows that a sweep may delete, or whose columns it may clear. */
export interface SweptRows {
  readonly table: string
  /** The columns of the primary key. */
  readonly key: ReadonlyArray<string>
  /** The condition for these rows. An index has them in `order`. */
  readonly where: string
  readonly order: string
  /** The columns whose sizes limit a step. Without any, only the number of rows does. */
  readonly sized: ReadonlyArray<string>
}

/**
 * Returns the `SELECT` of the keys of the rows that one step changes. These are the first unlocked rows by `order`, as
 * many as the limits in rows and in bytes allow, and at least one (D-STO-9). `maxBytes` is the parameter with the limit
 * in bytes. The limit in rows is part of the text: for a parameter PostgreSQL would assume a tenth of the table, and
 * read all of it.
 */
export const keys = (
  dialect: Dialect,
  { key, order, sized, table, where }: SweptRows,
  { rows }: StepLimit,
  maxBytes: string
): string => {
  const columns = key.join(", ")
  const bytes = sized.map((column) => `coalesce(${dialect.storedBytes(column)}, 0)`).join(" + ") || "0"
  return `SELECT ${columns} FROM (
      SELECT ${columns}, bytes, sum(bytes) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) AS total FROM (
        SELECT ${columns}, bytes, row_number() OVER () AS place FROM (
          SELECT ${columns}, ${bytes} AS bytes FROM ${table}
          WHERE ${where} ORDER BY ${order} LIMIT ${rows}${dialect.skipLocked}
        ) AS going
      ) AS going
    ) AS going WHERE total <= ${maxBytes} OR total = bytes`
}
