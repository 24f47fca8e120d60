import type { DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import * as DisabledWebhook from "@frontdesk/core/delivery/DisabledWebhook"
import * as DeliveryTransition from "@frontdesk/core/delivery/DeliveryTransition"
import * as RetryPlan from "@frontdesk/core/delivery/RetryPlan"
import type { Webhook } from "@frontdesk/core/webhook/Webhook"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Parts from "../statistics/Parts.ts"
import * as AuditEntries from "../audit/AuditEntries.ts"
import type { DeliveryRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"
import { isOpen } from "./DeliveryClaim.ts"

/**
 * Records results one after the other, and cancels the pending and leased deliveries of the webhooks that they disable
 * (D-DEL-4, D-DEL-13). Returns the keys of the recorded results.
 */
export const record = (
  before: State,
  results: ReadonlyArray<DeliveryResult>,
  now: DateTime.Utc
): readonly [keys: ReadonlyArray<number>, next: State] => {
  const recorded: Array<DeliveryResult> = []
  let state = before
  for (const result of results) {
    const after = recordOne(state, result, now)
    if (Option.isNone(after)) continue
    recorded.push(result)
    state = after.value
  }
  const disabled = recorded.filter(
    ({ url, webhookId, webhookStatus }) =>
      webhookStatus === "disabled" &&
      Option.exists(Table.get(before.webhooks, webhookId), ({ webhook }) => webhook.url === url)
  )
  const ids = [...new Set(disabled.map(({ webhookId }) => webhookId))]
  return [
    recorded.map((result) => result.key),
    ids.reduce((next, id) => audited(before, cancelled(next, id), id, now), state)
  ]
}

/** Appends the entry of the audit log for a webhook that was disabled, unless it was disabled before. */
const audited = (before: State, next: State, id: WebhookId, at: DateTime.Utc): State => {
  const row = Option.getOrUndefined(Table.get(before.webhooks, id))
  if (row === undefined || row.webhook.status === "disabled") return next
  return AuditEntries.appended(next, DisabledWebhook.auditEntry(row.webhook, at))
}

/** Changes the deliveries that satisfy a predicate. Returns their number. */
export const updateWhere = (
  state: State,
  predicate: (row: DeliveryRow) => boolean,
  change: (row: DeliveryRow) => DeliveryRow
): readonly [count: number, next: State] => {
  const rows = Table.where(state.deliveries, predicate)
  const changes = rows.map((before) => ({ before, after: change(before) }))
  const deliveries = Table.replace(
    state.deliveries,
    changes.map(({ after, before }): readonly [number, DeliveryRow] => [before.key, after])
  )
  const counted = changes.reduce((all, { after, before }) => Parts.ofDelivery(all, before, after), state)
  return [rows.length, { ...counted, deliveries }]
}

/** Cancels the pending and leased deliveries of a webhook. */
export const cancelled = (state: State, webhookId: WebhookId): State =>
  updateWhere(state, (row) => row.webhookId === webhookId && isOpen(row), toCancelled)[1]

/** Returns a delivery as cancelled. */
export const toCancelled = (row: DeliveryRow): DeliveryRow => ({
  ...row,
  state: DeliveryTransition.after(row.state, "cancel"),
  dueAt: null,
  lease: null
})

/** Records one result. Returns none if its claim is stale. */
const recordOne = (state: State, result: DeliveryResult, now: DateTime.Utc): Option.Option<State> =>
  Table.get(state.deliveries, result.key).pipe(
    Option.filter((row) => row.state === "leased" && row.lease?.id === result.leaseId),
    Option.map((row) => {
      const after = withAttempt(row, result)
      return {
        ...Parts.ofDelivery(state, row, after),
        deliveries: Table.update(state.deliveries, row.key, () => after),
        webhooks: Table.update(state.webhooks, row.webhookId, ({ secrets, webhook }) => ({
          secrets,
          webhook: withResult(webhook, result, now)
        }))
      }
    })
  )

const triggers = { delivered: "succeed", pending: "retry", failed: "give_up" } as const

const withAttempt = (row: DeliveryRow, { attempt, kind, next, responseBody }: DeliveryResult): DeliveryRow => ({
  ...row,
  state: DeliveryTransition.after(row.state, triggers[next.state]),
  dueAt: next.state === "pending" ? next.dueAt : null,
  lease: null,
  kind: "automatic",
  claims: 0,
  results: row.results + (kind === "automatic" ? 1 : 0),
  attempts: [...row.attempts, { ...attempt, number: row.attempts.length + 1, kind }],
  lastAnswer: responseBody
})

const withResult = (webhook: Webhook, result: DeliveryResult, now: DateTime.Utc): Webhook => ({
  ...webhook,
  // An answer from an earlier URL must not change the status of the webhook at its present URL.
  status: webhook.url === result.url ? RetryPlan.statusAfter(webhook.status, result) : webhook.status,
  lastDeliveryAt: now,
  ...(result.attempt.error === null
    ? { lastSuccessAt: now, consecutiveFailures: 0 }
    : {
        lastFailureAt: now,
        lastFailureStatus: result.attempt.statusCode,
        consecutiveFailures: webhook.consecutiveFailures + 1
      })
})
