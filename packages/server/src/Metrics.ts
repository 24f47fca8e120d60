import * as ReminderMetrics from "@frontdesk/core/reminder/ReminderMetrics"
import { reconciled } from "@frontdesk/core/worker/CallReconciliationWorker"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import * as DeliveryMetrics from "@frontdesk/core/delivery/DeliveryMetrics"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"

/** What each webhook has in flight. */
export const inFlightByWebhook = "frontdesk_webhook_in_flight_by_webhook"

/** A counter that begins at 0 for each of these labels: `increase` does not see the first count of a new series. */
const zero = (counter: typeof reconciled, ...labels: ReadonlyArray<Readonly<Record<string, string>>>) =>
  Effect.forEach(labels, (label) => Metric.value(Metric.withAttributes(counter, label)), { discard: true })

/** Has the metrics show that say something also before anything has happened: no alert on them lacks its series. */
const fromTheStart = Effect.all(
  [
    Metric.value(DeliveryMetrics.durations),
    Metric.value(DeliveryMetrics.lag),
    Metric.value(DeliveryMetrics.oldestDue),
    Metric.value(DeliveryMetrics.inFlight),
    Metric.value(DeliveryMetrics.lostLeases),
    Metric.value(DeliveryMetrics.unreadable),
    Metric.value(ReminderMetrics.sent),
    Metric.value(ReminderMetrics.lag),
    zero(DeliveryMetrics.attempts, ...["3xx", "4xx", "5xx", "none"].map((answer) => ({ result: "failed", answer })), {
      result: "disabled",
      answer: "4xx"
    }),
    zero(reconciled, ...["known", "not_found", "unreachable", "failed"].map((result) => ({ result })))
  ],
  { discard: true }
)

/**
 * `GET /metrics`: everything that is counted, in the text form of Prometheus.
 *
 * What each webhook has in flight is asked of the dispatcher at that moment: a series for every webhook there ever was
 * would be kept for ever.
 */
export const make = Effect.gen(function* () {
  const dispatcher = yield* DeliveryWorker
  yield* fromTheStart
  return Effect.gen(function* () {
    const counted = yield* PrometheusMetrics.format()
    const inFlight = [...(yield* dispatcher.inFlight)].toSorted(([a], [b]) => a - b)
    const text = [
      `# HELP ${inFlightByWebhook} Deliveries that this process is sending now, by webhook`,
      `# TYPE ${inFlightByWebhook} gauge`,
      ...inFlight.map(([webhookId, count]) => `${inFlightByWebhook}{webhook="${webhookId}"} ${count}`)
    ].join("\n")
    return HttpServerResponse.text(`${counted}${text}\n`, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
  })
})
