import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"

/**
 * How many deliveries one claim makes ready at most, earliest due first (D-DEL-29). Meanwhile they are locked, and the
 * claims of other nodes skip them.
 */
const maxInStep = 500

/** How many webhooks with pending deliveries one claim visits at most, if more than `maxInStep` deliveries wait. */
const maxVisited = 1_000

const VisitedRow = Schema.Struct({
  waiting: Column.json(Schema.Array(Schema.Int)),
  last: Schema.NullOr(Schema.Int)
})

/** Returns the expression for the next webhook with a pending delivery above a given one. */
const nextWebhook = (after: string): string =>
  `(SELECT min(webhook_id) FROM webhook_delivery WHERE webhook_id > ${after} AND due_at IS NOT NULL)`

/**
 * Returns a function that makes due deliveries ready, so that a claim finds them by their webhook.
 *
 * A delivery is ready from the moment it is added until it is claimed. A retry, and a delivery whose lease may end, has
 * `ready_account_id` NULL and becomes ready here when it is due. So a claim that goes through the webhooks with ready
 * deliveries visits none whose deliveries are all due later.
 *
 * The earliest due deliveries become ready first, so many due deliveries of one webhook could delay all others. If there
 * are `maxInStep` of them, the function also visits the next `maxVisited` webhooks with pending deliveries. It makes
 * the earliest due delivery of each webhook ready, which suffices: the claim then reads the webhook's other due
 * deliveries too. The next call continues after the last visited webhook. Otherwise a call would take longer the more
 * webhooks have deliveries that are due later.
 */
export const make = (
  database: Database["Service"],
  operation: string
): ((now: DateTime.Utc) => Effect.Effect<void, StorageError>) => {
  const { dialect } = database
  const made = database.all(operation, Column.Found)
  const visited = database.one(operation, VisitedRow)
  const run = database.run(operation)
  const lastVisited = Ref.makeUnsafe(0)

  const makeReady = (select: string): string => `UPDATE webhook_delivery SET ready_account_id = account_id
    WHERE ${dialect.isOneOfRows("id", `${select}${dialect.skipLocked}`)}`

  const earliestText = `${makeReady(`SELECT id FROM webhook_delivery WHERE ready_account_id IS NULL AND due_at <= ?1
    ORDER BY due_at, id LIMIT ${maxInStep}`)} RETURNING id`

  const visitText = `WITH RECURSIVE pending (webhook_id, place) AS (
      SELECT ${nextWebhook("?2")}, 1
      UNION ALL
      SELECT ${nextWebhook("pending.webhook_id")}, place + 1 FROM pending
      WHERE webhook_id IS NOT NULL AND place < ${maxVisited}
    ),
    waiting AS (
      SELECT id FROM webhook_delivery WHERE ready_account_id IS NULL AND ${dialect.isOneOfRows(
        "id",
        `SELECT (
          SELECT id FROM webhook_delivery WHERE webhook_id = pending.webhook_id AND due_at <= ?1
          ORDER BY due_at, id LIMIT 1
        ) FROM pending`
      )}
    )
    SELECT (SELECT ${dialect.collect(["id"], "id")} FROM waiting) AS waiting,
      (SELECT webhook_id FROM pending WHERE place = ${maxVisited}) AS last`

  const foundText = makeReady(`SELECT id FROM webhook_delivery
    WHERE ${dialect.isOneOf("id", "?2")} AND ready_account_id IS NULL AND due_at <= ?1 ORDER BY due_at, id`)

  return Effect.fnUntraced(function* (now) {
    const earliest = yield* made(earliestText, [dialect.time(now)])
    if (earliest.length < maxInStep) return
    const { last, waiting } = yield* visited(visitText, [dialect.time(now), yield* Ref.get(lastVisited)])
    if (waiting.length > 0) yield* run(foundText, [dialect.time(now), JSON.stringify(waiting)])
    yield* Ref.set(lastVisited, last ?? 0)
  })
}
