import type { Delivery } from "@frontdesk/core/delivery/Delivery"
import type { Webhook } from "@frontdesk/core/webhook/Webhook"
import * as DateTime from "effect/DateTime"
import type { Entry } from "../Fact.ts"
import * as claimRules from "./claimRules.ts"
import * as clientRules from "./clientRules.ts"
import * as processRules from "./processRules.ts"
import * as recordRules from "./recordRules.ts"
import * as sendRules from "./sendRules.ts"
import { isOpen, type ModelDelivery, rule, type State } from "./State.ts"

/** Takes note of a fact, and holds it against the rules. */
export const tell = (state: State, entry: Entry): void => {
  const { fact } = entry
  state.facts += 1
  switch (fact._tag) {
    case "Subscribed":
      return clientRules.subscribed(state, fact)
    case "Published":
      return clientRules.published(state, entry, fact)
    case "Tested":
      return clientRules.tested(state, entry, fact)
    case "Changed":
      return clientRules.changed(state, entry, fact)
    case "Deleted":
      return clientRules.deleted(state, fact)
    case "Rotated":
      return clientRules.rotated(state, entry, fact)
    case "Redelivered":
      return clientRules.redelivered(state, entry, fact)
    case "Claimed":
      return claimRules.claimed(state, entry, fact)
    case "Postponed":
      return claimRules.postponed(state, entry, fact)
    case "Released":
      return claimRules.released(state, entry, fact)
    case "Sent":
      return sendRules.sent(state, entry, fact)
    case "Answered":
      return sendRules.answered(state, entry, fact)
    case "Recorded":
      return recordRules.recorded(state, entry, fact)
    case "PassedOver":
      return recordRules.passedOver(state, entry, fact)
    default:
      return processRules.disturbed(state, entry, fact)
  }
}

/** When the store should say that something is next due after a time, or what is due first, with no time given. */
export const nextDue = (state: State, after: number | null): number | null => {
  const times = [...state.deliveries.values()]
    .filter((delivery) => isOpen(delivery))
    .flatMap(({ dueAt }) => (dueAt !== null && (after === null || dueAt > after) ? [dueAt] : []))
  return times.length === 0 ? null : Math.min(...times)
}

/** Whether everything has come to an end. */
export const isSettled = (state: State): boolean => ![...state.deliveries.values()].some(isOpen)

/** Compares a webhook and its deliveries, newest first, as their owner sees them with what the model knows. */
export const compare = (state: State, webhook: Webhook, deliveries: ReadonlyArray<Delivery>, total: number): void => {
  const known = state.webhooks.get(webhook.id)
  if (known === undefined) return
  rule(
    state,
    "the webhook shows what was recorded of it",
    JSON.stringify([webhook.url, webhook.status, webhook.consecutiveFailures, webhook.lastFailureStatus]) ===
      JSON.stringify([known.url, known.status, known.consecutiveFailures, known.lastFailureStatus]) &&
      millis(webhook.lastDeliveryAt) === known.lastDeliveryAt &&
      millis(webhook.lastSuccessAt) === known.lastSuccessAt &&
      millis(webhook.lastFailureAt) === known.lastFailureAt
  )
  const expected = [...state.deliveries.values()].filter((delivery) => delivery.webhook === known).map(shown)
  const actual = deliveries.map(({ attempts, createdAt, eventType, id, nextAttemptAt, status }) => ({
    id,
    eventType,
    status,
    createdAt: millis(createdAt),
    nextAttemptAt: millis(nextAttemptAt),
    attempts: attempts.map(({ number, kind, startedAt, durationMs, statusCode, error }) => ({
      number,
      kind,
      startedAt: millis(startedAt),
      durationMs,
      statusCode,
      error
    }))
  }))
  rule(
    state,
    "the list of deliveries shows every one, newest first, with its attempts",
    total === expected.length && JSON.stringify(actual) === JSON.stringify(expected.toReversed().slice(0, 100))
  )
}

const millis = (time: DateTime.Utc | null): number | null => (time === null ? null : DateTime.toEpochMillis(time))

const shown = ({ attempts, createdAt, dueAt, event, id, state }: ModelDelivery) => ({
  id,
  eventType: event,
  status: state === "leased" ? "pending" : state,
  createdAt,
  nextAttemptAt: state === "pending" ? dueAt : null,
  attempts
})
