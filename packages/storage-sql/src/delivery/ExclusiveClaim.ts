import type { ClaimRequest, DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import * as ClaimCondition from "./ClaimCondition.ts"
import * as LeasedDeliveries from "./LeasedDeliveries.ts"
import * as ReadyDeliveries from "./ReadyDeliveries.ts"
import * as ClaimCapacity from "./ClaimCapacity.ts"

/** Returns the claim for a database whose transactions exclude each other. It is one transaction. */
export const make = (
  database: Database["Service"],
  operation: string,
  windows: (limit: number) => ReadonlyArray<number>
): DeliveryQueue["Service"]["claim"] => {
  const { dialect } = database
  const candidates = database.all(operation, ClaimCapacity.Candidate)
  const found = database.first(operation, Column.Found)
  const run = database.run(operation)
  const read = LeasedDeliveries.make(database, operation)
  const makeReady = ReadyDeliveries.make(database, operation)
  const [front, byWebhook, lease] = [
    ClaimCondition.front(dialect),
    ClaimCondition.byWebhook(dialect),
    ClaimCondition.lease(dialect)
  ]

  const choose = Effect.fnUntraced(function* (request: ClaimRequest) {
    const now = dialect.time(request.now)
    const capacity = ClaimCapacity.make(request)
    let from = 0
    for (const to of windows(request.limit)) {
      capacity.add(yield* candidates(front, [now, from, to - from, JSON.stringify(capacity.fullWebhooks())]))
      if (capacity.isFull()) return capacity.keys()
      if (Option.isNone(yield* found(ClaimCondition.isLonger, [now, to]))) return capacity.keys()
      from = to
    }
    yield* makeReady(request.now)
    capacity.add(
      yield* candidates(byWebhook, [
        now,
        capacity.maxCandidates(),
        JSON.stringify(capacity.fullWebhooks()),
        request.perWebhook
      ])
    )
    return capacity.keys()
  })

  return Effect.fnUntraced(function* (request) {
    const keys = yield* choose(request)
    if (keys.length === 0) return []
    const { leaseId, leaseUntil, owner } = request
    yield* run(lease, [dialect.time(leaseUntil), leaseId, owner, JSON.stringify(keys)])
    return yield* read(keys, leaseId)
  }, database.atomically(operation))
}
