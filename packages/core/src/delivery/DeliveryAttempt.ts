import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as LogEvent from "../values/LogEvent.ts"
import { millisBetween } from "../values/Timestamp.ts"
import * as Utf8 from "../values/Utf8.ts"
import type { Deadlines } from "../background/Deadlines.ts"
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
export const send = Effect.fnUntraced(function* (delivery: ClaimedDelivery, lease: Lease, deadlines: Deadlines) {
  const settings = yield* CurrentDeliverySettings
  const startedAt = yield* DateTime.now
  // Every claim may have ended because this delivery stops the process. Sending it again could stop this process too.
  const isExhausted = delivery.claims > settings.maxClaims
  const response: WebhookResponse | NotSent = isExhausted
    ? { _tag: "NoAnswer", reason: "given up: no attempt came to a result" }
    : yield* request(delivery, lease, startedAt, deadlines)
  if (response._tag === "NotSent") return Option.none()
  const endedAt = yield* DateTime.now
  const verdict: RetryPlan.Verdict = isExhausted
    ? { next: { state: "failed" }, webhookStatus: null }
    : RetryPlan.next(delivery, response, endedAt, settings.retryDelays)
  const result: DeliveryResult = {
    key: delivery.key,
    leaseId: delivery.leaseId,
    accountId: delivery.accountId,
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
  if (yield* LogLevel.isEnabled(levels[outcome])) yield* log(delivery, result, outcome, response)
  return Option.some(result)
})

/** The log level by outcome: a warning when the delivery has failed for good, and less when it is retried. */
const levels = { delivered: "Debug", retry: "Info", failed: "Warn", disabled: "Warn" } as const

const log = (
  delivery: ClaimedDelivery,
  { attempt: { durationMs, statusCode } }: DeliveryResult,
  outcome: DeliveryMetrics.Outcome,
  response: WebhookResponse
): Effect.Effect<void> =>
  Effect.logWithLevel(levels[outcome])("webhook attempt").pipe(
    LogEvent.annotate("delivery.attempted"),
    Effect.annotateLogs({
      deliveryId: delivery.id,
      webhookId: delivery.webhookId,
      event: delivery.eventName,
      kind: delivery.kind,
      // The number within the retry plan. The number of manual attempts is known only to the store.
      attempt: delivery.kind === "automatic" ? delivery.results + 1 : null,
      outcome,
      status: statusCode,
      durationMs,
      ...(response._tag === "NoAnswer" && response.detail !== undefined && { detail: response.detail })
    })
  )

const notSent: NotSent = { _tag: "NotSent" }

/**
 * Returns whether the delivery of an old claim may be sent. It is checked in the store, because the webhook may have
 * changed. When the store fails, the delivery is not sent.
 */
const isCurrent = Effect.fnUntraced(
  function* (delivery: ClaimedDelivery) {
    return yield* (yield* DeliveryQueue).isCurrent(delivery)
  },
  Effect.catch(() => Effect.succeed(false)),
  Effect.catchDefect(() => Effect.succeed(false))
)

const request = Effect.fnUntraced(function* (
  delivery: ClaimedDelivery,
  lease: Lease,
  now: DateTime.Utc,
  deadlines: Deadlines
) {
  if (!lease.hasTime()) return notSent
  if (lease.isOld() && !((yield* isCurrent(delivery)) && lease.hasTime())) return notSent
  const { headerPrefix, timeout } = yield* CurrentDeliverySettings
  const sender = yield* WebhookSender
  const response = yield* Effect.flatMap(WebhookHeaders.make(delivery, now, headerPrefix), (headers) =>
    sender.send({ url: delivery.url, headers, body: delivery.body, timeout, mayBegin: lease.hasTime })
  ).pipe(
    Effect.catchDefect((defect) =>
      Effect.as(
        Effect.logError("a webhook request could not be made, and counts as a failed attempt", defect).pipe(
          Effect.annotateLogs({ deliveryId: delivery.id })
        ),
        notMade
      )
    ),
    // A sender ends a request after its timeout. A sender that does not is stopped here, before the lease ends.
    (sending) => deadlines.timeoutOption(sending, Duration.toMillis(timeout) + Duration.toMillis(leaseMargin) / 2)
  )
  return Option.getOrElse(response, (): WebhookResponse => ({ _tag: "NoAnswer", reason: "timed out" }))
})

const notMade: WebhookResponse = { _tag: "NoAnswer", reason: "the request could not be made" }

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
