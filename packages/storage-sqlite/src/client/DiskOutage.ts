import * as Outage from "@frontdesk/core/storage/Outage"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { DatabaseSync } from "node:sqlite"
import { isDiskError } from "./LockRetry.ts"

/**
 * Makes the watch over the disk of a database.
 *
 * With a disk that is full transactions begin, and statements that change nothing succeed. What shows that it takes
 * writes again is that `reader`, another connection, finds something new committed. Without one an outage is over as
 * soon as nothing fails.
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
      // What cannot even be read shows nothing new.
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
