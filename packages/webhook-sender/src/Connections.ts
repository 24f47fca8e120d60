import * as Deadlines from "@frontdesk/core/background/Deadlines"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Agent, buildConnector, Dispatcher } from "undici"

/** The connection pools for requests to receivers. */
export interface Connections {
  /** Reuses an idle connection for the next request. */
  readonly pooled: Dispatcher
  /** Opens a new connection for each request and closes it afterwards. */
  readonly single: Dispatcher
  /** Returns whether the request that starts or fails at this moment is the first on its connection. */
  readonly isNew: () => boolean
  /** The timeouts of the requests. */
  readonly deadlines: Deadlines.Deadlines
}

/** Creates both pools over one connector. They close with the scope. An idle connection stays open for `maxIdle`. */
export const make = Effect.fnUntraced(function* (
  connect: buildConnector.connector,
  maxIdle: Duration.Duration
): Effect.fn.Return<Connections, never, Scope.Scope> {
  const undici = yield* Effect.promise(() => import("undici"))
  // undici starts or fails the first request of a connection inside the callback that passes on the connection.
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
      // There is no limit on connections to one host: many receivers may share it, and the delivery worker limits the
      // requests in flight.
      Effect.sync(() => new undici.Agent({ connect: announced, allowH2: false, ...options })),
      (agent) => Effect.promise(() => agent.destroy())
    )
  return {
    pooled: yield* pool({ keepAliveTimeout: idleMillis, keepAliveMaxTimeout: idleMillis }),
    single: yield* pool({ pipelining: 0 }),
    isNew: () => isNew,
    deadlines: yield* Deadlines.make
  }
})
