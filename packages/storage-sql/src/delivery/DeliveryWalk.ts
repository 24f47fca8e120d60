import type { Dialect } from "../dialect/Dialect.ts"
import type * as ReadyWalk from "../storage/ReadyWalk.ts"
import * as ClaimCondition from "./ClaimCondition.ts"

/** The deliveries as a claim walks through them, from webhook to webhook. `ReadyDeliveries` makes them ready. */
export const table: ReadyWalk.Table = {
  name: "webhook_delivery",
  line: "webhook_id",
  condition: "due_at IS NOT NULL",
  beforeFirst: 0,
  parameter: (parameter) => `CAST(${parameter} AS bigint)`
}

/** The parameters of the deliveries on a walk. `fullWebhooks` has the webhooks without a free place, to follow `IN`. */
export interface Parameters {
  readonly now: string
  readonly perWebhook: string
  readonly fullWebhooks: string
}

/**
 * Returns the `SELECT` of the ready deliveries of the webhooks in `open` that may be sent (`ReadyWalk`). For each
 * webhook, rows are read until there are as many as it may have in flight, or until enough rows are read (D-DEL-27).
 *
 * A subject with more due deliveries than that hides the other deliveries of its webhook. It can also hide
 * its own first delivery: after a lease that delivery is due when the lease ended, later than the others. Therefore the
 * first delivery of the subject of the earliest due row is always examined.
 */
export const candidates = (dialect: Dialect, { fullWebhooks, now, perWebhook }: Parameters): string =>
  `SELECT delivery.id, delivery.due_at, delivery.webhook_id, delivery.account_id
  ${dialect.fromEach({
    each: "open",
    condition: `open.line NOT IN ${fullWebhooks} AND ${ClaimCondition.isClaimable("open.line")}`,
    select: ClaimCondition.ofWebhook(now, perWebhook),
    table: "webhook_delivery",
    alias: "delivery"
  })}`
