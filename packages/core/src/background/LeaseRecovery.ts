import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Outage from "../storage/Outage.ts"
import type { StorageError } from "../storage/StorageError.ts"

/**
 * Makes everything due at once that a former process of the same name had claimed when it was killed. Without a name nothing
 * is released. A failure of the store is logged, and the leases then end by themselves. So does the lease of a claim that
 * PostgreSQL commits only after this call.
 */
export const release = (
  what: string,
  owner: string | null,
  held: (owner: string, now: DateTime.Utc) => Effect.Effect<number, StorageError>
): Effect.Effect<void> => {
  if (owner === null) return Effect.void
  return Effect.flatMap(DateTime.now, (now) => held(owner, now)).pipe(
    Effect.tap((count) =>
      count > 0 ? Effect.logInfo(`released ${count} ${what} of the process before`) : Effect.void
    ),
    Outage.survive("Warn", `the ${what} of the process before were not released`),
    Effect.asVoid
  )
}
