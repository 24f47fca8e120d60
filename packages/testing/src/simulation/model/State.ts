import type { Attempt, DeliveryId, DeliveryState } from "@frontdesk/core/delivery/Delivery"
import type { WebhookStatus } from "@frontdesk/core/webhook/Webhook"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import type { Entry } from "../Fact.ts"

/** What the model knows of a webhook. Times are epoch milliseconds. */
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

/** What the model knows of a delivery. */
export interface ModelDelivery {
  readonly id: DeliveryId
  readonly webhook: ModelWebhook
  readonly event: string
  /** Deliveries that reach an endpoint in order stand in one line. */
  readonly line: string
  readonly body: string
  readonly createdAt: number
  /** The number of the fact that last made it due at once. */
  askedFor: number
  state: DeliveryState
  dueAt: number | null
  lease: ModelClaim | null
  kind: Attempt["kind"]
  results: number
  claims: number
  attempts: ReadonlyArray<ModelAttempt>
}

/** A recorded try. */
export interface ModelAttempt {
  readonly number: number
  readonly kind: Attempt["kind"]
  readonly startedAt: number
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
}

/** A delivery in the hands of a process. `elapsed` counts from the beginning of the simulation. */
export interface ModelClaim {
  readonly process: string
  readonly leaseId: string
  /** By the wall clock. */
  readonly leaseUntil: number
  readonly delivery: ModelDelivery
  readonly elapsed: number
  readonly claims: number
  readonly url: string
  /** What signs it: the present secret, and the one before with the time it ends. */
  readonly secret: string
  readonly previous: ModelWebhook["previous"]
  sent: number | null
  answer: { readonly elapsed: number; readonly status: number | null } | null
  /** Since when, until when, and how the process was told that its result is not recorded, if it was. */
  refused: { readonly since: number; readonly until: number; readonly forGood: boolean } | null
  /** When the store last left its result for later, and what the wall clock showed. */
  passedOver: Pick<Entry, "elapsed" | "wall"> | null
}

/** The settings the rules speak of, in milliseconds. */
export interface ModelSettings {
  readonly maxInFlight: number
  readonly maxInFlightPerWebhook: number
  readonly maxClaims: number
  readonly pollInterval: number
  readonly batchDelay: number
  /** The wait before each retry. */
  readonly retryDelays: ReadonlyArray<number>
  readonly timeout: number
  readonly lease: number
  /** By how much the engine outwaits a sender that does not keep the deadline. */
  readonly patience: number
}

/** All the model knows. */
export interface State {
  readonly settings: ModelSettings
  /** Whether the clock has shown a process this since a time. */
  readonly hasRead: (process: string, shown: number, since: number) => boolean
  readonly webhooks: Map<WebhookId, ModelWebhook>
  /** In the order they were added. */
  readonly deliveries: Map<string, ModelDelivery>
  readonly claims: Map<string, ModelClaim>
  /** Claims that a process knows of and has not brought to an end. */
  readonly inHand: Set<ModelClaim>
  /** Under which name each process leases, if it has one that outlives it. */
  readonly owners: Map<string, string | null>
  /** Names of processes whose predecessors' leases have not been released. */
  readonly unreleased: Set<string>
  readonly running: Set<string>
  /** Since when processes have been asked to stop. */
  readonly stopping: Map<string, number>
  /** When something last was in the way: a fault, a process that came or went, a clock that was set. */
  disturbed: number
  /** Processes that the store lets wait now, by how many of their calls. */
  readonly waiting: Map<string, number>
  /** Whether the clock was ever set: what was due then is not due when it was to be. */
  jumped: boolean
  /** How many facts there are. */
  facts: number
  /** When a process was last notified, and the number of that fact. */
  notified: { readonly elapsed: number; readonly fact: number }
  /** When each process last recorded, or tried to. */
  readonly recorded: Map<string, number>
  /** When a line last moved on, and an endpoint last had no place, by their names. */
  readonly moved: Map<string, number>
  readonly full: Map<string, number>
  /** Webhooks that were ever slow: they may have to share. */
  readonly slow: Set<WebhookId>
  /** The first rule that was broken. */
  broken: string | null
  /** How often each interesting thing happened. */
  readonly seen: Map<string, number>
}

/** Nothing has happened yet. */
export const make = (settings: ModelSettings, hasRead: State["hasRead"]): State => ({
  settings,
  hasRead,
  webhooks: new Map(),
  deliveries: new Map(),
  claims: new Map(),
  inHand: new Set(),
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
  moved: new Map(),
  full: new Map(),
  slow: new Set(),
  broken: null,
  seen: new Map()
})

/** A rule: it must hold. */
export const rule = (state: State, sentence: string, holds: boolean): void => {
  if (!holds) state.broken ??= sentence
}

/** Something interesting happened. */
export const saw = (state: State, thing: string): void => {
  state.seen.set(thing, (state.seen.get(thing) ?? 0) + 1)
}

/** Something is in the way of whoever wants to be on time. */
export const disturb = (state: State, { elapsed }: Pick<Entry, "elapsed">): void => {
  state.disturbed = Math.max(state.disturbed, elapsed)
}

/** When something last was in the way: now, while the store lets anybody wait. */
export const lastDisturbed = (state: State, { elapsed }: Entry): number =>
  state.waiting.size > 0 ? elapsed : state.disturbed

/** The name of a claim: a lease covers several deliveries. */
export const claimName = (leaseId: string, key: number): string => `${leaseId}/${key}`

/** Whether it is still to be sent, or being sent. */
export const isOpen = ({ state, webhook }: Pick<ModelDelivery, "state" | "webhook">): boolean =>
  !webhook.deleted && (state === "pending" || state === "leased")

/** The claims a process has on its hands, for one webhook or for all. */
export const held = (state: State, process: string, webhook?: ModelWebhook): ReadonlyArray<ModelClaim> =>
  [...state.inHand].filter(
    (claim) => claim.process === process && (webhook === undefined || claim.delivery.webhook === webhook)
  )

/** When a process stops waiting for an answer; null: it is not waiting. */
export const waitsUntil = ({ settings }: State, { answer, claims, elapsed, sent }: ModelClaim): number | null =>
  answer !== null || claims > settings.maxClaims ? null : (sent ?? elapsed) + settings.timeout + settings.patience

/** An attempt took so long; after more than a second its webhook is slow. */
export const took = (state: State, webhook: ModelWebhook, millis: number): void => {
  if (millis > 1_000) state.slow.add(webhook.id)
}

/** How long after the last time a result is offered again at the latest, in milliseconds. */
export const persistence = 6_000

/** How old a claim may become, in milliseconds, before the store is asked whether it may still be sent. */
export const fresh = 1_000

/** How long a store that was out of reach must answer again, at most, before a process claims. */
export const quiet = 5_000

/** Whether a result waits for a store that could not take it. */
export const isKept = ({ refused }: ModelClaim): boolean => refused !== null && !refused.forGood

/**
 * Whether a process may have given up a result: the store refused it for good, or for long while the process stopped.
 */
export const mayBeGivenUp = (state: State, { process, refused }: ModelClaim): boolean => {
  if (refused === null || refused.forGood) return refused !== null
  const stopping = state.stopping.get(process) ?? Number.POSITIVE_INFINITY
  return refused.until - Math.max(refused.since, stopping) >= persistence
}

/** Cancels what is pending or leased of a webhook. */
export const cancel = (state: State, webhook: ModelWebhook, elapsed: number): void => {
  for (const delivery of state.deliveries.values()) {
    if (delivery.webhook !== webhook || !isOpen(delivery)) continue
    if (delivery.state === "leased") saw(state, "a delivery is cancelled in flight")
    delivery.state = "cancelled"
    delivery.dueAt = null
    delivery.lease = null
    state.moved.set(delivery.line, elapsed)
  }
}
