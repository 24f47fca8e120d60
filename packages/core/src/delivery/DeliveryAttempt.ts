import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as LogEvent from "../values/LogEvent.ts"
import { millisBetween } from "../values/Timestamp.ts"
import * as Utf8 from "../values/Utf8.ts"
import type { Lease } from "../background/Lease.ts"
import { type ClaimedDelivery, type DeliveryResult, maxErrorBytes } from "./Delivery.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import { CurrentDeliverySettings, leaseMargin } from "./DeliverySettings.ts"
import * as RetryPlan from "./RetryPlan.ts"
import * as WebhookHeaders from "../webhook-event/WebhookHeaders.ts"
import { WebhookSender } from "./WebhookSender.ts"
import type { NotSent, WebhookResponse } from "./WebhookSender.ts"

/** The maximum length of the stored body of an answer, in bytes of UTF-8 (D-DEL-16). */
export const maxBodyBytes = 4_096

/**
 * Sends a claimed delivery and returns the result to record. Returns none when the delivery must not be sent now
 * (D-DEL-14). Then the lease has too little time left. Or the claim is older than a second, and the store fails or no
 * longer allows the delivery (`DeliveryQueue.isCurrent`).
 *
 * The effect never fails: an error of the request is a result. When `maxClaims` claims before this one had no result, the
 * delivery is not sent, and its result is `failed` (D-DEL-11). The log line has the id of the delivery. It omits the URL
 * and the body, because both may contain personal data.
 */
export const send = Effect.fnUntraced(function* (delivery: ClaimedDelivery, lease: Lease) {
  const settings = yield* CurrentDeliverySettings
  const startedAt = yield* DateTime.now
  // Every claim may have ended because this delivery stops the process. Sending it again could stop this process too.
  const isExhausted = delivery.claims > settings.maxClaims
  const response: WebhookResponse | NotSent = isExhausted
    ? { _tag: "NoAnswer", reason: "given up: no attempt came to a result" }
    : yield* request(delivery, lease, startedAt)
  if (response._tag === "NotSent") return Option.none()
  const endedAt = yield* DateTime.now
  const verdict: RetryPlan.Verdict = isExhausted
    ? { next: { state: "failed" }, webhookStatus: null }
    : RetryPlan.next(delivery, response, endedAt, settings.retryDelays)
  const result: DeliveryResult = {
    key: delivery.key,
    leaseId: delivery.leaseId,
    webhookId: delivery.webhookId,
    url: delivery.url,
    kind: delivery.kind,
    attempt: {
      startedAt,
      durationMs: millisBetween(startedAt, endedAt),
      statusCode: response._tag === "Answered" ? response.status : null,
      error: errorOf(response)
    },
    responseBody: response._tag === "Answered" ? Utf8.prefix(response.body, maxBodyBytes) : "",
    ...verdict
  }
  const outcome = DeliveryMetrics.outcomeOf(result)
  yield* DeliveryMetrics.attempted(delivery, result, outcome, response)
  yield* logAs[outcome]("webhook attempt").pipe(
    LogEvent.annotate("delivery.attempted"),
    Effect.annotateLogs({
      deliveryId: delivery.id,
      webhookId: delivery.webhookId,
      event: delivery.eventName,
      kind: delivery.kind,
      // The number within the retry plan. The number of manual attempts is known only to the store.
      attempt: delivery.kind === "automatic" ? delivery.results + 1 : null,
      outcome,
      status: result.attempt.statusCode,
      durationMs: result.attempt.durationMs,
      ...(response._tag === "NoAnswer" && response.detail !== undefined && { detail: response.detail })
    })
  )
  return Option.some(result)
})

/** The log level by outcome: a warning when the delivery has failed for good, and less when it is retried. */
const logAs = {
  delivered: Effect.logDebug,
  retry: Effect.logInfo,
  failed: Effect.logWarning,
  disabled: Effect.logWarning
}

const notSent: NotSent = { _tag: "NotSent" }

/**
 * Returns whether a delivery may be sent. An old claim is checked in the store, because the webhook may have changed.
 * When the store fails, the delivery is not sent.
 */
const mayBeSent = Effect.fnUntraced(
  function* (delivery: ClaimedDelivery, lease: Lease) {
    if (!lease.hasTime()) return false
    if (!lease.isOld()) return true
    const isCurrent = yield* (yield* DeliveryQueue).isCurrent(delivery)
    return isCurrent && lease.hasTime()
  },
  Effect.catch(() => Effect.succeed(false)),
  Effect.catchDefect(() => Effect.succeed(false))
)

const request = Effect.fnUntraced(function* (delivery: ClaimedDelivery, lease: Lease, now: DateTime.Utc) {
  if (!(yield* mayBeSent(delivery, lease))) return notSent
  const settings = yield* CurrentDeliverySettings
  const sender = yield* WebhookSender
  const response = yield* WebhookHeaders.make(delivery, now, settings.headerPrefix).pipe(
    Effect.flatMap((headers) =>
      sender.send({
        url: delivery.url,
        headers,
        body: delivery.body,
        timeout: settings.timeout,
        mayBegin: lease.hasTime
      })
    ),
    // A sender ends a request after its timeout. A sender that does not is stopped here, before the lease ends.
    Effect.timeoutOption(Duration.sum(settings.timeout, Duration.divideUnsafe(leaseMargin, 2))),
    Effect.catchDefect((defect) =>
      Effect.as(
        Effect.logError("a webhook request could not be made, and counts as a failed attempt", defect).pipe(
          Effect.annotateLogs({ deliveryId: delivery.id })
        ),
        Option.some<WebhookResponse>({ _tag: "NoAnswer", reason: "the request could not be made" })
      )
    )
  )
  return Option.getOrElse(response, (): WebhookResponse => ({ _tag: "NoAnswer", reason: "timed out" }))
})

const errorOf = (response: WebhookResponse): string | null => {
  if (response._tag === "NoAnswer") return errorText(response.reason)
  return RetryPlan.isSuccess(response) ? null : `the receiver answered ${response.status}`
}

/**
 * Returns the error of a sender in the form that is stored: at most {@link maxErrorBytes} bytes in JSON. The limit
 * bounds the size of a page of deliveries. A control character has six bytes in JSON, so it becomes a space. Half a
 * surrogate pair becomes U+FFFD.
 */
const errorText = (reason: string): string => {
  const text = Utf8.prefix(reason.replace(/\p{Cc}/gu, " "), maxErrorBytes)
  const wellFormed = text.replace(/\p{Surrogate}/gu, "\uFFFD")
  // A quotation mark and a backslash have two bytes in JSON.
  const escapes = wellFormed.match(/["\\]/g)?.length ?? 0
  return Utf8.prefix(wellFormed, maxErrorBytes - escapes)
}
