import type { ClaimRequest, DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import * as LeasedDeliveries from "./LeasedDeliveries.ts"
import * as LeaseStatement from "./LeaseStatement.ts"
import * as InFlightCapacity from "./InFlightCapacity.ts"

const LeasedRow = Schema.Struct({
  leased: Column.json(
    Schema.Array(Schema.Tuple([InFlightCapacity.Candidate.fields.id, InFlightCapacity.Candidate.fields.webhookId]))
  ),
  eligible: Schema.Int,
  isLonger: Column.Flag
})

/** How often a claim looks again because others were leasing the same deliveries at the same moment. */
const maxRepeats = 3

/**
 * Takes deliveries without a transaction, where many run at once: each statement leases and is committed by itself, so a
 * process that stands still between two of them holds no lock that others wait for. What was leased and could not be
 * read comes back when its lease ends.
 *
 * Who finds what he would have taken in the hands of another looks again, for by then it is leased and out of the way.
 */
export const make = (
  database: Database["Service"],
  operation: string,
  windows: (limit: number) => ReadonlyArray<number>
): DeliveryQueue["Service"]["claim"] => {
  const { dialect } = database
  const leasing = database.one(operation, LeasedRow)
  const read = LeasedDeliveries.make(database, operation)
  const everywhere = LeaseStatement.everywhere(dialect)

  /** Leases with one of the texts; answers whether there may be more than it looked at. */
  const lease = Effect.fnUntraced(function* (
    text: string,
    length: () => number,
    request: ClaimRequest,
    room: InFlightCapacity.Room
  ) {
    for (let repeats = 0; ; repeats++) {
      const left = room.left()
      const { eligible, isLonger, leased } = yield* leasing(text, [
        dialect.time(request.now),
        length(),
        JSON.stringify(room.counts().map(([webhook_id, count]) => ({ webhook_id, count }))),
        request.perWebhook,
        left,
        dialect.time(request.leaseUntil),
        request.leaseId,
        request.owner
      ])
      room.take(leased.map(([id, webhookId]) => ({ id, webhookId })))
      if (leased.length >= Math.min(left, eligible) || repeats === maxRepeats) return isLonger
    }
  })

  const fill = Effect.fnUntraced(function* (request: ClaimRequest, room: InFlightCapacity.Room) {
    for (const window of windows(request.limit)) {
      const isLonger = yield* lease(LeaseStatement.front(dialect, window), () => window, request, room)
      if (room.isFull() || !isLonger) return
    }
    yield* lease(everywhere, room.enough, request, room)
  })

  return Effect.fnUntraced(function* (request) {
    const room = InFlightCapacity.make(request)
    yield* fill(request, room)
    return yield* read(room.taken(), request.leaseId)
  })
}
