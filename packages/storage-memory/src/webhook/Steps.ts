import type { FailedDeliveries, OldEvents, Step } from "@frontdesk/core/webhook/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as HashMap from "effect/HashMap"
import type { DeliveryRow, State, WebhookEventRow } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"
import { isOpen } from "./Claim.ts"
import { updateWhere } from "./Recording.ts"

/** A delivery that is to be sent once more: pending, for one manual try. */
export const redelivered = (row: DeliveryRow, now: DateTime.Utc): DeliveryRow => ({
  ...row,
  state: "pending",
  dueAt: now,
  kind: "manual",
  claims: 0
})

/** A step through the failed deliveries of a webhook. */
export const redeliverFailed = (
  state: State,
  { accountId, after, limit, since, until, webhookId }: FailedDeliveries,
  now: DateTime.Utc
): readonly [Step, State] => {
  const keys = Table.where(
    state.deliveries,
    (row) =>
      row.key > (after ?? 0) &&
      row.webhookId === webhookId &&
      row.event.accountId === accountId &&
      row.state === "failed" &&
      DateTime.between(row.event.createdAt, { minimum: since, maximum: until })
  )
    .slice(0, limit)
    .map((row) => row.key)
  const chosen = new Set(keys)
  const [count, next] = updateWhere(
    state,
    (row) => chosen.has(row.key),
    (row) => redelivered(row, now)
  )
  return [step(count, keys, limit), next]
}

/** A step through the events, which are numbered by the first of their deliveries. */
export const sweep = (state: State, { after, before, limit }: OldEvents): readonly [Step, State] => {
  const byEvent = Map.groupBy(
    Table.where(state.deliveries, () => true),
    (row) => row.event
  )
  const seen = [...byEvent]
    .map(([event, rows]) => ({ event, rows, key: rows[0]?.key ?? 0 }))
    .filter(({ key }) => key > (after ?? 0))
    .slice(0, limit)
  const old = seen.filter(({ event }) => DateTime.isLessThan(event.createdAt, before))
  if (old.length === 0) return [{ count: 0, after: null }, state]
  const gone = new Set<WebhookEventRow>(old.filter(({ rows }) => !rows.some(isOpen)).map(({ event }) => event))
  const rows = HashMap.filter(state.deliveries.rows, (row) => !gone.has(row.event))
  return [
    step(
      gone.size,
      seen.map(({ key }) => key),
      limit
    ),
    { ...state, deliveries: { ...state.deliveries, rows } }
  ]
}

/** A step that came to fewer rows than it might have was the last. */
const step = (count: number, keys: ReadonlyArray<number>, limit: number): Step => ({
  count,
  after: keys.length < limit ? null : (keys.at(-1) ?? null)
})
