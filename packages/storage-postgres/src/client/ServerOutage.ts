import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Outage from "@frontdesk/core/storage/Outage"
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { unanswered } from "./Connection.ts"
import * as Deadline from "./Deadline.ts"
import type { Options } from "./PoolOptions.ts"
import * as UnavailableReason from "./UnavailableReason.ts"

/** How long a new session may take to open and respond, in milliseconds. */
const responseTimeout = 2_000

/**
 * Makes the outage watch of a server (D-PG-5). When a failure does not show whether all statements fail, the watch
 * opens a new session to check the server. The same check finds the end of an outage.
 */
export const make = Effect.fnUntraced(function* (
  name: string,
  { pool }: Pick<Options, "pool">
): Effect.fn.Return<Outage.Outage, never, Scope.Scope> {
  const ask = Deadline.run((deadline) => {
    deadline.set(responseTimeout, unanswered(responseTimeout))
    return Effect.scoped(
      Effect.flatMap(PgConnection.make(pool), (session) => session.query("SHOW transaction_read_only", [], false))
    )
  })
  const isReadOnly = ({ rows: [row] }: PgConnection.Result) =>
    hasProperty(row, "transaction_read_only") && row.transaction_read_only === "on"
  // Concurrent failures share one check.
  const problem = yield* ask.pipe(
    Effect.match({
      onFailure: UnavailableReason.messageOf,
      onSuccess: (answer) => (isReadOnly(answer) ? UnavailableReason.readOnlyReason : undefined)
    }),
    Effect.cachedWithTTL(0)
  )
  return yield* Outage.make({
    storage: `PostgreSQL at ${name}`,
    isPossible: UnavailableReason.isPossible,
    reasonOf: (error) => {
      if (!UnavailableReason.isPossible(error)) return Effect.undefined
      return UnavailableReason.isLost(error) ? problem : Effect.succeed(UnavailableReason.reasonOf(error))
    },
    isOver: Effect.map(problem, (found) => found === undefined)
  })
})
