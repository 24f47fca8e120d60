import type { ClaimRequest, DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import * as LeasedDeliveries from "./LeasedDeliveries.ts"
import * as ReadyDeliveries from "./ReadyDeliveries.ts"
import * as LeaseStatement from "./LeaseStatement.ts"
import * as ClaimCapacity from "./ClaimCapacity.ts"

const LeasedRow = Schema.Struct({
  leased: Column.json(
    Schema.Array(Schema.Tuple([ClaimCapacity.Candidate.fields.id, ClaimCapacity.Candidate.fields.webhookId]))
  ),
  eligible: Schema.Int,
  isLonger: Column.Flag
})

/**
 * How often a claim repeats a statement that leased fewer deliveries than there were, because other claims leased them
 * first.
 */
const maxRepeats = 3

/**
 * Returns the claim for a database with concurrent transactions (D-PG-16). It uses no transaction: each statement
 * leases deliveries and commits by itself. So a process that stops between two statements holds no locks. The
 * deliveries that it had leased and not yet read become due again when their lease ends.
 *
 * When other claims lease the chosen deliveries first, the statement is repeated. It then chooses other deliveries.
 */
export const make = (
  database: Database["Service"],
  operation: string,
  windows: (limit: number) => ReadonlyArray<number>
): DeliveryQueue["Service"]["claim"] => {
  const { dialect } = database
  const leasing = database.one(operation, LeasedRow)
  const read = LeasedDeliveries.make(database, operation)
  const makeReady = ReadyDeliveries.make(database, operation)
  const byWebhook = LeaseStatement.byWebhook(dialect)

  /** Leases deliveries with one of the statements. Returns whether there may be more deliveries than it examined. */
  const lease = Effect.fnUntraced(function* (
    text: string,
    length: () => number,
    request: ClaimRequest,
    capacity: ClaimCapacity.ClaimCapacity
  ) {
    for (let repeats = 0; ; repeats++) {
      const wanted = capacity.remaining()
      const { eligible, isLonger, leased } = yield* leasing(text, [
        dialect.time(request.now),
        length(),
        JSON.stringify(capacity.counts().map(([webhook_id, count]) => ({ webhook_id, count }))),
        request.perWebhook,
        wanted,
        dialect.time(request.leaseUntil),
        request.leaseId,
        request.owner
      ])
      capacity.add(leased.map(([id, webhookId]) => ({ id, webhookId })))
      if (leased.length >= Math.min(wanted, eligible) || repeats === maxRepeats) return isLonger
    }
  })

  const fill = Effect.fnUntraced(function* (request: ClaimRequest, capacity: ClaimCapacity.ClaimCapacity) {
    for (const window of windows(request.limit)) {
      const isLonger = yield* lease(LeaseStatement.front(dialect, window), () => window, request, capacity)
      if (capacity.isFull() || !isLonger) return
    }
    yield* makeReady(request.now)
    yield* lease(byWebhook, capacity.maxCandidates, request, capacity)
  })

  return Effect.fnUntraced(function* (request) {
    const capacity = ClaimCapacity.make(request)
    yield* fill(request, capacity)
    return yield* read(capacity.keys(), request.leaseId)
  })
}
