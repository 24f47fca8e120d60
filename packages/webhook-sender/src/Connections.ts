import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Agent } from "undici"
import type { buildConnector, Dispatcher } from "undici"

/** The connections to receivers. */
export interface Connections {
  /** Connections that are kept for the next request. */
  readonly kept: Dispatcher
  /** A new connection for each request, closed after it. */
  readonly single: Dispatcher
  /** Whether a request that starts or fails at this moment is the first on its connection. */
  readonly isNew: () => boolean
}

/** Two pools over one connector, closed with the scope. An idle connection is kept for `maxIdle`. */
export const make = Effect.fnUntraced(function* (
  connect: buildConnector.connector,
  maxIdle: Duration.Duration
): Effect.fn.Return<Connections, never, Scope.Scope> {
  // undici starts the first request of a connection inside the call that hands the connection over, or fails it there.
  let isNew = false
  const announced: buildConnector.connector = (target, callback) =>
    connect(target, (...outcome) => {
      isNew = true
      callback(...outcome)
      isNew = false
    })
  const idleMillis = Duration.toMillis(maxIdle)
  const pool = (options: Agent.Options) =>
    Effect.acquireRelease(
      // No cap on connections to one host: many receivers may share it, and what is in flight is capped outside.
      Effect.sync(() => new Agent({ connect: announced, allowH2: false, ...options })),
      (agent) => Effect.promise(() => agent.destroy())
    )
  return {
    kept: yield* pool({ keepAliveTimeout: idleMillis, keepAliveMaxTimeout: idleMillis }),
    single: yield* pool({ pipelining: 0 }),
    isNew: () => isNew
  }
})
