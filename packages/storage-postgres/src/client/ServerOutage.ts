import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Outage from "@frontdesk/core/storage/Outage"
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { unanswered } from "./Connection.ts"
import * as Deadline from "./Deadline.ts"
import type { Options } from "./PoolOptions.ts"
import * as UnavailableReason from "./UnavailableReason.ts"

/** How long a new session may take to be opened and to answer, in milliseconds. */
const patience = 2_000

/**
 * Makes the watch over a server. Where a failure does not tell whether everybody's call would fail, a new session shows
 * it, and so it shows when an outage is over.
 */
export const make = Effect.fnUntraced(function* (
  name: string,
  { pool }: Pick<Options, "pool">
): Effect.fn.Return<Outage.Outage, never, Scope.Scope> {
  const ask = Deadline.run((deadline) => {
    deadline.set(patience, unanswered(patience))
    return Effect.scoped(
      Effect.flatMap(PgConnection.make(pool), (session) => session.query("SHOW transaction_read_only", [], false))
    )
  })
  const isReadOnly = ({ rows: [row] }: PgConnection.Result) =>
    hasProperty(row, "transaction_read_only") && row.transaction_read_only === "on"
  // Many calls fail at once, and one session is enough for all of them.
  const problem = yield* ask.pipe(
    Effect.match({
      onFailure: UnavailableReason.said,
      onSuccess: (answer) => (isReadOnly(answer) ? UnavailableReason.onlyReads : undefined)
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
