import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import * as Signal from "../background/Signal.ts"
import { RecentMap } from "../values/RecentMap.ts"
import { AccessChanges } from "./AccessChanges.ts"
import type { KeyDigest } from "./ApiKey.ts"
import type { ApiKeyStore, FoundApiKey } from "./ApiKeyStore.ts"

/** How long a key is used without reading it again. A change of which this process learns nothing acts after it. */
export const maxAge: Duration.Duration = Duration.seconds(1)

/** The maximum number of cached keys, unless the program provides {@link MaxCachedKeys}. */
export const defaultMaxCachedKeys = 1_000

/**
 * The maximum number of keys that are cached with their accounts. 0 turns the cache off: then each request reads its key.
 */
export const MaxCachedKeys = Context.Reference<number>("@frontdesk/core/access/ApiKeyCache/MaxCachedKeys", {
  defaultValue: () => defaultMaxCachedKeys
})

/** Finds keys with their accounts. */
export interface ApiKeyCache {
  /**
   * Returns the key that has this digest, as `ApiKeyStore.findByDigest` does. It may have been read up to {@link maxAge}
   * ago if no change of a key or account was reported since. The caller checks on each use whether the key has expired.
   */
  readonly findByDigest: (digest: KeyDigest) => Effect.Effect<Option.Option<FoundApiKey>, StorageError>
}

/**
 * Makes a cache over a store (D-KEY-13). It has digests of keys and never their values. A digest without a key is not
 * cached, so invented keys displace no others.
 *
 * A key that is read while a change is reported is not cached, because it may have been read before the change. In a
 * transaction the cache is not used: the transaction sees its own changes, and no other caller may see them before the
 * commit.
 */
export const make = Effect.fnUntraced(function* (store: ApiKeyStore["Service"]) {
  const changes = yield* AccessChanges
  const maxCachedKeys = yield* MaxCachedKeys
  const maxAgeNanos = BigInt(Duration.toMillis(maxAge)) * 1_000_000n
  const keys = new RecentMap<KeyDigest, { readonly found: Option.Some<FoundApiKey>; readonly readAt: bigint }>(
    maxCachedKeys
  )
  let generation = changes.generation()

  const findByDigest: ApiKeyCache["findByDigest"] = (digest) =>
    Effect.withFiber((fiber) => {
      if (Signal.isDeferred(fiber)) return store.findByDigest(digest)
      // The monotonic clock, because a wall clock that is set back would extend the time.
      const now = fiber.getRef(Clock.Clock).monotonicTimeNanosUnsafe()
      const before = changes.generation()
      if (before !== generation) {
        generation = before
        keys.clear()
      }
      const cached = keys.get(digest)
      if (cached !== undefined && now - cached.readAt < maxAgeNanos) return Effect.succeed(cached.found)
      return Effect.map(store.findByDigest(digest), (found) => {
        if (Option.isSome(found) && changes.generation() === before) {
          keys.set(digest, { found, readAt: now })
        }
        return found
      })
    })

  // Without the cache no request asks for the generation either, which costs a statement on SQLite.
  return (maxCachedKeys === 0 ? store : { findByDigest }) satisfies ApiKeyCache
})
