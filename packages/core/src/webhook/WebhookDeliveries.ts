import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { identity } from "effect/Function"
import { isNotNullish as isGiven } from "effect/Predicate"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import * as WebhookAudit from "./WebhookAudit.ts"
import type { AccountId } from "../access/Account.ts"
import { LimitReached } from "../access/AccountLimits.ts"
import { isAllowed } from "../access/Authorization.ts"
import { Principal } from "../access/Principal.ts"
import { Crypto } from "../crypto/Crypto.ts"
import { type Delivery, DeliveryId, maxAttempts, type SignatureState } from "../delivery/Delivery.ts"
import { DeliverySignal } from "../delivery/DeliverySignal.ts"
import { CurrentDeliverySettings } from "../delivery/DeliverySettings.ts"
import { DeliveryStore, type Step, type StoredRequest } from "../delivery/DeliveryStore.ts"
import * as SecretResolver from "../delivery/SecretResolver.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { instantOf } from "../values/DateTimeText.ts"
import * as FieldProblems from "../values/FieldProblems.ts"
import * as Page from "../values/Page.ts"
import * as Tracing from "../values/Tracing.ts"
import { ValidationError } from "../values/ValidationError.ts"
import * as Utf8 from "../values/Utf8.ts"
import * as WebhookHeaders from "../webhook-event/WebhookHeaders.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"
import * as FailedRedelivery from "./FailedRedelivery.ts"
import * as HiddenSignatures from "./HiddenSignatures.ts"
import * as TestWebhookEvent from "./TestWebhookEvent.ts"
import type { Webhook } from "./Webhook.ts"
import { DeliveryNotFound, type WebhookNotFound } from "./WebhookError.ts"
import type { DeliveryQuery, RedeliverFailed } from "./WebhookInput.ts"

/** Returns a webhook of the caller's account. */
type Find = (id: WebhookId) => Effect.Effect<Webhook, WebhookNotFound | StorageError, Principal>

/** The maximum number of steps of a request, so that it ends soon however many deliveries have failed. */
const maxSteps = 10

/** How far a request to send failed deliveries again has come. */
export interface FailedRedeliveries {
  /** How many deliveries this request has made due. */
  readonly redelivered: number
  /** The latest time of the webhook events that the request selects. */
  readonly until: DateTime.Utc
  /** Where the next request continues; null when no failed delivery is left. */
  readonly after: number | null
}

/** Returns the methods of `Webhooks` for the deliveries of a webhook. `findForUpdate` locks the webhook that it finds. */
export const make = Effect.fnUntraced(function* ({ find, findForUpdate }: { find: Find; findForUpdate: Find }) {
  const audit = yield* AuditTrail.make
  const transaction = yield* Transaction
  const store = yield* DeliveryStore
  const crypto = yield* Crypto
  const signal = yield* DeliverySignal
  const { headerPrefix } = yield* CurrentDeliverySettings
  const openSecrets = yield* SecretResolver.makeOpen
  const redeliverStep = yield* FailedRedelivery.make

  const test = Tracing.operation("Webhooks.test")(function* (id: WebhookId) {
    const deliveryId = DeliveryId.make(yield* crypto.uuidV7)
    yield* transaction.run(
      Effect.gen(function* () {
        const webhook = yield* findForUpdate(id)
        const now = yield* DateTime.now
        yield* store.add({
          accountId: webhook.accountId,
          name: "webhook.test",
          // A subject of its own, because deliveries of one subject wait for each other.
          subject: `test:${deliveryId}`,
          body: TestWebhookEvent.payload(webhook, now),
          createdAt: now,
          deliveries: [{ id: deliveryId, webhookId: id }]
        })
        yield* audit.record("webhooks.test", AuditTrail.auditedOf(WebhookAudit.kind, webhook))
      })
    )
    yield* signal.notify
    return deliveryId
  })

  // Without a status, the failed deliveries are among them (C-6.4-4).
  const deliveries = Tracing.operation("Webhooks.deliveries")(function* (id: WebhookId, query: DeliveryQuery = {}) {
    const { accountId } = yield* find(id)
    return yield* store.list(accountId, id, Option.fromUndefinedOr(query.status), Page.request(query))
  })

  const redeliver = Tracing.operation("Webhooks.redeliver")(function* (id: WebhookId, deliveryId: DeliveryId) {
    const findDelivery = Effect.fnUntraced(function* ({ accountId }: Webhook) {
      const delivery = yield* store.find(accountId, id, deliveryId)
      return Option.isSome(delivery) ? delivery.value : yield* new DeliveryNotFound({ deliveryId })
    })
    const after = yield* transaction.run(
      Effect.gen(function* () {
        const webhook = yield* findForUpdate(id)
        const { attempts, status } = yield* findDelivery(webhook)
        if (status !== "pending" && attempts.length >= maxAttempts) {
          return yield* new LimitReached({ resource: "attempts", limit: maxAttempts })
        }
        yield* store.redeliver(webhook.accountId, id, deliveryId, yield* DateTime.now)
        if (status !== "pending") {
          const audited = { accountId: webhook.accountId, type: "delivery" as const, id: deliveryId }
          yield* audit.record("webhooks.redeliver", audited, FieldChanges.facts({ webhook_id: id }))
        }
        return yield* findDelivery(webhook)
      })
    )
    yield* signal.notify
    return after
  })

  const redeliverFailed = Tracing.operation("Webhooks.redeliverFailed")(function* (
    id: WebhookId,
    selected: RedeliverFailed
  ) {
    const { account } = yield* Principal
    const { accountId } = yield* find(id)
    const now = yield* DateTime.now
    const read = (field: string, text: string) => Effect.fromResult(instantOf(field, text, account.settings.timeZone))
    const since = yield* read("since", selected.since)
    const until = isGiven(selected.until) ? yield* read("until", selected.until) : now
    if (isGiven(selected.until) && DateTime.isLessThan(until, since)) {
      const problem = { field: "until", code: FieldProblems.invalid, message: "Expected a time after since" }
      return yield* new ValidationError({ problems: [problem] })
    }
    let [redelivered, after] = [0, selected.after ?? null]
    for (let steps = 0; steps < maxSteps; steps++) {
      const step: Step = yield* redeliverStep({ accountId, webhookId: id, since, until, after }, now)
      redelivered += step.count
      after = step.after
      if (after === null) break
    }
    if (redelivered > 0) yield* signal.notify
    return { redelivered, until, after } satisfies FailedRedeliveries
  })

  const delivery = Tracing.operation("Webhooks.delivery")(function* (id: WebhookId, deliveryId: DeliveryId) {
    const { accountId, url } = yield* find(id)
    const found = yield* store.find(accountId, id, deliveryId)
    const stored = yield* store.request(accountId, id, deliveryId)
    if (Option.isNone(found) || Option.isNone(stored)) return yield* new DeliveryNotFound({ deliveryId })
    const answers = yield* store.lastAnswers(accountId, id, [deliveryId])
    const { body } = stored.value
    const signed = yield* headersOf(accountId, found.value, stored.value)
    // The body has the link of a calendar event, which gives access to the event as the permission to read it does.
    const withLinks = isAllowed(yield* Principal, "events.ics") ? identity : HiddenSignatures.ofLinks
    // A receiver may repeat what it was sent.
    const withSignatures = signed.signatures === "not_permitted" ? HiddenSignatures.ofDeliveries : identity
    const answer = answers.get(deliveryId)
    return {
      delivery: found.value,
      request: { url, ...signed, body: withLinks(Utf8.decode(body) ?? ""), bodyBytes: body.length },
      answer: answer === undefined ? null : withSignatures(withLinks(answer))
    }
  })

  /** Returns the headers of the last attempt, or of an attempt now before the first one (D-DEL-32). */
  const headersOf = Effect.fnUntraced(function* (
    accountId: AccountId,
    { attempts, eventType: eventName, id }: Delivery,
    { body, secrets }: StoredRequest
  ) {
    const at = attempts.at(-1)?.startedAt ?? (yield* DateTime.now)
    const unsigned = (signatures: SignatureState) => ({
      headers: WebhookHeaders.unsigned({ id, eventName }, at, headerPrefix),
      signatures
    })
    // A caller with a signature could repeat the request, so only those who may send it again see one.
    if (!isAllowed(yield* Principal, "webhooks.redeliver")) return unsigned("not_permitted")
    return yield* openSecrets({ accountId, secrets }, at).pipe(
      Effect.flatMap((opened) => WebhookHeaders.make({ id, eventName, body, secrets: opened }, at, headerPrefix)),
      Effect.provideService(Crypto, crypto),
      Effect.map((headers) => ({ headers, signatures: "present" as const })),
      Effect.catch(() => Effect.succeed(unsigned("secret_unreadable")))
    )
  })

  return { test, deliveries, delivery, redeliver, redeliverFailed }
})
