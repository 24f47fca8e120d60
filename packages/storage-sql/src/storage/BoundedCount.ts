import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Column from "./Column.ts"
import type { Database } from "./Database.ts"

/**
 * Returns a function that counts the rows of a table, up to a maximum. A row has at most one of the conditions. Each is that of a
 * partial index, with its first column as the order. Without the order PostgreSQL would read the table from its beginning.
 */
export const make = (
  database: Database["Service"],
  operation: string,
  table: string,
  conditions: ReadonlyArray<readonly [condition: string, order: string]>
): ((max: number) => Effect.Effect<number, StorageError>) => {
  const counted = database.one(operation, Column.Count)
  return (max) => {
    const parts = conditions.map(
      ([condition, order]) =>
        `(SELECT count(*) FROM (SELECT 1 AS one FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT ${max}) AS counted)`
    )
    return Effect.map(counted(`SELECT ${parts.join(" + ")} AS count`, []), ({ count }) => Math.min(count, max))
  }
}
