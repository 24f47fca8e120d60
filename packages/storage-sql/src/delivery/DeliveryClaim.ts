import { type DeliveryQueue, placesOf } from "@frontdesk/core/delivery/DeliveryQueue"
import * as Claim from "../claim/Claim.ts"
import type { ClaimQueue } from "../claim/ClaimQueue.ts"
import type { Database } from "../storage/Database.ts"
import * as ClaimCondition from "./ClaimCondition.ts"
import * as LeasedDeliveries from "./LeasedDeliveries.ts"
import * as ReadyDeliveries from "./ReadyDeliveries.ts"

const operation = "DeliveryQueue.claim"

/** The deliveries that wait. The line of a delivery is its webhook. */
const queue: ClaimQueue = {
  name: "webhook_delivery",
  line: "webhook_id",
  beforeFirst: 0,
  lineParameter: (parameter) => `CAST(${parameter} AS bigint)`,
  lineAfter: (line) => `${line} + 1`,
  keyType: "integer",
  lineKey: (_, line) => line,
  condition: "due_at IS NOT NULL",
  isClaimable: ClaimCondition.isClaimable,
  mayClaim: ClaimCondition.maySend,
  ofLine: ClaimCondition.ofWebhook,
  lease: (parameter) => ClaimCondition.leased(parameter(0), parameter(1), parameter(2))
}

/** Returns the claim of deliveries. */
export const make = (database: Database["Service"], frontLength: number): DeliveryQueue["Service"]["claim"] => {
  const makeReady = ReadyDeliveries.make(database, operation)
  const claim = Claim.make(database, operation, queue, frontLength, makeReady)
  const read = LeasedDeliveries.make(database, operation)
  return (request) => {
    const { leaseId, leaseUntil, now, owner } = request
    const lease = [database.dialect.time(leaseUntil), leaseId, owner]
    return claim({ now, places: placesOf(request), lease }, (keys) => read(keys, leaseId))
  }
}
