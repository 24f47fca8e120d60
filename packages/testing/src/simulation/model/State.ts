import type { Attempt, DeliveryId, DeliveryState } from "@frontdesk/core/delivery/Delivery"
import type { WebhookStatus } from "@frontdesk/core/webhook/Webhook"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import type { Entry } from "../Fact.ts"

/** A webhook in the model. Times are epoch milliseconds. */
export interface ModelWebhook {
  readonly id: WebhookId
  url: string
  events: ReadonlyArray<string>
  status: WebhookStatus
  secret: string
  previous: { readonly secret: string; readonly expiresAt: number } | null
  deleted: boolean
  lastDeliveryAt: number | null
  lastSuccessAt: number | null
  lastFailureAt: number | null
  lastFailureStatus: number | null
  consecutiveFailures: number
}

/** A delivery in the model. */
export interface ModelDelivery {
  readonly id: DeliveryId
  readonly webhook: ModelWebhook
  readonly event: string
  /** Webhook and subject. The first attempts of deliveries with the same key keep their order. */
  readonly orderKey: string
  readonly body: string
  readonly createdAt: number
  /** The number of the fact that last made it due at once. */
  dueSinceFact: number
  state: DeliveryState
  dueAt: number | null
  lease: ModelClaim | null
  kind: Attempt["kind"]
  results: number
  claims: number
  attempts: ReadonlyArray<ModelAttempt>
}

/** A recorded attempt. */
export interface ModelAttempt {
  readonly number: number
  readonly kind: Attempt["kind"]
  readonly startedAt: number
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
}

/** A claim of a delivery by a process. `elapsed` counts from the beginning of the simulation. */
export interface ModelClaim {
  readonly process: string
  readonly leaseId: string
  /** Epoch milliseconds of the wall clock. */
  readonly leaseUntil: number
  readonly delivery: ModelDelivery
  readonly elapsed: number
  readonly claims: number
  readonly url: string
  /** The current secret at the time of the claim. `previous` is the one before, with its expiry. */
  readonly secret: string
  readonly previous: ModelWebhook["previous"]
  sent: number | null
  answer: { readonly elapsed: number; readonly status: number | null } | null
  /** The first and the last refusal of its result by the store, and whether it is final. Null: not refused. */
  refused: { readonly since: number; readonly until: number; readonly forGood: boolean } | null
  /** The last time at which the store deferred its result. */
  deferred: Pick<Entry, "elapsed" | "wall"> | null
}

/** The settings that the rules use. Times are in milliseconds. */
export interface ModelSettings {
  readonly maxInFlight: number
  readonly maxInFlightPerWebhook: number
  readonly maxClaims: number
  readonly pollInterval: number
  readonly batchDelay: number
  /** The delay before each retry. */
  readonly retryDelays: ReadonlyArray<number>
  readonly timeout: number
  readonly lease: number
  /** How long after the timeout the engine gives up a sender that does not end the request. */
  readonly timeoutMargin: number
}

/** The state of the model. */
export interface State {
  readonly settings: ModelSettings
  /** Returns whether the clock has shown a time to a process since a given moment. */
  readonly hasRead: (process: string, shown: number, since: number) => boolean
  readonly webhooks: Map<WebhookId, ModelWebhook>
  /** All deliveries, in the order in which they were added. */
  readonly deliveries: Map<string, ModelDelivery>
  readonly claims: Map<string, ModelClaim>
  /** Claims that a process has received and not finished. */
  readonly unfinished: Set<ModelClaim>
  /** The owner name of each process, or null for a process whose name changes with each start. */
  readonly owners: Map<string, string | null>
  /** Processes that have not yet released the claims of an earlier process with their owner name. */
  readonly unreleased: Set<string>
  readonly running: Set<string>
  /** When each stopping process began to stop. */
  readonly stopping: Map<string, number>
  /** The time of the last disturbance: a fault, a process that started or ended, a clock that was set. */
  disturbed: number
  /** The number of slow calls that each process waits for now. */
  readonly waiting: Map<string, number>
  /**
   * Whether the clock was ever set. Then due times no longer match the elapsed time, and rules on time do not apply.
   */
  jumped: boolean
  /** The number of facts. */
  facts: number
  /** When a process was last notified, and the number of that fact. */
  notified: { readonly elapsed: number; readonly fact: number }
  /** When each process last tried to record. */
  readonly recorded: Map<string, number>
  /** When a delivery of an order key last had a result, or was last cancelled or redelivered. */
  readonly lastMoved: Map<string, number>
  /**
   * When the maximum in flight was last reached: by webhook id, for all webhooks (`all`) and for slow ones (`slow`).
   * For a webhook also when a result of it last was not accepted.
   */
  readonly lastFull: Map<string, number>
  /** Webhooks that were ever slow, which share a part of the places in flight. */
  readonly slow: Set<WebhookId>
  /** The first rule that was broken. Null: none. */
  broken: string | null
  /** How often each case occurred, for `Coverage`. */
  readonly cases: Map<string, number>
}

/** Makes the state at the beginning of a history. */
export const make = (settings: ModelSettings, hasRead: State["hasRead"]): State => ({
  settings,
  hasRead,
  webhooks: new Map(),
  deliveries: new Map(),
  claims: new Map(),
  unfinished: new Set(),
  owners: new Map(),
  unreleased: new Set(),
  running: new Set(),
  stopping: new Map(),
  disturbed: 0,
  waiting: new Map(),
  jumped: false,
  facts: 0,
  notified: { elapsed: 0, fact: -1 },
  recorded: new Map(),
  lastMoved: new Map(),
  lastFull: new Map(),
  slow: new Set(),
  broken: null,
  cases: new Map()
})

/** Checks a rule. The first one that does not hold becomes `broken`. */
export const rule = (state: State, sentence: string, holds: boolean): void => {
  if (!holds) state.broken ??= sentence
}

/** Counts a case for `Coverage`. */
export const countCase = (state: State, name: string): void => {
  state.cases.set(name, (state.cases.get(name) ?? 0) + 1)
}

/** Notes a disturbance, after which rules on time do not apply. */
export const disturb = (state: State, { elapsed }: Pick<Entry, "elapsed">): void => {
  state.disturbed = Math.max(state.disturbed, elapsed)
}

/** Returns the time of the last disturbance. While any process waits for a slow call, that is now. */
export const lastDisturbed = (state: State, { elapsed }: Entry): number =>
  state.waiting.size > 0 ? elapsed : state.disturbed

/** Returns the name of a claim. It needs the key of the delivery, because one lease covers several deliveries. */
export const claimName = (leaseId: string, key: number): string => `${leaseId}/${key}`

/** Returns whether a delivery is pending or leased, and its webhook exists. */
export const isOpen = ({ state, webhook }: Pick<ModelDelivery, "state" | "webhook">): boolean =>
  !webhook.deleted && (state === "pending" || state === "leased")

/** Returns the unfinished claims of a process, for one webhook or for all. */
export const unfinishedOf = (state: State, process: string, webhook?: ModelWebhook): ReadonlyArray<ModelClaim> =>
  [...state.unfinished].filter(
    (claim) => claim.process === process && (webhook === undefined || claim.delivery.webhook === webhook)
  )

/** Returns when a process stops waiting for an answer, or null if it does not wait. */
export const waitsUntil = ({ settings }: State, { answer, claims, elapsed, sent }: ModelClaim): number | null =>
  answer !== null || claims > settings.maxClaims ? null : (sent ?? elapsed) + settings.timeout + settings.timeoutMargin

/** Notes the duration of an attempt. After more than a second the webhook is slow. */
export const noteDuration = (state: State, webhook: ModelWebhook, millis: number): void => {
  if (millis > 1_000) state.slow.add(webhook.id)
}

/** The longest time between two offers of the same result, in milliseconds. */
export const offerPeriod = 6_000

/** The age of a claim, in milliseconds, from which the worker checks that it is current before it sends. */
export const maxUncheckedAge = 1_000

/** The longest time, in milliseconds, for which the store must answer after an outage before a process claims. */
export const recoveryPeriod = 5_000

/** Returns whether the store has refused a result temporarily, so that the process offers it again. */
export const willBeOffered = ({ refused }: ModelClaim): boolean => refused !== null && !refused.forGood

/**
 * Returns whether a process may have given up a result: the store has refused it for good, or for long enough while the
 * process was stopping.
 */
export const mayBeGivenUp = (state: State, { process, refused }: ModelClaim): boolean => {
  if (refused === null || refused.forGood) return refused !== null
  const stopping = state.stopping.get(process) ?? Number.POSITIVE_INFINITY
  return refused.until - Math.max(refused.since, stopping) >= offerPeriod
}

/** Cancels the open deliveries of a webhook. */
export const cancel = (state: State, webhook: ModelWebhook, elapsed: number): void => {
  for (const delivery of state.deliveries.values()) {
    if (delivery.webhook !== webhook || !isOpen(delivery)) continue
    if (delivery.state === "leased") countCase(state, "a delivery is cancelled in flight")
    delivery.state = "cancelled"
    delivery.dueAt = null
    delivery.lease = null
    state.lastMoved.set(delivery.orderKey, elapsed)
  }
}
