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

/** Applies a fact to the state and checks the rules. */
export const observe = (state: State, entry: Entry): void => {
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
    case "Deferred":
      return recordRules.deferred(state, entry, fact)
    default:
      return processRules.disturbed(state, entry, fact)
  }
}

/** Returns the earliest due time after a time, or the earliest of all for null. Returns null if there is none. */
export const nextDue = (state: State, after: number | null): number | null => {
  const times = [...state.deliveries.values()]
    .filter((delivery) => isOpen(delivery))
    .flatMap(({ dueAt }) => (dueAt !== null && (after === null || dueAt > after) ? [dueAt] : []))
  return times.length === 0 ? null : Math.min(...times)
}

/** Returns whether no delivery is pending or leased. */
export const isSettled = (state: State): boolean => ![...state.deliveries.values()].some(isOpen)

/** Compares a webhook and its deliveries, newest first, as the owner sees them with the state of the model. */
export const compare = (state: State, webhook: Webhook, deliveries: ReadonlyArray<Delivery>, total: number): void => {
  const known = state.webhooks.get(webhook.id)
  if (known === undefined) return
  rule(
    state,
    "a webhook shows the results that were recorded",
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
    "the list of deliveries shows each with its attempts, newest first",
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
