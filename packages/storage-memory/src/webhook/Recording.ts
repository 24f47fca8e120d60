import type { DeliveryResult } from "@frontdesk/core/webhook/Delivery"
import type { Webhook } from "@frontdesk/core/webhook/Webhook"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { DeliveryRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

/** Records one result; none when its lease is lost. */
export const record = (state: State, result: DeliveryResult, now: DateTime.Utc): Option.Option<State> =>
  Table.get(state.deliveries, result.key).pipe(
    Option.filter((row) => row.state === "leased" && row.lease?.id === result.leaseId),
    Option.map((row) => ({
      ...state,
      deliveries: Table.update(state.deliveries, row.key, () => tried(row, result)),
      webhooks: Table.update(state.webhooks, row.webhookId, ({ secrets, webhook }) => ({
        secrets,
        webhook: shown(webhook, result, now)
      }))
    }))
  )

const tried = (row: DeliveryRow, { attempt, kind, next }: DeliveryResult): DeliveryRow => ({
  ...row,
  state: next.state,
  dueAt: next.state === "pending" ? next.dueAt : null,
  lease: null,
  kind: "automatic",
  claims: 0,
  results: row.results + (kind === "automatic" ? 1 : 0),
  attempts: [...row.attempts, { ...attempt, number: row.attempts.length + 1, kind }]
})

const shown = (webhook: Webhook, { attempt, webhookStatus }: DeliveryResult, now: DateTime.Utc): Webhook => ({
  ...webhook,
  status: webhook.status === "disabled" ? "disabled" : (webhookStatus ?? webhook.status),
  lastDeliveryAt: now,
  ...(attempt.error === null
    ? { lastSuccessAt: now, consecutiveFailures: 0 }
    : {
        lastFailureAt: now,
        lastFailureStatus: attempt.statusCode,
        consecutiveFailures: webhook.consecutiveFailures + 1
      })
})
