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

/** How much of an answer's body is stored, in bytes of UTF-8. */
export const maxBodyBytes = 4_096

/**
 * Sends a claimed delivery, and returns what is to be recorded of it: nothing if it was not sent, because its lease left
 * no time for an attempt, or because it is no longer to be sent to the URL it was claimed with.
 *
 * It never fails: what goes wrong is a result. A delivery that was claimed too often without a result is given up unsent.
 * The log line names the delivery, never its URL or body, which may hold what is not for everyone.
 */
export const send = Effect.fnUntraced(function* (delivery: ClaimedDelivery, lease: Lease) {
  const settings = yield* CurrentDeliverySettings
  const startedAt = yield* DateTime.now
  const exhausted = delivery.claims > settings.maxClaims
  const response: WebhookResponse | NotSent = exhausted
    ? { _tag: "NoAnswer", reason: "given up: no attempt came to a result" }
    : yield* request(delivery, lease, startedAt)
  if (response._tag === "NotSent") return Option.none()
  const endedAt = yield* DateTime.now
  const verdict: RetryPlan.Verdict = exhausted
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
      error: problem(response)
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
      // Of the retry plan; how many there have been by hand too is not known here.
      attempt: delivery.kind === "automatic" ? delivery.results + 1 : null,
      outcome,
      status: result.attempt.statusCode,
      durationMs: result.attempt.durationMs,
      ...(response._tag === "NoAnswer" && response.detail !== undefined && { detail: response.detail })
    })
  )
  return Option.some(result)
})

/** A delivery that is over without success is worth a warning, one that is tried again a notice. */
const logAs = {
  delivered: Effect.logDebug,
  retry: Effect.logInfo,
  failed: Effect.logWarning,
  disabled: Effect.logWarning
}

const notSent: NotSent = { _tag: "NotSent" }

/** Whether a delivery may be sent. A claim that is old is checked against the store: its webhook may have changed. */
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
    // The sender keeps the deadline; this holds one that does not, before the lease ends.
    Effect.timeoutOption(Duration.sum(settings.timeout, Duration.divideUnsafe(leaseMargin, 2))),
    Effect.catchDefect((defect) =>
      Effect.as(
        Effect.logError("a webhook request could not be made", defect).pipe(
          Effect.annotateLogs({ deliveryId: delivery.id })
        ),
        Option.some<WebhookResponse>({ _tag: "NoAnswer", reason: "the request could not be made" })
      )
    )
  )
  return Option.getOrElse(response, (): WebhookResponse => ({ _tag: "NoAnswer", reason: "timed out" }))
})

const problem = (response: WebhookResponse): string | null => {
  if (response._tag === "NoAnswer") return errorText(response.reason)
  return RetryPlan.isSuccess(response) ? null : `the receiver answered ${response.status}`
}

/**
 * Returns an error of a sender as it is stored: at most {@link maxErrorBytes} bytes in JSON, so that a page of deliveries is
 * bounded whatever a sender hands over. A control character, which has six bytes in JSON, becomes a space, and half a
 * surrogate pair becomes U+FFFD.
 */
const errorText = (reason: string): string => {
  const text = Utf8.prefix(reason.replace(/\p{Cc}/gu, " "), maxErrorBytes)
  const wellFormed = text.replace(/\p{Surrogate}/gu, "\uFFFD")
  // A quotation mark and a backslash have two bytes in JSON.
  const escapes = wellFormed.match(/["\\]/g)?.length ?? 0
  return Utf8.prefix(wellFormed, maxErrorBytes - escapes)
}
