import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AuditStore } from "../audit/AuditStore.ts"
import type { AccountNotFound } from "../access/AccessError.ts"
import { AccountId } from "../access/Account.ts"
import type { LimitReached } from "../access/AccountLimits.ts"
import { Accounts } from "../account/Accounts.ts"
import { Principal } from "../access/Principal.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Transaction } from "../storage/Transaction.ts"
import * as Page from "../values/Page.ts"
import { type Delivery, DeliveryId } from "../delivery/Delivery.ts"
import { DeliverySignal } from "../delivery/DeliverySignal.ts"
import { DeliveryStore, type Step } from "../delivery/DeliveryStore.ts"
import * as FailedRedelivery from "./FailedRedelivery.ts"
import { type Webhook } from "./Webhook.ts"
import { WebhookId } from "../webhook-event/WebhookEndpoint.ts"
import { DeliveryNotFound, WebhookNotFound } from "./WebhookError.ts"
import { DeliveryQuery } from "./WebhookInput.ts"
import { Webhooks } from "./Webhooks.ts"
import { Instant } from "../values/Timestamp.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { WebhookStore } from "./WebhookStore.ts"

/** A webhook with the number of its deliveries that are not finished. */
export interface WebhookOverview {
  readonly webhook: Webhook
  /** The number of deliveries that are pending or in flight. */
  readonly backlog: number
}

/** A delivery with the beginning of the last answer, as the operator sees it. */
export interface DeliveryReport extends Delivery {
  /** The first part of the body of the last answer, "" when there was none; null before the first attempt. */
  readonly lastAnswer: string | null
}

const OnProgress = Schema.declare(
  (value: unknown): value is (count: number) => Effect.Effect<void> => typeof value === "function",
  { expected: "a function" }
)

const inputs: Input.Inputs<WebhookOperations["Service"]> = {
  list: [{ accountId: AccountId }],
  get: [{ id: WebhookId }],
  deliveries: [{ id: WebhookId }, { query: Schema.UndefinedOr(DeliveryQuery) }],
  delivery: [{ id: DeliveryId }],
  redeliver: [{ id: DeliveryId }],
  redeliverFailed: [{ id: WebhookId }, { since: Instant }, { onProgress: Schema.UndefinedOr(OnProgress) }],
  test: [{ id: WebhookId }]
}

/** The webhooks and deliveries of every account, for the operator. The HTTP API does not use this service. */
export class WebhookOperations extends Context.Service<
  WebhookOperations,
  {
    /** Returns the webhooks of an account, ordered by id. */
    readonly list: (
      accountId: AccountId
    ) => Effect.Effect<ReadonlyArray<WebhookOverview>, ValidationError | StorageError>
    /** Returns a webhook of any account. */
    readonly get: (id: WebhookId) => Effect.Effect<Webhook, WebhookNotFound | ValidationError | StorageError>
    /** Returns a page of the deliveries of a webhook, newest first. */
    readonly deliveries: (
      id: WebhookId,
      query?: DeliveryQuery
    ) => Effect.Effect<Page.Page<DeliveryReport>, WebhookNotFound | ValidationError | StorageError>
    /** Returns a delivery of any account. */
    readonly delivery: (
      id: DeliveryId
    ) => Effect.Effect<DeliveryReport, DeliveryNotFound | ValidationError | StorageError>
    /** Makes a delivery due for one more attempt, and returns it, like `Webhooks.redeliver`. */
    readonly redeliver: (
      id: DeliveryId
    ) => Effect.Effect<
      Delivery,
      DeliveryNotFound | WebhookNotFound | AccountNotFound | LimitReached | ValidationError | StorageError
    >
    /**
     * Makes the failed deliveries of a webhook due for one more attempt each, the oldest first, and returns how many.
     * Only deliveries whose webhook event happened at `since` or later count. `onProgress` receives the number so far
     * after each step.
     *
     * A delivery with 50 attempts (`maxAttempts`) stays failed. Each delivery is sent once, even if it fails again
     * meanwhile. When the call fails, the deliveries of earlier steps stay due. A repeated call continues with the
     * others.
     */
    readonly redeliverFailed: (
      id: WebhookId,
      since: DateTime.Utc,
      onProgress?: (count: number) => Effect.Effect<void>
    ) => Effect.Effect<number, WebhookNotFound | ValidationError | StorageError>
    /** Sends the webhook event `webhook.test`, like `Webhooks.test`. */
    readonly test: (
      id: WebhookId
    ) => Effect.Effect<DeliveryId, WebhookNotFound | AccountNotFound | ValidationError | StorageError>
  }
>()("@frontdesk/core/webhook/WebhookOperations") {
  /** The service on the stores and on `Webhooks`, which it calls with the account of the webhook as the caller. */
  static readonly layer: Layer.Layer<
    WebhookOperations,
    never,
    Accounts | AuditStore | Webhooks | WebhookStore | DeliveryStore | Transaction
  > = Layer.effect(
    WebhookOperations,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const redeliverStep = yield* FailedRedelivery.make
      const webhooks = yield* Webhooks
      const store = yield* WebhookStore
      const deliveryStore = yield* DeliveryStore
      const signal = yield* DeliverySignal

      const get = Tracing.operation("WebhookOperations.get")(function* (id: WebhookId) {
        const webhook = yield* store.findAnywhere(id)
        return Option.isSome(webhook) ? webhook.value : yield* new WebhookNotFound({ webhookId: id })
      })

      const locate = Effect.fnUntraced(function* (id: DeliveryId) {
        const owner = yield* deliveryStore.locate(id)
        return Option.isSome(owner) ? owner.value : yield* new DeliveryNotFound({ deliveryId: id })
      })

      const actAs = <A, E>(accountId: AccountId, effect: Effect.Effect<A, E, Principal>) =>
        Effect.flatMap(accounts.principal(accountId), (principal) =>
          Effect.provideService(effect, Principal, principal)
        )

      const report = Effect.fnUntraced(function* (
        { accountId, id }: Pick<Webhook, "accountId" | "id">,
        deliveries: ReadonlyArray<Delivery>
      ) {
        const ids = deliveries.map((delivery) => delivery.id)
        const answers = yield* deliveryStore.lastAnswers(accountId, id, ids)
        return deliveries.map((delivery): DeliveryReport => ({
          ...delivery,
          lastAnswer: answers.get(delivery.id) ?? null
        }))
      })

      const list = Tracing.operation("WebhookOperations.list")(function* (accountId: AccountId) {
        return yield* Effect.forEach(yield* store.list(accountId), (webhook) =>
          Effect.map(deliveryStore.backlog(webhook.id), (backlog): WebhookOverview => ({ webhook, backlog }))
        )
      })

      const deliveries = Tracing.operation("WebhookOperations.deliveries")(function* (
        id: WebhookId,
        query: DeliveryQuery = {}
      ) {
        const webhook = yield* get(id)
        const status = Option.fromUndefinedOr(query.status)
        const page = yield* deliveryStore.list(webhook.accountId, id, status, Page.request(query))
        return { ...page, items: yield* report(webhook, page.items) }
      })

      const delivery = Tracing.operation("WebhookOperations.delivery")(function* (id: DeliveryId) {
        const { accountId, webhookId } = yield* locate(id)
        const found = yield* deliveryStore.find(accountId, webhookId, id)
        const [reported] = yield* report({ accountId, id: webhookId }, Option.toArray(found))
        return reported ?? (yield* new DeliveryNotFound({ deliveryId: id }))
      })

      const redeliver = Tracing.operation("WebhookOperations.redeliver")(function* (id: DeliveryId) {
        const { accountId, webhookId } = yield* locate(id)
        return yield* actAs(accountId, webhooks.redeliver(webhookId, id))
      })

      const redeliverFailed = Tracing.operation("WebhookOperations.redeliverFailed")(function* (
        id: WebhookId,
        since: DateTime.Utc,
        onProgress: (count: number) => Effect.Effect<void> = () => Effect.void
      ) {
        const { accountId } = yield* get(id)
        const now = yield* DateTime.now
        const which = { accountId, webhookId: id, since, until: now }
        let total = 0
        let after: number | null = null
        do {
          const step: Step = yield* redeliverStep({ ...which, after }, now)
          total += step.count
          if (step.count > 0) yield* Effect.andThen(signal.notify, onProgress(total))
          after = step.after
        } while (after !== null)
        return total
      })

      const test = Tracing.operation("WebhookOperations.test")(function* (id: WebhookId) {
        const { accountId } = yield* get(id)
        return yield* actAs(accountId, webhooks.test(id))
      })

      return Input.service(WebhookOperations, inputs, {
        list,
        get,
        deliveries,
        delivery,
        redeliver,
        redeliverFailed,
        test
      })
    })
  ).pipe(Layer.provide(DeliverySignal.layer))
}
