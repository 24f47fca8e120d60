import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { ApiKey, ApiKeyId } from "./ApiKey.ts"
import type { ApiKeyStore } from "./ApiKeyStore.ts"

/** How often the last use of a key is written. */
const every = Duration.toMillis(Duration.minutes(1))

/** How many keys are remembered at most, as those whose use was written within the minute. */
const maxRemembered = 10_000

/** Records when keys were last used. */
export interface LastUse {
  /**
   * Writes the use of a key at most once a minute, beside whatever goes on. A write that fails, or waits for a lock, neither
   * fails nor delays the request: who only reads must not depend on what takes no writes.
   */
  readonly record: (key: ApiKey, now: DateTime.Utc) => Effect.Effect<void>
}

/** Makes it on a store; what is being written ends with the scope. */
export const make = Effect.fnUntraced(function* (store: ApiKeyStore["Service"]) {
  const scope = yield* Effect.scope
  // Not the context of the request, which may be in a transaction that ends before the write.
  const context = yield* Effect.context<never>()
  const recorded = new Map<ApiKeyId, number>()
  // One at a time, so that writes that wait for a lock take one connection of the pool and no more.
  const turn = Semaphore.makeUnsafe(1)

  const record: LastUse["record"] = ({ id, lastUsedAt }, now) =>
    Effect.suspend(() => {
      const millis = DateTime.toEpochMillis(now)
      const before = Math.max(
        recorded.get(id) ?? -Infinity,
        lastUsedAt === null ? -Infinity : DateTime.toEpochMillis(lastUsedAt)
      )
      if (millis - before < every) return Effect.void
      if (recorded.size >= maxRemembered) recorded.clear()
      recorded.set(id, millis)
      const write = Effect.catchCause(store.touch(id, now), (cause) =>
        Effect.logDebug("The last use of a key was not written", cause)
      )
      return Effect.asVoid(
        Effect.forkIn(
          Effect.updateContext(turn.withPermit(write), () => context),
          scope,
          { startImmediately: true }
        )
      )
    })
  return { record } satisfies LastUse
})
