import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Signal from "../background/Signal.ts"

/**
 * Reports that a key, or an account with its teams, may have changed, so that no process keeps using what it has cached
 * of them (D-KEY-13).
 *
 * A storage that several processes share reports the changes of the others: it forwards the signal, or it observes the
 * version of the database. Without such a report a process notices a change of another one after
 * `AccessCache.maxAge`.
 */
export class AccessChanges extends Context.Service<
  AccessChanges,
  {
    /** The signal of this process. A service raises it in each transaction that changes a key or an account. */
    readonly signal: Signal.Signal
    /**
     * Calls a function at each {@link generation} until the scope ends. Another result than before counts as a change.
     * The function must be fast and must not throw.
     */
    readonly observe: (version: () => unknown) => Effect.Effect<void, never, Scope.Scope>
    /** Returns a number that is higher after each change that is known in this process. */
    readonly generation: () => number
  }
>()("@frontdesk/core/access/AccessChanges") {
  /** The changes of this process. All services and stores of one build of layers share them. */
  static readonly layer: Layer.Layer<AccessChanges> = Layer.sync(AccessChanges, () => {
    const signal = Signal.make()
    const observed = new Set<{ readonly version: () => unknown; last: unknown }>()
    let differences = 0
    return AccessChanges.of({
      signal,
      observe: (version) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => {
              const source = { version, last: version() }
              observed.add(source)
              return source
            }),
            (source) => Effect.sync(() => observed.delete(source))
          )
        ),
      generation: () => {
        for (const source of observed) {
          const version = source.version()
          if (version === source.last) continue
          source.last = version
          differences += 1
        }
        return signal.count() + differences
      }
    })
  })
}
