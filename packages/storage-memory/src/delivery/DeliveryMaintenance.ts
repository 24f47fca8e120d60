import { maxAttempts } from "@frontdesk/core/delivery/Delivery"
import {
  type FailedDeliveries,
  type OldWebhookEvents,
  type Step,
  stepOver
} from "@frontdesk/core/delivery/DeliveryStore"
import * as DeliveryTransition from "@frontdesk/core/delivery/DeliveryTransition"
import { within } from "@frontdesk/core/background/Steps"
import * as DateTime from "effect/DateTime"
import * as HashMap from "effect/HashMap"
import type { DeliveryRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"
import { isOpen } from "./DeliveryClaim.ts"
import { updateWhere } from "./DeliveryResults.ts"

/** Returns a delivery as pending, due for one manual attempt. */
export const redelivered = (row: DeliveryRow, now: DateTime.Utc): DeliveryRow => ({
  ...row,
  state: DeliveryTransition.after(row.state, "redeliver"),
  dueAt: now,
  kind: "manual",
  claims: 0
})

/** Redelivers failed deliveries of a webhook with fewer than `maxAttempts` attempts (D-DEL-10), in one step. */
export const redeliverFailed = (
  state: State,
  { accountId, after, limit, since, until, webhookId }: FailedDeliveries,
  now: DateTime.Utc
): readonly [Step, State] => {
  const examined = Table.where(
    state.deliveries,
    (row) =>
      row.key > (after ?? 0) &&
      row.webhookId === webhookId &&
      row.event.accountId === accountId &&
      row.state === "failed"
  ).slice(0, limit)
  const isAsked = ({ attempts, event }: DeliveryRow) =>
    attempts.length < maxAttempts && DateTime.between(event.createdAt, { minimum: since, maximum: until })
  const chosen = new Set(examined.filter(isAsked).map((row) => row.key))
  const [count, next] = updateWhere(
    state,
    (row) => chosen.has(row.key),
    (row) => redelivered(row, now)
  )
  return [
    stepOver(
      examined.map((row) => row.key),
      limit,
      count
    ),
    next
  ]
}

/**
 * Takes one step of a sweep over the webhook events (D-EVT-5). The key of a webhook event is the key of its first
 * delivery.
 */
export const sweep = (state: State, { after, before, limit }: OldWebhookEvents): readonly [Step, State] => {
  const byEvent = Map.groupBy(
    Table.where(state.deliveries, () => true),
    (row) => row.event
  )
  const next = [...byEvent]
    .map(([event, rows]) => ({ event, rows, key: rows[0]?.key ?? 0 }))
    .filter(({ key }) => key > (after ?? 0))
    .slice(0, limit.rows)
  const seen = within(next, limit.bytes, ({ event }) => event.body.length)
  const old = seen.filter(({ event }) => DateTime.isLessThan(event.createdAt, before))
  if (old.length === 0) return [{ count: 0, after: null }, state]
  const closed = old.filter(({ rows }) => !rows.some(isOpen))
  const deleted = closed.flatMap(({ rows }) => rows).slice(0, limit.rows)
  const gone = new Set(deleted)
  const rows = HashMap.filter(state.deliveries.rows, (row) => !gone.has(row))
  const count = closed.filter((event) => event.rows.every((row) => gone.has(row))).length
  const swept = { ...state, deliveries: { ...state.deliveries, rows } }
  const isMore = deleted.length < closed.reduce((sum, event) => sum + event.rows.length, 0)
  // The next step must begin with the same webhook events, because some of their deliveries are left.
  if (isMore) return [{ count, after: after ?? 0 }, swept]
  const keys = seen.map(({ key }) => key)
  return [stepOver(keys, seen.length < next.length ? seen.length : limit.rows, count), swept]
}
