import * as Outage from "@frontdesk/core/storage/Outage"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { DatabaseSync } from "node:sqlite"
import { isDiskError } from "./LockRetry.ts"

/**
 * Makes the outage watch over the disk of a database.
 *
 * On a full disk, transactions still begin, and statements that change nothing still succeed. The outage is over when
 * `reader`, another connection, sees a new commit. Without a reader it is over as soon as no call fails.
 */
export const make = Effect.fnUntraced(function* (
  filename: string,
  reader: DatabaseSync | undefined
): Effect.fn.Return<Outage.Outage, never, Scope.Scope> {
  const version = reader?.prepare("PRAGMA data_version")
  let known: unknown
  const current = (): unknown => {
    try {
      return version?.get()?.["data_version"]
    } catch {
      // A database that cannot be read shows no new commit.
      return known
    }
  }
  return yield* Outage.make({
    storage: `The SQLite database ${filename}`,
    isPossible: isDiskError,
    reasonOf: (error) =>
      Effect.sync(() => {
        if (!isDiskError(error)) return undefined
        known = current()
        return error.reason.message
      }),
    isOver: Effect.sync(() => reader === undefined || current() !== known)
  })
})
