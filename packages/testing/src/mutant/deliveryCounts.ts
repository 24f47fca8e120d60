import type { Delivery, DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import type { Recorded } from "@frontdesk/core/delivery/DeliveryQueue"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import type { Webhook } from "@frontdesk/core/webhook/Webhook"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type DeliveryAdapters, deliveryMutants, type DeliveryMutation } from "./deliveryPorts.ts"

/** Returns a `WebhookStore` whose reads show other results of the webhook. */
const showing = (
  { webhooks }: DeliveryAdapters,
  change: (webhook: Webhook) => Partial<Webhook>
): Partial<DeliveryAdapters["webhooks"]> => {
  const changed = (webhook: Webhook): Webhook => ({ ...webhook, ...change(webhook) })
  return {
    find: (accountId, id) => Effect.map(webhooks.find(accountId, id), Option.map(changed)),
    findAnywhere: (id) => Effect.map(webhooks.findAnywhere(id), Option.map(changed)),
    findForUpdate: (accountId, id) => Effect.map(webhooks.findForUpdate(accountId, id), Option.map(changed)),
    list: (accountId) => Effect.map(webhooks.list(accountId), (all) => all.map(changed))
  }
}

/** Returns a mutation after which a webhook never shows one of its results. */
const forgetting =
  (field: "lastDeliveryAt" | "lastSuccessAt" | "lastFailureAt" | "lastFailureStatus") =>
  (adapters: DeliveryAdapters): DeliveryMutation => ({ webhooks: showing(adapters, () => ({ [field]: null })) })

const isFailure = ({ attempt }: DeliveryResult): boolean => attempt.error !== null

/**
 * Returns a mutation that stores a wrong number of consecutive failures.
 *
 * @param extra returns how many failures too many a batch of results of one webhook adds, which may be negative
 */
const miscounting =
  (extra: (results: ReadonlyArray<DeliveryResult>, recorded: Recorded) => number) =>
  (adapters: DeliveryAdapters): DeliveryMutation => {
    const extras = new Map<WebhookId, number>()
    return {
      queue: {
        record: (results, now) =>
          Effect.tap(adapters.queue.record(results, now), (recorded) =>
            Effect.sync(() => {
              for (const [id, own] of Map.groupBy(results, ({ webhookId }) => webhookId)) {
                extras.set(id, (extras.get(id) ?? 0) + extra(own, recorded))
              }
            })
          )
      },
      webhooks: showing(adapters, ({ consecutiveFailures, id }) => ({
        consecutiveFailures: consecutiveFailures + (extras.get(id) ?? 0)
      }))
    }
  }

/** Returns a mutation that changes what a webhook shows after a recorded result, until a later result. */
const showingAfter =
  (change: (result: DeliveryResult) => Partial<Webhook>) =>
  (adapters: DeliveryAdapters): DeliveryMutation => {
    const shown = new Map<WebhookId, Partial<Webhook>>()
    return {
      queue: {
        record: (results, now) =>
          Effect.tap(adapters.queue.record(results, now), ({ recorded }) =>
            Effect.sync(() => {
              for (const result of results) {
                if (recorded.includes(result.key)) shown.set(result.webhookId, change(result))
              }
            })
          )
      },
      webhooks: showing(adapters, ({ id }) => shown.get(id) ?? {})
    }
  }

/** Returns a mutation that changes the attempts that a delivery shows. */
const showingAttempts =
  (change: (attempts: Delivery["attempts"]) => Delivery["attempts"]) =>
  ({ deliveries }: DeliveryAdapters): DeliveryMutation => {
    const changed = (delivery: Delivery): Delivery => ({ ...delivery, attempts: change(delivery.attempts) })
    return {
      deliveries: {
        find: (accountId, webhookId, id) => Effect.map(deliveries.find(accountId, webhookId, id), Option.map(changed)),
        list: (accountId, webhookId, status, page) =>
          Effect.map(deliveries.list(accountId, webhookId, status, page), (found) => ({
            ...found,
            items: found.items.map(changed)
          }))
      }
    }
  }

/** Returns a mutation that changes the outcome of `record`. */
const returning =
  (change: (outcome: Recorded, results: ReadonlyArray<DeliveryResult>) => Recorded) =>
  ({ queue }: DeliveryAdapters): DeliveryMutation => ({
    queue: {
      record: (results, now) => Effect.map(queue.record(results, now), (outcome) => change(outcome, results))
    }
  })

/** Returns a mutation that counts the claims of a delivery by itself. `resets` names what sets the count to 0. */
const countingClaims =
  (resets: "record" | "redeliver") =>
  ({ deliveries, queue }: DeliveryAdapters): DeliveryMutation => {
    const counts = new Map<number, number>()
    const keys = new Map<string, number>()
    const leases = new Map<number, string>()
    const add = (key: number, more: number) => counts.set(key, (counts.get(key) ?? 0) + more)
    return {
      queue: {
        claim: (request) =>
          Effect.map(queue.claim(request), (all) =>
            all.map((one) => {
              keys.set(one.id, one.key)
              leases.set(one.key, one.leaseId)
              add(one.key, 1)
              return { ...one, claims: counts.get(one.key) ?? 1 }
            })
          ),
        postpone: (postponed, leaseId, dueAt) =>
          Effect.tap(queue.postpone(postponed, leaseId, dueAt), () =>
            Effect.sync(() => {
              for (const key of postponed.filter((one) => leases.get(one) === leaseId)) {
                leases.delete(key)
                add(key, -1)
              }
            })
          ),
        record: (results, now) =>
          Effect.tap(queue.record(results, now), ({ recorded }) =>
            Effect.sync(() => resets === "record" && recorded.forEach((key) => counts.delete(key)))
          )
      },
      deliveries: {
        redeliver: (accountId, webhookId, id, now) =>
          Effect.tap(deliveries.redeliver(accountId, webhookId, id, now), () =>
            Effect.sync(() => resets === "redeliver" && counts.delete(keys.get(id) ?? 0))
          )
      }
    }
  }

/** Returns a mutation that counts other results of a delivery in addition. */
const countingResults =
  (more: (result: DeliveryResult) => number) =>
  ({ queue }: DeliveryAdapters): DeliveryMutation => {
    const counts = new Map<number, number>()
    return {
      queue: {
        claim: (request) =>
          Effect.map(queue.claim(request), (all) =>
            all.map((one) => ({ ...one, results: one.results + (counts.get(one.key) ?? 0) }))
          ),
        record: (results, now) =>
          Effect.tap(queue.record(results, now), ({ recorded }) =>
            Effect.sync(() =>
              results
                .filter(({ key }) => recorded.includes(key))
                .forEach((result) => counts.set(result.key, (counts.get(result.key) ?? 0) + more(result)))
            )
          )
      }
    }
  }

/**
 * Mutants of the counts and times that `DeliveryQueue.record` returns and stores, one by one. They also change the ports
 * that show what is stored.
 */
export const counts = deliveryMutants({
  "record returns no key as recorded": returning((outcome) => ({ ...outcome, recorded: [] })),
  "record returns a recorded key twice": returning((outcome) => ({
    ...outcome,
    recorded: outcome.recorded.flatMap((key) => [key, key])
  })),
  "record returns only the first recorded key": returning((outcome) => ({
    ...outcome,
    recorded: outcome.recorded.slice(0, 1)
  })),
  "record returns a recorded key as deferred too": returning((outcome) => ({
    ...outcome,
    deferred: outcome.recorded
  })),
  "record returns the result of a lost lease as deferred": returning((outcome, results) => ({
    ...outcome,
    deferred: results.map(({ key }) => key).filter((key) => !outcome.recorded.includes(key))
  })),
  "record does not store the time of the last delivery": forgetting("lastDeliveryAt"),
  "record does not store the time of the last success": forgetting("lastSuccessAt"),
  "record does not store the time of the last failure": forgetting("lastFailureAt"),
  "record does not store the status of the last failure": forgetting("lastFailureStatus"),
  "record stores as the time of a result when its attempt began": ({ queue }) => ({
    queue: { record: (results, now) => queue.record(results, results[0]?.attempt.startedAt ?? now) }
  }),
  "a success deletes the time of the last failure": showingAfter((result) =>
    isFailure(result) ? {} : { lastFailureAt: null }
  ),
  "a success deletes the status of the last failure": showingAfter((result) =>
    isFailure(result) ? {} : { lastFailureStatus: null }
  ),
  "a failure deletes the time of the last success": showingAfter((result) =>
    isFailure(result) ? { lastSuccessAt: null } : {}
  ),
  "a failure without an answer does not change the status of the last failure": (adapters) => {
    const statuses = new Map<WebhookId, number>()
    const remember = (webhook: Webhook) => {
      if (webhook.lastFailureStatus !== null) statuses.set(webhook.id, webhook.lastFailureStatus)
      return { lastFailureStatus: statuses.get(webhook.id) ?? null }
    }
    return { webhooks: showing(adapters, remember) }
  },
  "record counts no consecutive failures": (adapters) => ({
    webhooks: showing(adapters, () => ({ consecutiveFailures: 0 }))
  }),
  "record counts at most one consecutive failure": (adapters) => ({
    webhooks: showing(adapters, ({ consecutiveFailures }) => ({
      consecutiveFailures: Math.min(1, consecutiveFailures)
    }))
  }),
  "a success does not reset the consecutive failures": (adapters) => {
    const failures = new Map<WebhookId, number>()
    return {
      ...miscounting(() => 0)(adapters),
      webhooks: showing(adapters, ({ consecutiveFailures, id }) => {
        failures.set(id, Math.max(failures.get(id) ?? 0, consecutiveFailures))
        return { consecutiveFailures: failures.get(id) ?? 0 }
      })
    }
  },
  "record counts the failures of a batch once": miscounting((results, { recorded }) =>
    Math.min(0, 1 - results.filter((one) => isFailure(one) && recorded.includes(one.key)).length)
  ),
  "record does not count a failed manual attempt as a consecutive failure": miscounting(
    (results) => -results.filter((one) => isFailure(one) && one.kind === "manual").length
  ),
  "record counts a failure that ends the delivery twice": miscounting(
    (results) => results.filter(({ next }) => next.state === "failed").length
  ),
  "record counts the failure of a lost lease": miscounting(
    (results, { recorded }) => results.filter((one) => isFailure(one) && !recorded.includes(one.key)).length
  ),
  "record counts a failure before a success of the same batch": miscounting((results) => {
    const success = results.findLastIndex((one) => !isFailure(one))
    return results.slice(0, Math.max(0, success)).filter(isFailure).length
  }),
  "record counts no failure in a batch with a success": miscounting((results) => {
    const success = results.findLastIndex((one) => !isFailure(one))
    return success < 0 ? 0 : -results.slice(success).filter(isFailure).length
  }),
  "record counts a failure twice that a batch has twice": miscounting(
    (results) => results.filter(isFailure).length - new Set(results.filter(isFailure).map(({ key }) => key)).size
  ),
  "record numbers attempts from 0": showingAttempts((attempts) =>
    attempts.map((attempt) => ({ ...attempt, number: attempt.number - 1 }))
  ),
  "record numbers each attempt 1": showingAttempts((attempts) =>
    attempts.map((attempt) => ({ ...attempt, number: 1 }))
  ),
  "record numbers automatic and manual attempts separately": showingAttempts((attempts) =>
    attempts.map((attempt, index) => ({
      ...attempt,
      number: attempts.slice(0, index + 1).filter(({ kind }) => kind === attempt.kind).length
    }))
  ),
  "record counts the result of a manual attempt": countingResults(({ kind }) => (kind === "manual" ? 1 : 0)),
  "record counts an automatic result twice": countingResults(({ kind }) => (kind === "automatic" ? 1 : 0)),
  "record does not count a failure that ends the delivery": countingResults(({ kind, next }) =>
    kind === "automatic" && next.state === "failed" ? -1 : 0
  ),
  "record does not reset the claims": countingClaims("redeliver"),
  "redeliver does not reset the claims": countingClaims("record")
})
