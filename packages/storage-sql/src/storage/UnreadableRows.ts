import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/** Counts the rows that were left out of a list or queue because they cannot be read, by the method of the store. */
export const rows = Metric.counter("frontdesk_unreadable_rows", {
  description: "Rows that were left out because they cannot be read, by operation",
  incremental: true
})

// The columns that identify rows. Other columns may have secret or personal values.
const keys = ["id", "accountId", "deliveryId", "number", "provider", "name"] as const

/**
 * Logs and counts a row that is left out (D-STO-8). The log line has the key of the row and the names of the columns
 * that do not decode. It has no values of other columns. `columns` has the row with its columns in camelCase.
 */
export const report = (
  operation: string,
  columns: Readonly<Record<string, unknown>>,
  error: StorageError
): Effect.Effect<void> => {
  const named = columns["id"] === undefined ? keys : (["id"] as const)
  const key = Object.fromEntries(named.flatMap((name) => (columns[name] === undefined ? [] : [[name, columns[name]]])))
  return Metric.update(Metric.withAttributes(rows, { operation }), 1).pipe(
    Effect.andThen(Effect.logError("A stored row cannot be read and was left out", error)),
    Effect.annotateLogs({ operation, ...key })
  )
}
