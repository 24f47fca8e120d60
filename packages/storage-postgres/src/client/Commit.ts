import * as Effect from "effect/Effect"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"

/**
 * Returns a function that commits a transaction. PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK,
 * which becomes a failure here.
 *
 * @param failureOf returns the error of the statement that failed, where the connection knows it
 */
export const make =
  (failureOf: (connection: Connection) => SqlError | undefined) =>
  (connection: Connection): Effect.Effect<void, SqlError> =>
    Effect.flatMap(connection.executeRaw("COMMIT", []), (result) => {
      if (!(typeof result === "object" && result !== null && "command" in result && result.command === "ROLLBACK")) {
        return Effect.void
      }
      const failure = failureOf(connection)
      if (failure !== undefined) return Effect.fail(failure)
      const message = "The transaction failed before its COMMIT and was rolled back"
      return Effect.fail(
        new SqlError({ reason: new UnknownError({ message, operation: "commit", cause: new Error(message) }) })
      )
    })
