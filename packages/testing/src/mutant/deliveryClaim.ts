import type { AccountId } from "@frontdesk/core/access/Account"
import * as FairShare from "@frontdesk/core/background/FairShare"
import { type ClaimedDelivery, type Delivery, type DeliveryId, maxListed } from "@frontdesk/core/delivery/Delivery"
import { type ClaimRequest, placesOf } from "@frontdesk/core/delivery/DeliveryQueue"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { isEnabled, type Webhook } from "@frontdesk/core/webhook/Webhook"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type DeliveryAdapters, deliveryMutants, type DeliveryMutation } from "./deliveryPorts.ts"
import { justBefore } from "./Mutant.ts"

type Claimed = ReadonlyArray<ClaimedDelivery>

/** Returns a mutation that changes the request, or what the claim returns. */
const changing =
  (
    request: (given: ClaimRequest) => Partial<ClaimRequest>,
    result: (one: ClaimedDelivery, given: ClaimRequest) => Partial<ClaimedDelivery> = () => ({})
  ) =>
  ({ queue }: DeliveryAdapters): DeliveryMutation => ({
    queue: {
      claim: (given) =>
        Effect.map(queue.claim({ ...given, ...request(given) }), (all) =>
          all.map((one) => ({ ...one, ...result(one, given) }))
        )
    }
  })

/** Claims every delivery that is due, and postpones those that are not chosen to when they were due. */
const claimChosen = Effect.fnUntraced(function* (
  { queue }: DeliveryAdapters,
  request: ClaimRequest,
  choose: (due: Claimed) => Claimed | Effect.Effect<Claimed, StorageError>
) {
  const due = yield* queue.claim({
    ...request,
    limit: 100_000,
    perWebhook: 100_000,
    takenPlaces: new Map(),
    takenByAccount: new Map()
  })
  const choice = choose(due)
  const chosen = Effect.isEffect(choice) ? yield* choice : choice
  const keys = new Set(chosen.map(({ key }) => key))
  for (const { dueAt, key } of due.filter((one) => !keys.has(one.key))) {
    yield* queue.postpone([key], request.leaseId, dueAt)
  }
  return chosen
})

/** Returns a mutation that chooses among all deliveries that are due. */
const choosing =
  (choose: (due: Claimed, request: ClaimRequest) => Claimed) =>
  (adapters: DeliveryAdapters): DeliveryMutation => ({
    queue: { claim: (request) => claimChosen(adapters, request, (due) => choose(due, request)) }
  })

const owners = {
  account: ({ accountId }: ClaimedDelivery) => accountId,
  line: ({ webhookId }: ClaimedDelivery) => webhookId
}

/** Returns the deliveries that get the free places. */
const share = (due: Claimed, request: ClaimRequest): Claimed => FairShare.choose(due, owners, placesOf(request))

/** Returns a mutation that has another order of deliveries. */
const ordering = (compare: (a: ClaimedDelivery, b: ClaimedDelivery) => number) =>
  choosing((due, request) => share(due.toSorted(compare), request))

const byDue = (a: ClaimedDelivery, b: ClaimedDelivery) =>
  DateTime.toEpochMillis(a.dueAt) - DateTime.toEpochMillis(b.dueAt)

/** A delivery that was added, in the order of insertion. */
interface Added {
  readonly id: DeliveryId
  readonly webhookId: WebhookId
  readonly accountId: AccountId
  readonly subject: string
  readonly createdAt: DateTime.Utc
}

/** Returns an `add` that remembers the deliveries. With `isAlone` each delivery has a subject of its own. */
const rememberAdded = ({ deliveries }: DeliveryAdapters, isAlone: boolean) => {
  const added: Array<Added> = []
  const add: DeliveryAdapters["deliveries"]["add"] = (event) => {
    const { accountId, createdAt, subject } = event
    for (const { id, webhookId } of event.deliveries) added.push({ id, webhookId, accountId, createdAt, subject })
    return deliveries.add(isAlone ? { ...event, subject: `${added.length}` } : event)
  }
  return { add, added }
}

/** An open delivery, and what was added for it. */
interface Open extends Added {
  readonly shown: Delivery
}

/**
 * Returns a mutation that keeps the order of a subject by itself.
 *
 * @param isWaiting returns whether a delivery waits for an earlier one that is open
 */
const waiting =
  (isWaiting: (delivery: Open, earlier: Open) => boolean) =>
  (adapters: DeliveryAdapters): DeliveryMutation => {
    const { add, added } = rememberAdded(adapters, true)
    const openOf = Effect.fnUntraced(function* (webhookId: WebhookId) {
      const own = added.filter((one) => one.webhookId === webhookId)
      const accountId = own[0]?.accountId
      if (accountId === undefined) return []
      const status = Option.some("pending" as const)
      const page = { page: 1, limit: maxListed }
      const { items } = yield* adapters.deliveries.list(accountId, webhookId, status, page)
      const shown = new Map(items.map((one) => [one.id, one]))
      return own.flatMap((one) => {
        const delivery = shown.get(one.id)
        return delivery === undefined ? [] : [{ ...one, shown: delivery }]
      })
    })
    const choose = (request: ClaimRequest) =>
      Effect.fnUntraced(function* (due: Claimed) {
        const webhookIds = new Set(due.map(({ webhookId }) => webhookId))
        const open = (yield* Effect.forEach(webhookIds, openOf)).flat()
        const rank = new Map(added.map(({ id }, index) => [id, index]))
        const inOrder = open.toSorted((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0))
        const late = new Set<DeliveryId>()
        for (const subject of Map.groupBy(inOrder, (one) => one.subject).values()) {
          for (const [index, one] of subject.entries()) {
            if (subject.slice(0, index).some((earlier) => isWaiting(one, earlier))) late.add(one.id)
          }
        }
        return share(
          due.filter(({ id }) => !late.has(id)),
          request
        )
      })
    return {
      deliveries: { add },
      queue: { claim: (request) => claimChosen(adapters, request, choose(request)) }
    }
  }

const hasAttempt = ({ shown }: Open) => shown.attempts.length > 0

const isSameWebhook = (one: Open, other: Open) => one.webhookId === other.webhookId

/** Returns a mutation of the claim that knows which of the webhooks are not active. */
const withWebhooks =
  (
    claim: (
      adapters: DeliveryAdapters,
      request: ClaimRequest,
      inactive: ReadonlyArray<Webhook>
    ) => Effect.Effect<Claimed, StorageError>
  ) =>
  (adapters: DeliveryAdapters): DeliveryMutation => {
    const { add, added } = rememberAdded(adapters, false)
    const inactive = Effect.gen(function* () {
      const ids = new Set(added.map(({ webhookId }) => webhookId))
      const found = yield* Effect.forEach(ids, adapters.webhooks.findAnywhere)
      return found.flatMap(Option.toArray).filter(({ status }) => status !== "active")
    })
    return {
      deliveries: { add },
      queue: { claim: (request) => Effect.flatMap(inactive, (all) => claim(adapters, request, all)) }
    }
  }

/** Returns a mutation that does not return some deliveries of webhooks that are not active. */
const omitting = (isOmitted: (one: ClaimedDelivery, webhook: Webhook) => boolean) =>
  withWebhooks(({ queue }, request, inactive) =>
    Effect.map(queue.claim(request), (all) =>
      all.filter((one) => !inactive.some((webhook) => webhook.id === one.webhookId && isOmitted(one, webhook)))
    )
  )

/** Returns a mutation that claims as if no webhook were disabled. It returns what `choose` selects. */
const enabling = (choose: (due: Claimed, disabled: ReadonlySet<WebhookId>) => Claimed) =>
  withWebhooks(
    Effect.fnUntraced(function* (adapters, request, inactive) {
      const disabled = inactive.filter((webhook) => !isEnabled(webhook))
      const { webhooks } = adapters
      yield* Effect.forEach(disabled, (webhook) => webhooks.update({ ...webhook, status: "active" }))
      const ids = new Set(disabled.map(({ id }) => id))
      const claimed = yield* claimChosen(adapters, request, (due) => share(choose(due, ids), request))
      yield* Effect.forEach(disabled, webhooks.update)
      return claimed
    })
  )

const isAlwaysSent = ({ eventName, kind }: ClaimedDelivery) => kind === "manual" || eventName === "webhook.test"

/** Mutants of `DeliveryQueue.claim`, by the promises of its documentation. Some also change other ports. */
export const claim = deliveryMutants({
  "claim leases a millisecond less": changing(({ leaseUntil }) => ({ leaseUntil: justBefore(leaseUntil) })),
  "claim leases for another owner": changing(() => ({ owner: "a mutant" })),
  "claim returns the time of the claim as the due time": changing(
    () => ({}),
    (_, { now }) => ({ dueAt: now })
  ),
  "claim returns the end of the lease as the due time": changing(
    () => ({}),
    (_, { leaseUntil }) => ({ dueAt: leaseUntil })
  ),
  "claim returns when the webhook event happened as the due time": (adapters) => {
    const { add, added } = rememberAdded(adapters, false)
    const createdAt = (id: DeliveryId) => added.find((one) => one.id === id)?.createdAt
    return {
      ...changing(
        () => ({}),
        ({ dueAt, id }) => ({ dueAt: createdAt(id) ?? dueAt })
      )(adapters),
      deliveries: { add }
    }
  },
  "claim returns no delivery whose lease has ended": choosing((due, request) =>
    share(
      due.filter(({ claims }) => claims === 1),
      request
    )
  ),
  "claim returns no retry": choosing((due, request) =>
    share(
      due.filter(({ kind, results }) => results === 0 || kind === "manual"),
      request
    )
  ),
  "claim returns the newest of the deliveries first that are due at the same time": ordering(
    (a, b) => byDue(a, b) || b.key - a.key
  ),
  "claim orders by age and not by due time": ordering((a, b) => a.key - b.key),
  "claim orders by webhook": ordering((a, b) => a.webhookId - b.webhookId || byDue(a, b) || a.key - b.key),
  "claim orders by account": ordering((a, b) => a.accountId - b.accountId || byDue(a, b) || a.key - b.key),
  "claim returns retries after first attempts": ordering(
    (a, b) => Math.min(1, a.results) - Math.min(1, b.results) || byDue(a, b) || a.key - b.key
  ),
  "claim returns manual attempts first": ordering(
    (a, b) => Number(b.kind === "manual") - Number(a.kind === "manual") || byDue(a, b) || a.key - b.key
  ),
  "claim returns deliveries last whose lease has ended": ordering(
    (a, b) => Math.min(2, a.claims) - Math.min(2, b.claims) || byDue(a, b) || a.key - b.key
  ),
  "claim gives the places to the deliveries that are due last": choosing((due, request) =>
    share(due.toReversed(), request).toReversed()
  ),
  "claim shares the places by webhook and not by account": choosing((due, request) =>
    FairShare.choose(
      due,
      { account: owners.line, line: owners.line },
      { ...placesOf(request), takenByAccount: request.takenPlaces }
    )
  ),
  "claim shares the places by account and not by webhook": choosing((due, request) => {
    const { perLine, takenByLine, ...places } = placesOf(request)
    const counts = new Map(takenByLine)
    const inLine = due.filter(({ webhookId }) => {
      counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1)
      return (counts.get(webhookId) ?? 0) <= perLine
    })
    const line = ({ key }: ClaimedDelivery) => key
    return FairShare.choose(inLine, { ...owners, line }, { ...places, perLine, takenByLine: new Map() })
  }),
  "claim leaves no place free for accounts that have none": choosing((due, request) => {
    const shared = share(due, request)
    const places = FairShare.afterTaking(placesOf(request), shared, owners)
    const rest = due.filter((one) => !shared.includes(one))
    const alone = { account: ({ key }: ClaimedDelivery) => key, line: owners.line }
    return [...shared, ...FairShare.choose(rest, alone, { ...places, takenByAccount: new Map() })]
  }),
  "claim always examines the same webhooks when many have due deliveries": choosing((due, request) => {
    const lines = [...new Set(due.map(({ webhookId }) => webhookId))].toSorted((a, b) => a - b)
    const examined = new Set(lines.slice(0, 128 + 4 * request.limit))
    return share(
      due.filter(({ webhookId }) => examined.has(webhookId)),
      request
    )
  }),
  "a delivery does not wait for earlier ones of its subject": waiting(() => false),
  "a delivery waits for those of its subject to other webhooks": waiting(
    (one, earlier) => !hasAttempt(one) && !hasAttempt(earlier)
  ),
  "a delivery waits until the earlier ones of its subject have finished": waiting(
    (one, earlier) => isSameWebhook(one, earlier) && !hasAttempt(one)
  ),
  "a retry waits for the first attempts of earlier deliveries": waiting(
    (one, earlier) => isSameWebhook(one, earlier) && !hasAttempt(earlier)
  ),
  "a delivery waits only for an earlier one that is due": waiting(
    (one, earlier) =>
      isSameWebhook(one, earlier) && !hasAttempt(one) && !hasAttempt(earlier) && earlier.shown.nextAttemptAt === null
  ),
  "claim returns due deliveries of a disabled webhook": enabling((due) => due),
  "claim neither returns nor cancels due deliveries of a disabled webhook": enabling((due, disabled) =>
    due.filter((one) => !disabled.has(one.webhookId) || isAlwaysSent(one))
  ),
  "claim does not return a webhook.test to a disabled webhook": omitting(
    ({ eventName }, webhook) => !isEnabled(webhook) && eventName === "webhook.test"
  ),
  "claim does not return a manual attempt to a disabled webhook": omitting(
    ({ kind }, webhook) => !isEnabled(webhook) && kind === "manual"
  ),
  "claim does not return a delivery of a failed webhook": omitting((_, { status }) => status === "failed")
})

/**
 * Claims without a fault, made like those of {@link claim}. All suites pass with them, so the suites find a mutant by its
 * fault and not by how it is made.
 */
export const claimWithoutFault = deliveryMutants({
  choosing: choosing(share),
  waiting: waiting((one, earlier) => isSameWebhook(one, earlier) && !hasAttempt(one) && !hasAttempt(earlier)),
  withWebhooks: withWebhooks((adapters, request) => claimChosen(adapters, request, (due) => share(due, request)))
})
