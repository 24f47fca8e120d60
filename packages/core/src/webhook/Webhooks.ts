import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as WebhookAudit from "./WebhookAudit.ts"
import { AccountLimits, type LimitReached } from "../access/AccountLimits.ts"
import { Principal } from "../access/Principal.ts"
import { Crypto } from "../crypto/Crypto.ts"
import { SecretBox } from "../crypto/SecretBox.ts"
import * as SecretContext from "../crypto/SecretContext.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import type * as Page from "../values/Page.ts"
import * as Timestamp from "../values/Timestamp.ts"
import { MissingParameter, type ValidationError } from "../values/ValidationError.ts"
import { type Delivery, type DeliveryDetail, DeliveryId } from "../delivery/Delivery.ts"
import { DeliverySignal } from "../delivery/DeliverySignal.ts"
import { DeliveryStore } from "../delivery/DeliveryStore.ts"
import { isEnabled, type Webhook } from "./Webhook.ts"
import { WebhookId } from "../webhook-event/WebhookEndpoint.ts"
import { type DeliveryNotFound, type InvalidEvent, WebhookNotFound } from "./WebhookError.ts"
import {
  eventNames,
  DeliveryQuery,
  RotateSecret,
  CreateWebhook,
  PatchWebhook,
  PutWebhook,
  RedeliverFailed,
  urlForm
} from "./WebhookInput.ts"
import { InvalidUrl, WebhookSender } from "../delivery/WebhookSender.ts"
import * as WebhookDeliveries from "./WebhookDeliveries.ts"
import * as WebhookQuota from "./WebhookQuota.ts"
import * as WebhookSignature from "../webhook-event/WebhookSignature.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import { WebhookStore } from "./WebhookStore.ts"

/** The default grace time after a rotation, in which the old secret also signs (D-HOOK-11). */
export const defaultGrace: Duration.Duration = Duration.hours(24)

/** A webhook with a new secret. No later answer contains the secret. */
export interface IssuedWebhook {
  readonly webhook: Webhook
  readonly secret: Redacted.Redacted<string>
}

const inputs: Input.Inputs<Webhooks["Service"]> = {
  create: [{ input: CreateWebhook }],
  get: [{ id: WebhookId }],
  put: [{ id: WebhookId }, { input: PutWebhook }],
  patch: [{ id: WebhookId }, { input: PatchWebhook }],
  delete: [{ id: WebhookId }],
  rotateSecret: [{ id: WebhookId }, { input: Schema.UndefinedOr(RotateSecret) }],
  test: [{ id: WebhookId }],
  deliveries: [{ id: WebhookId }, { query: Schema.UndefinedOr(DeliveryQuery) }],
  delivery: [{ id: WebhookId }, { deliveryId: DeliveryId }],
  redeliver: [{ id: WebhookId }, { deliveryId: DeliveryId }],
  redeliverFailed: [{ id: WebhookId }, { selected: RedeliverFailed }]
}

/** The webhooks of the caller's account, with their deliveries (C-4.7-3, D-HOOK-2). */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /**
     * Creates a webhook and its secret, and returns both (C-2.7-3). A webhook event that is listed twice counts once.
     *
     * Fails in this order: `MissingParameter` with all missing fields; `InvalidUrl`; `InvalidEvent` for an empty list
     * or unknown webhook events; `LimitReached`.
     */
    readonly create: (
      input: CreateWebhook
    ) => Effect.Effect<
      IssuedWebhook,
      MissingParameter | InvalidUrl | InvalidEvent | LimitReached | ValidationError | StorageError,
      Principal
    >
    /** Returns all webhooks of the account, ordered by id. */
    readonly list: Effect.Effect<ReadonlyArray<Webhook>, StorageError, Principal>
    /** Returns a webhook of the account (C-4.7-4). */
    readonly get: (id: WebhookId) => Effect.Effect<Webhook, WebhookNotFound | ValidationError | StorageError, Principal>
    /**
     * Replaces name, URL and webhook events, which are all required. Without `isActive` the status stays (D-HOOK-8).
     * Turning a webhook off cancels its pending and leased deliveries (D-HOOK-9). Turning a disabled webhook on makes
     * it active. A failed one is on already and stays failed. The secret stays.
     */
    readonly put: (
      id: WebhookId,
      input: PutWebhook
    ) => Effect.Effect<
      Webhook,
      WebhookNotFound | MissingParameter | InvalidUrl | InvalidEvent | LimitReached | ValidationError | StorageError,
      Principal
    >
    /** Changes the given fields, with the effects that `put` describes. Pending deliveries go to a new URL. */
    readonly patch: (
      id: WebhookId,
      input: PatchWebhook
    ) => Effect.Effect<
      Webhook,
      WebhookNotFound | InvalidUrl | InvalidEvent | LimitReached | ValidationError | StorageError,
      Principal
    >
    /** Deletes a webhook and its deliveries (D-HOOK-4). Pending deliveries are not sent. */
    readonly delete: (id: WebhookId) => Effect.Effect<void, WebhookNotFound | ValidationError | StorageError, Principal>
    /** Creates a new secret. During the grace time the old one also signs, in the header `webhook-signature`. */
    readonly rotateSecret: (
      id: WebhookId,
      input?: RotateSecret
    ) => Effect.Effect<IssuedWebhook, WebhookNotFound | ValidationError | StorageError, Principal>
    /**
     * Sends the webhook event `webhook.test` to a webhook, and returns the id of the delivery. The webhook needs no
     * subscription and may be disabled. A failed attempt is retried like any other (D-HOOK-10).
     */
    readonly test: (
      id: WebhookId
    ) => Effect.Effect<DeliveryId, WebhookNotFound | ValidationError | StorageError, Principal>
    /** Returns a page of the deliveries of a webhook, the failed ones among them, newest first (C-6.4-4). */
    readonly deliveries: (
      id: WebhookId,
      query?: DeliveryQuery
    ) => Effect.Effect<Page.Page<Delivery>, WebhookNotFound | ValidationError | StorageError, Principal>
    /**
     * Returns a delivery with its request and the last answer (D-DEL-32). The signatures are made with the present
     * secret for the time of the last attempt. They are absent when the secret cannot be opened, and for a caller who
     * may not write webhooks; `signatures` says which. That caller sees none in the answer of the receiver either. A caller who
     * may not read the calendar sees the `ics_url` of the body without its signature.
     */
    readonly delivery: (
      id: WebhookId,
      deliveryId: DeliveryId
    ) => Effect.Effect<DeliveryDetail, WebhookNotFound | DeliveryNotFound | ValidationError | StorageError, Principal>
    /**
     * Makes a delivery due for one more attempt with the same id and the same bytes, without retries. A pending
     * delivery stays as it is. Returns the delivery after the change. Fails with `LimitReached` when it has 50 attempts
     * (`maxAttempts`).
     */
    readonly redeliver: (
      id: WebhookId,
      deliveryId: DeliveryId
    ) => Effect.Effect<
      Delivery,
      WebhookNotFound | DeliveryNotFound | LimitReached | ValidationError | StorageError,
      Principal
    >
    /**
     * Makes the failed deliveries of a webhook due for one more attempt each, the oldest first (D-DEL-33): those whose webhook event
     * happened from `since` to `until`. One call makes at most 5,000 due. When more are left, `after` says where the next call
     * continues; pass it with the same `since` and the returned `until`. A delivery with 50 attempts (`maxAttempts`) stays failed.
     */
    readonly redeliverFailed: (
      id: WebhookId,
      selected: RedeliverFailed
    ) => Effect.Effect<
      WebhookDeliveries.FailedRedeliveries,
      WebhookNotFound | ValidationError | StorageError,
      Principal
    >
  }
>()("@frontdesk/core/webhook/Webhooks") {
  /** The service on the stores. `WebhookSender` checks the URLs. */
  static readonly layer: Layer.Layer<
    Webhooks,
    never,
    AuditStore | Transaction | WebhookStore | DeliveryStore | WebhookSender | Crypto
  > = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const limits = yield* AccountLimits
      const transaction = yield* Transaction
      const store = yield* WebhookStore
      const deliveryStore = yield* DeliveryStore
      const sender = yield* WebhookSender
      const crypto = yield* Crypto
      const box = yield* SecretBox
      const newSecret = Effect.provideService(WebhookSignature.generateSecret, Crypto, crypto)

      const lookUp = Effect.fnUntraced(function* (id: WebhookId, find: typeof store.find) {
        const { account } = yield* Principal
        const webhook = yield* find(account.id, id)
        return Option.isSome(webhook) ? webhook.value : yield* new WebhookNotFound({ webhookId: id })
      })

      const get = Tracing.operation("Webhooks.get")(function* (id: WebhookId) {
        return yield* lookUp(id, store.find)
      })

      /** Returns the webhook and locks it until the transaction ends. */
      const findForUpdate = (id: WebhookId) => lookUp(id, store.findForUpdate)

      const deliveries = yield* WebhookDeliveries.make({ find: get, findForUpdate })

      // The sender knows the reason better, and a lenient sender may accept other texts.
      const checkUrl = Effect.fnUntraced(function* (url: string) {
        yield* sender.checkUrl(url)
        if (!urlForm.test(url)) return yield* new InvalidUrl({ reason: "must be an absolute URL" })
      })

      const create = Tracing.operation("Webhooks.create")(function* (input: CreateWebhook) {
        const { account } = yield* Principal
        const { name, url, subscribedEvents } = yield* complete(input)
        yield* checkUrl(url)
        const events = yield* Effect.fromResult(eventNames(subscribedEvents))
        const present = yield* store.list(account.id)
        yield* Effect.fromResult(
          WebhookQuota.check(limits, present, [...present, { name, url, subscribedEvents: events }])
        )
        const secret = yield* newSecret
        const now = yield* DateTime.now
        const sealed = yield* box.seal(secret, SecretContext.webhookSecret(account.id))
        const insert = store.insert(
          {
            accountId: account.id,
            name,
            url,
            subscribedEvents: events,
            status: "active",
            createdAt: now,
            updatedAt: now,
            lastDeliveryAt: null,
            lastSuccessAt: null,
            lastFailureAt: null,
            lastFailureStatus: null,
            consecutiveFailures: 0
          },
          sealed
        )
        const webhook = yield* transaction.run(
          Effect.tap(insert, (created) => audit.created("webhooks.create", WebhookAudit.kind, created))
        )
        return { webhook, secret }
      })

      const change = Effect.fnUntraced(function* (
        operation: Change,
        id: WebhookId,
        input: PatchWebhook,
        events: Webhook["subscribedEvents"] | undefined
      ) {
        const before = yield* findForUpdate(id)
        const after: Webhook = {
          ...before,
          name: input.name ?? before.name,
          url: input.url ?? before.url,
          subscribedEvents: events ?? before.subscribedEvents,
          status: statusAfter(before, input.isActive),
          updatedAt: yield* DateTime.now
        }
        const present = yield* store.list(before.accountId)
        const changed = present.map((webhook) => (webhook.id === id ? after : webhook))
        yield* Effect.fromResult(WebhookQuota.check(limits, present, changed))
        yield* store.update(after)
        if (isEnabled(before) && !isEnabled(after)) yield* deliveryStore.cancelOpen(id)
        yield* audit.changed(operation, WebhookAudit.kind, before, after)
        return after
      }, transaction.run)

      const changeChecked = Effect.fnUntraced(function* (operation: Change, id: WebhookId, input: PatchWebhook) {
        // Outside the transaction, because the check may wait for a name server.
        if (input.url !== undefined) yield* checkUrl(input.url)
        const events =
          input.subscribedEvents === undefined
            ? undefined
            : yield* Effect.fromResult(eventNames(input.subscribedEvents))
        return yield* change(operation, id, input, events)
      })

      const patch = Tracing.operation("Webhooks.patch")(function* (id: WebhookId, input: PatchWebhook) {
        return yield* changeChecked("webhooks.patch", id, input)
      })

      const put = Tracing.operation("Webhooks.put")(function* (id: WebhookId, input: PutWebhook) {
        const isActive = input.isActive ?? undefined
        const changes = { ...(yield* complete(input)), ...(isActive === undefined ? {} : { isActive }) }
        return yield* changeChecked("webhooks.put", id, changes)
      })

      const remove = Tracing.operation("Webhooks.delete")(function* (id: WebhookId) {
        const { account } = yield* Principal
        if (!(yield* store.delete(account.id, id))) return yield* new WebhookNotFound({ webhookId: id })
        yield* audit.record("webhooks.delete", { accountId: account.id, type: "webhook", id })
      }, transaction.run)

      const rotateSecret = Tracing.operation("Webhooks.rotateSecret")(function* (
        id: WebhookId,
        input: RotateSecret = {}
      ) {
        const secret = yield* newSecret
        const grace = isGiven(input.graceHours) ? Duration.hours(input.graceHours) : defaultGrace
        const webhook = yield* findForUpdate(id)
        const sealed = yield* box.seal(secret, SecretContext.webhookSecret(webhook.accountId))
        yield* store.rotateSecret(id, sealed, Timestamp.after(yield* DateTime.now, grace))
        const audited = AuditTrail.auditedOf(WebhookAudit.kind, webhook)
        yield* audit.record("webhooks.rotateSecret", audited, FieldChanges.names(["secret"]))
        return { webhook, secret }
      }, transaction.run)

      const list = Effect.flatMap(Principal, ({ account }) => store.list(account.id))

      return Input.service(Webhooks, inputs, {
        create,
        list,
        get,
        put,
        patch,
        delete: remove,
        rotateSecret,
        ...deliveries
      })
    })
  ).pipe(Layer.provide(DeliverySignal.layer))
}

/** The operations that change a webhook. */
type Change = "webhooks.put" | "webhooks.patch"

const complete = Effect.fnUntraced(function* ({ name, url, subscribedEvents }: CreateWebhook) {
  if (isGiven(name) && isGiven(url) && isGiven(subscribedEvents)) return { name, url, subscribedEvents }
  const missing = Object.entries({ name, url, subscribed_events: subscribedEvents })
    .filter(([, value]) => !isGiven(value))
    .map(([field]) => field)
  return yield* new MissingParameter({ fields: [missing[0] ?? "name", ...missing.slice(1)] })
})

const isGiven = Predicate.isNotNullish

const statusAfter = (before: Webhook, isActive: boolean | undefined): Webhook["status"] => {
  if (isActive === undefined || isActive === isEnabled(before)) return before.status
  return isActive ? "active" : "disabled"
}
