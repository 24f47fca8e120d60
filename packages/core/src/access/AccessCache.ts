import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Signal from "../background/Signal.ts"
import { RecentMap } from "../values/RecentMap.ts"
import { AccessChanges } from "./AccessChanges.ts"

/** How long a value is used without reading it again. A change of which this process learns nothing acts after it. */
export const maxAge: Duration.Duration = Duration.seconds(1)

/** The maximum number of cached keys, unless the program provides {@link MaxCachedKeys}. */
export const defaultMaxCachedKeys = 1_000

/**
 * The maximum number of API keys that are cached with their accounts. 0 turns the cache off: then each request reads its
 * key.
 */
export const MaxCachedKeys = Context.Reference<number>("@frontdesk/core/access/AccessCache/MaxCachedKeys", {
  defaultValue: () => defaultMaxCachedKeys
})

/** Returns the value of a key, if there is one. */
export type Find<K, V, E> = (key: K) => Effect.Effect<Option.Option<V>, E>

/**
 * Returns a function that finds as `find` does, and caches what it finds: accounts, and keys with their accounts
 * (D-KEY-13). The value may have been read up to {@link maxAge} ago if no change of a key or account was reported since.
 * A key without a value is not cached, so invented keys displace no others.
 *
 * A value that is read while a change is reported is not cached, because it may have been read before the change. In a
 * transaction the cache is not used: the transaction sees its own changes, and no other caller may see them before the
 * commit.
 *
 * @param maxSize the maximum number of cached values. 0 turns the cache off
 */
export const make = Effect.fnUntraced(function* <K, V, E>(find: Find<K, V, E>, maxSize: number) {
  const changes = yield* AccessChanges
  const maxAgeNanos = BigInt(Duration.toMillis(maxAge)) * 1_000_000n
  const values = new RecentMap<K, { readonly found: Option.Some<V>; readonly readAt: bigint }>(maxSize)
  let generation = changes.generation()

  const findCached: Find<K, V, E> = (key) =>
    Effect.withFiber((fiber) => {
      if (Signal.isDeferred(fiber)) return find(key)
      // The monotonic clock, because a wall clock that is set back would extend the time.
      const now = fiber.getRef(Clock.Clock).monotonicTimeNanosUnsafe()
      const before = changes.generation()
      if (before !== generation) {
        generation = before
        values.clear()
      }
      const cached = values.get(key)
      if (cached !== undefined && now - cached.readAt < maxAgeNanos) return Effect.succeed(cached.found)
      return Effect.map(find(key), (found) => {
        if (Option.isSome(found) && changes.generation() === before) values.set(key, { found, readAt: now })
        return found
      })
    })

  // Without the cache no request asks for the generation either, which costs a statement on SQLite.
  return maxSize === 0 ? find : findCached
})
