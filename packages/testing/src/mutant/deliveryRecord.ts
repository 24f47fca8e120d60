import type { DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import type { Webhook } from "@frontdesk/core/webhook/Webhook"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { justAfter, justBefore, mutantsOf } from "./Mutant.ts"

type Queue = DeliveryQueue["Service"]

/** Returns a mutation that changes each result before it is recorded. */
const changing =
  (change: (result: DeliveryResult) => DeliveryResult) =>
  (queue: Queue): Pick<Queue, "record"> => ({ record: (results, now) => queue.record(results.map(change), now) })

/** Returns a mutation that changes the attempt of each result. */
const changingAttempt = (change: (attempt: DeliveryResult["attempt"]) => Partial<DeliveryResult["attempt"]>) =>
  changing((result) => ({ ...result, attempt: { ...result.attempt, ...change(result.attempt) } }))

/** Returns a mutation that changes when the next attempt is due. */
const changingDueAt = (change: (dueAt: DateTime.Utc) => DateTime.Utc) =>
  changing(({ next, ...result }) => ({
    ...result,
    next: next.state === "pending" ? { ...next, dueAt: change(next.dueAt) } : next
  }))

/** Returns the webhook of a result, or undefined for one that was deleted. The tests provide the store. */
const webhookOf = ({ accountId, webhookId }: DeliveryResult) =>
  Effect.gen(function* () {
    const webhooks = yield* Effect.serviceOption(WebhookStore)
    if (Option.isNone(webhooks)) return undefined
    return Option.getOrUndefined(yield* webhooks.value.find(accountId, webhookId))
  })

/** Updates a webhook with the store that the tests provide. */
const update = (webhook: Webhook) =>
  Effect.flatMap(
    Effect.serviceOption(WebhookStore),
    Option.match({ onNone: () => Effect.void, onSome: (webhooks) => webhooks.update(webhook) })
  )

/** Returns the latest lease of each delivery, and a claim that stores it. */
const rememberLeases = (queue: Queue) => {
  const leases = new Map<number, { readonly id: string; readonly until: DateTime.Utc }>()
  const claim: Queue["claim"] = (request) =>
    Effect.tap(queue.claim(request), (all) =>
      Effect.sync(() => all.forEach(({ key, leaseId }) => leases.set(key, { id: leaseId, until: request.leaseUntil })))
    )
  return { claim, leases }
}

/** Mutants of `DeliveryQueue.record`. The mutants of its locks are in `mutant/lock`. */
export const record = mutantsOf(DeliveryQueue, {
  "record has no effect": () => ({
    record: (results) => Effect.succeed({ recorded: results.map(({ key }) => key), deferred: [] })
  }),
  "record returns the results of lost leases": (queue) => ({
    record: (results, now) =>
      Effect.map(queue.record(results, now), (recorded) => ({ ...recorded, recorded: results.map(({ key }) => key) }))
  }),
  "record records the result of a lost lease": (queue) => {
    const { claim, leases } = rememberLeases(queue)
    return {
      claim,
      ...changing((result) => ({ ...result, leaseId: leases.get(result.key)?.id ?? result.leaseId }))(queue)
    }
  },
  "record ignores a result after the end of its lease": (queue) => {
    const { claim, leases } = rememberLeases(queue)
    return {
      claim,
      record: (results, now) => {
        const isInTime = ({ key }: DeliveryResult) =>
          DateTime.isGreaterThan(leases.get(key)?.until ?? justAfter(now), now)
        return queue.record(results.filter(isInTime), now)
      }
    }
  },
  "record records one result of a batch": (queue) => ({
    record: (results, now) => queue.record(results.slice(0, 1), now)
  }),
  "record stores a later time": (queue) => ({ record: (results, now) => queue.record(results, justAfter(now)) }),
  "record drops the answer": changing((result) => ({ ...result, responseBody: "" })),
  "record drops the status of the answer": changingAttempt(() => ({ statusCode: null })),
  "record drops the error": changingAttempt(() => ({ error: null })),
  "record drops the duration": changingAttempt(() => ({ durationMs: 0 })),
  "record stores a later start of the attempt": changingAttempt(({ startedAt }) => ({
    startedAt: justAfter(startedAt)
  })),
  "record stores a manual attempt as automatic": changing((result) => ({ ...result, kind: "automatic" })),
  "record stores an automatic attempt as manual": changing((result) => ({ ...result, kind: "manual" })),
  "record makes the next attempt due a millisecond early": changingDueAt(justBefore),
  "record makes the next attempt due a millisecond late": changingDueAt(justAfter),
  "record plans no next attempt": changing((result) =>
    result.next.state === "pending" ? { ...result, next: { state: "failed" } } : result
  ),
  "record stores a failed delivery as delivered": changing((result) =>
    result.next.state === "failed" ? { ...result, next: { state: "delivered" } } : result
  ),
  "record stores a delivered delivery as failed": changing((result) =>
    result.next.state === "delivered" ? { ...result, next: { state: "failed" } } : result
  ),
  "record ignores the status of the webhook": changing((result) => ({ ...result, webhookStatus: null })),
  "record does not make a failed webhook active": changing((result) =>
    result.webhookStatus === "active" ? { ...result, webhookStatus: null } : result
  ),
  "record makes a webhook failed instead of disabled": changing((result) =>
    result.webhookStatus === "disabled" ? { ...result, webhookStatus: "failed" } : result
  ),
  "a result that disables the webhook cancels nothing": (queue) => ({
    record: Effect.fnUntraced(function* (results, now) {
      const recorded = yield* queue.record(
        results.map((one) => (one.webhookStatus === "disabled" ? { ...one, webhookStatus: null } : one)),
        now
      )
      for (const result of results.filter(({ webhookStatus }) => webhookStatus === "disabled")) {
        const webhook = yield* webhookOf(result)
        if (recorded.recorded.includes(result.key) && webhook?.url === result.url) {
          yield* update({ ...webhook, status: "disabled" })
        }
      }
      return recorded
    })
  }),
  "a result that disables the webhook cancels other results of the batch": (queue) => ({
    record: Effect.fnUntraced(function* (results, now) {
      const [disabling, others] = [true, false].map((isDisabling) =>
        results.filter(({ webhookStatus }) => (webhookStatus === "disabled") === isDisabling)
      )
      const first = yield* queue.record(disabling ?? [], now)
      const rest = yield* queue.record(others ?? [], now)
      return { recorded: [...first.recorded, ...rest.recorded], deferred: [...first.deferred, ...rest.deferred] }
    })
  }),
  "a success makes a disabled webhook active": (queue) => ({
    record: Effect.fnUntraced(function* (results, now) {
      const recorded = yield* queue.record(results, now)
      for (const result of results.filter(({ webhookStatus }) => webhookStatus === "active")) {
        const webhook = yield* webhookOf(result)
        if (recorded.recorded.includes(result.key) && webhook?.status === "disabled") {
          yield* update({ ...webhook, status: "active" })
        }
      }
      return recorded
    })
  }),
  "record ignores that the webhook has another URL": (queue) => ({
    record: Effect.fnUntraced(function* (results, now) {
      const moved: Array<DeliveryResult> = []
      for (const result of results) moved.push({ ...result, url: (yield* webhookOf(result))?.url ?? result.url })
      return yield* queue.record(moved, now)
    })
  }),
  "record ignores a result of another URL": (queue) => ({
    record: Effect.fnUntraced(function* (results, now) {
      const present: Array<DeliveryResult> = []
      for (const result of results) if ((yield* webhookOf(result))?.url === result.url) present.push(result)
      return yield* queue.record(present, now)
    })
  })
})
