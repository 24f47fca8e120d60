import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Outage from "../storage/Outage.ts"
import type { StorageError } from "../storage/StorageError.ts"

/**
 * Releases everything that a former process of the same name had claimed when it died, so that the work is due at once
 * (D-DEL-17). A failure of the store is logged, and the leases then end by themselves. A claim that PostgreSQL commits
 * after this call also stays until its lease ends (D-DEL-18).
 *
 * @param what the plural noun for the claimed things, for the log
 * @param owner the name of the process; null releases nothing
 * @param releaseOf releases all claims of an owner and returns how many
 */
export const release = (
  what: string,
  owner: string | null,
  releaseOf: (owner: string, now: DateTime.Utc) => Effect.Effect<number, StorageError>
): Effect.Effect<void> => {
  if (owner === null) return Effect.void
  return Effect.flatMap(DateTime.now, (now) => releaseOf(owner, now)).pipe(
    Effect.tap((count) =>
      count > 0 ? Effect.logInfo(`released ${count} ${what} of the process before`) : Effect.void
    ),
    Outage.survive("Warn", `the ${what} of the process before were not released`),
    Effect.asVoid
  )
}
