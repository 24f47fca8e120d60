import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { FrontLength } from "../claim/Claim.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import { currentText } from "./ClaimedRow.ts"
import { deletedWebhooks } from "./ClaimCondition.ts"
import * as DeliveryClaim from "./DeliveryClaim.ts"
import * as DeliveryRecord from "./DeliveryRecord.ts"

/** The `DeliveryQueue` in a SQL database. */
export const layer: Layer.Layer<DeliveryQueue, never, Database> = Layer.effect(
  DeliveryQueue,
  Effect.gen(function* () {
    const database = yield* Database
    const { dialect } = database
    const frontLength = yield* FrontLength
    const postponed = database.run("DeliveryQueue.postpone")
    const released = database.all("DeliveryQueue.release", Column.Found)
    const current = database.first("DeliveryQueue.isCurrent", Column.Found)
    const nextDue = database.one("DeliveryQueue.nextDue", Column.Due)
    const oldestDue = database.one("DeliveryQueue.oldestDue", Column.Due)

    const ownText = `SELECT id FROM webhook_delivery WHERE due_at > ?2 AND state = 'leased' AND lease_owner = ?1
      AND webhook_id NOT IN ${deletedWebhooks}${dialect.skipLocked}`

    return DeliveryQueue.of({
      claim: DeliveryClaim.make(database, frontLength),
      isCurrent: ({ key, leaseId, url }) => Effect.map(current(currentText, [key, leaseId, url]), Option.isSome),
      record: DeliveryRecord.make(database),
      postpone: (keys, leaseId, dueAt) =>
        postponed(
          `UPDATE webhook_delivery
            SET state = 'pending', due_at = ?3, lease_id = NULL, lease_owner = NULL, claims = claims - 1
            WHERE ${dialect.lockedInOrder("webhook_delivery", `${dialect.isOneOf("id", "?1")} AND state = 'leased' AND lease_id = ?2`)}`,
          [JSON.stringify(keys), leaseId, dialect.time(dueAt)]
        ),
      release: (owner, now) =>
        Effect.map(
          released(
            `UPDATE webhook_delivery SET state = 'pending', due_at = ?2, lease_owner = NULL, ready_account_id = account_id
              WHERE ${dialect.isOneOfRows("id", ownText)} RETURNING id`,
            [owner, dialect.time(now)]
          ),
          (rows) => rows.length
        ),
      nextDue: (after) =>
        Effect.map(
          nextDue(
            `SELECT min(due_at) AS due_at FROM webhook_delivery
              WHERE due_at > ?1 AND webhook_id NOT IN ${deletedWebhooks}`,
            [dialect.time(after)]
          ),
          (row) => Option.fromNullOr(row.dueAt)
        ),
      oldestDue: Effect.map(
        oldestDue(
          `SELECT min(due_at) AS due_at FROM webhook_delivery
            WHERE due_at IS NOT NULL AND webhook_id NOT IN ${deletedWebhooks}`
        ),
        (row) => Option.fromNullOr(row.dueAt)
      )
    })
  })
)
