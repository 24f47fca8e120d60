import { type ClaimedDelivery, DeliveryStatus } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import type { Webhook } from "@frontdesk/core/webhook/Webhook"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import * as Deliveries from "./Deliveries.ts"
import { type Model, names, pick } from "./Model.ts"
import * as Samples from "./Samples.ts"

type Command =
  | { readonly _tag: "Add"; readonly webhook: number; readonly subject: number }
  | { readonly _tag: "Wait"; readonly minutes: number }
  | {
      readonly _tag: "Claim"
      readonly owner: number
      readonly limit: number
      readonly perWebhook: number
      readonly taken: number
      readonly takenByAccount: number
    }
  | { readonly _tag: "Record"; readonly results: ReadonlyArray<{ readonly claim: number; readonly outcome: Outcome }> }
  | { readonly _tag: "Postpone"; readonly claim: number; readonly minutes: number }
  | { readonly _tag: "Release"; readonly owner: number }
  | { readonly _tag: "Redeliver"; readonly delivery: number }
  | {
      readonly _tag: "RedeliverFailed"
      readonly webhook: number
      readonly since: number
      readonly until: number
      readonly limit: number
    }
  | { readonly _tag: "Cancel"; readonly webhook: number }
  | { readonly _tag: "Delete"; readonly webhook: number }
  | { readonly _tag: "Purge"; readonly limit: number }
  | { readonly _tag: "Sweep"; readonly age: number; readonly limit: number }
  | { readonly _tag: "NextDue" }
  | {
      readonly _tag: "List"
      readonly webhook: number
      readonly status: DeliveryStatus | null
      readonly page: number
      readonly limit: number
    }
  | { readonly _tag: "Webhook"; readonly webhook: number }

type Outcome = "delivered" | "retry" | "failed" | "disabled"

interface State {
  /** The webhooks that exist now. */
  readonly webhooks: Array<Webhook>
  readonly deliveries: Array<{ readonly webhook: Webhook; readonly id: ReturnType<typeof Deliveries.newId> }>
  /** Every delivery that was ever claimed. A command may record the result of a claim that is stale. */
  readonly claimed: Array<ClaimedDelivery>
  readonly name: (id: number | string) => string
  clock: number
}

const webhook = fc.nat({ max: 2 })
const owner = fc.nat({ max: 1 })
const nth = fc.nat({ max: 30 })

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("Add"), webhook, subject: fc.nat({ max: 1 }) }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Wait"), minutes: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      _tag: fc.constant("Claim"),
      owner,
      limit: fc.integer({ min: 1, max: 5 }),
      perWebhook: fc.integer({ min: 1, max: 4 }),
      taken: fc.nat({ max: 5 }),
      takenByAccount: fc.nat({ max: 12 })
    })
  },
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: fc.constant("Record"),
      results: fc.array(
        fc.record({
          claim: nth,
          outcome: fc.constantFrom<Outcome>("delivered", "retry", "retry", "failed", "disabled")
        }),
        { maxLength: 4 }
      )
    })
  },
  fc.record({ _tag: fc.constant("Postpone"), claim: nth, minutes: fc.nat({ max: 3 }) }),
  fc.record({ _tag: fc.constant("Release"), owner }),
  fc.record({ _tag: fc.constant("Redeliver"), delivery: nth }),
  fc.record({
    _tag: fc.constant("RedeliverFailed"),
    webhook,
    since: fc.nat({ max: 12 }),
    until: fc.nat({ max: 3 }),
    limit: fc.integer({ min: 1, max: 3 })
  }),
  fc.record({ _tag: fc.constant("Cancel"), webhook }),
  fc.record({ _tag: fc.constant("Delete"), webhook }),
  fc.record({ _tag: fc.constant("Purge"), limit: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ _tag: fc.constant("Sweep"), age: fc.nat({ max: 12 }), limit: fc.integer({ min: 1, max: 3 }) }),
  fc.constant({ _tag: "NextDue" } as const),
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("List"),
      webhook,
      status: fc.option(fc.constantFrom(...DeliveryStatus.literals)),
      page: fc.integer({ min: 1, max: 3 }),
      limit: fc.integer({ min: 1, max: 4 })
    })
  },
  fc.record({ _tag: fc.constant("Webhook"), webhook })
)

const resultOf = (state: State, claimed: ClaimedDelivery, outcome: Outcome) => {
  switch (outcome) {
    case "delivered":
      return Deliveries.result(claimed, null)
    case "retry":
      return Deliveries.result(claimed, state.clock + 3)
    case "failed":
    case "disabled":
      return Deliveries.finalFailure(claimed, outcome)
  }
}

const step = Effect.fnUntraced(function* (state: State, action: Command) {
  const queue = yield* DeliveryQueue
  const store = yield* DeliveryStore
  const now = Samples.later(state.clock)
  const target = "webhook" in action ? pick(state.webhooks, action.webhook) : undefined

  switch (action._tag) {
    case "Add":
      if (target !== undefined) {
        const id = yield* Deliveries.add(target, `call:${action.subject}`, { createdAt: now })
        state.deliveries.push({ webhook: target, id })
      }
      return undefined
    case "Wait":
      state.clock += action.minutes
      return undefined
    case "Claim": {
      const [first] = state.webhooks
      const claimed = yield* Deliveries.claim(state.clock, {
        ...action,
        leaseUntil: Samples.later(state.clock + 2),
        owner: `owner ${action.owner}`,
        takenPlaces: new Map(first === undefined ? [] : [[first.id, action.taken]]),
        takenByAccount: new Map(first === undefined ? [] : [[first.accountId, action.takenByAccount]])
      })
      state.claimed.push(...claimed)
      return claimed.map(({ id, results, claims, kind }) => ({ id: state.name(id), results, claims, kind }))
    }
    case "Record": {
      const results = action.results.flatMap(({ claim, outcome }) => {
        const claimed = pick(state.claimed, claim)
        return claimed === undefined ? [] : [resultOf(state, claimed, outcome)]
      })
      const { recorded } = yield* queue.record(results, now)
      const ids = state.claimed.filter(({ key }) => recorded.includes(key)).map(({ id }) => state.name(id))
      return [recorded.length, new Set(ids)]
    }
    case "Postpone": {
      const claimed = pick(state.claimed, action.claim)
      return claimed === undefined
        ? undefined
        : yield* queue.postpone([claimed.key], claimed.leaseId, Samples.later(state.clock + action.minutes))
    }
    case "Release":
      return yield* queue.release(`owner ${action.owner}`, now)
    case "Redeliver": {
      const delivery = pick(state.deliveries, action.delivery)
      return delivery === undefined
        ? undefined
        : yield* store.redeliver(delivery.webhook.accountId, delivery.webhook.id, delivery.id, now)
    }
    case "RedeliverFailed": {
      if (target === undefined) return undefined
      const which = {
        accountId: target.accountId,
        webhookId: target.id,
        since: Samples.later(state.clock - action.since),
        until: Samples.later(state.clock - action.until),
        limit: action.limit
      }
      return yield* Deliveries.takeAllSteps((after) => store.redeliverFailed({ ...which, after }, now))
    }
    case "Cancel":
      return target === undefined ? undefined : yield* store.cancelOpen(target.id)
    case "Delete": {
      if (target === undefined) return undefined
      const deleted = yield* (yield* WebhookStore).delete(target.accountId, target.id)
      state.webhooks.splice(state.webhooks.indexOf(target), 1, yield* Samples.makeWebhook(target.accountId))
      return deleted
    }
    case "Purge":
      // The result is not compared: a storage may delete in any number of steps.
      return yield* Effect.asVoid(store.purge(Samples.rowLimit(action.limit)))
    case "Sweep": {
      // A sweep would otherwise count deliveries of deleted webhooks, which a storage may have purged already or not.
      yield* Deliveries.purge
      const before = Samples.later(state.clock - action.age)
      return yield* Deliveries.takeAllSteps((after) =>
        store.sweep({ before, after, limit: Samples.rowLimit(action.limit) })
      )
    }
    case "NextDue":
      return [yield* queue.nextDue(now), yield* queue.oldestDue]
    case "List": {
      if (target === undefined) return undefined
      const page = { page: action.page, limit: action.limit }
      const listed = yield* store.list(target.accountId, target.id, Option.fromNullOr(action.status), page)
      const ids = listed.items.map(({ id }) => id)
      const answers = yield* store.lastAnswers(target.accountId, target.id, ids)
      const shown = Page.map(listed, (delivery) => ({
        ...delivery,
        id: state.name(delivery.id),
        webhookId: state.name(`webhook ${delivery.webhookId}`),
        lastAnswer: answers.get(delivery.id)
      }))
      return [shown, yield* store.backlog(target.id)]
    }
    case "Webhook": {
      if (target === undefined) return undefined
      const found = yield* (yield* WebhookStore).find(target.accountId, target.id)
      return Option.map(found, ({ id: _id, accountId: _accountId, ...shown }) => shown)
    }
  }
})

/**
 * Commands for the deliveries of three webhooks and two processes. Two webhooks belong to one account. The commands
 * include results of stale claims.
 */
export const deliveryModel: Model<Command, State> = {
  command,
  begin: Effect.gen(function* () {
    yield* Deliveries.emptyStore
    const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
    const webhooks = yield* Effect.forEach([account.id, account.id, other.id], (id) => Samples.makeWebhook(id))
    return { webhooks, deliveries: [], claimed: [], name: names(), clock: 0 }
  }),
  step
}
