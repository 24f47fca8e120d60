import * as ReminderMetrics from "@frontdesk/core/reminder/ReminderMetrics"
import { reconciled } from "@frontdesk/core/worker/CallReconciliationWorker"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import * as DeliveryMetrics from "@frontdesk/core/delivery/DeliveryMetrics"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"

/** The name of the metric with the number of deliveries that this process is sending, for each webhook. */
export const inFlightByWebhook = "frontdesk_webhook_in_flight_by_webhook"

/** Starts a counter at 0 for each of the labels. Without a 0, `increase` of Prometheus misses the first count. */
const zero = (counter: typeof reconciled, ...labels: ReadonlyArray<Readonly<Record<string, string>>>) =>
  Effect.forEach(labels, (label) => Metric.value(Metric.withAttributes(counter, label)), { discard: true })

/** Creates the series that alerts need before the first delivery, reminder or reconciliation has happened. */
const initialSeries = Effect.all(
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
 * Creates the handler of `GET /metrics`, which returns all metrics in the text format of Prometheus.
 *
 * The handler reads from the delivery worker how many deliveries are being sent, for each webhook. A gauge for each
 * webhook would remain in memory after the webhook is deleted.
 */
export const make = Effect.gen(function* () {
  const deliveryWorker = yield* DeliveryWorker
  yield* initialSeries
  return Effect.gen(function* () {
    const registered = yield* PrometheusMetrics.format()
    const sending = [...(yield* deliveryWorker.sending)].toSorted(([a], [b]) => a - b)
    const text = [
      `# HELP ${inFlightByWebhook} Deliveries that this process is sending now, by webhook`,
      `# TYPE ${inFlightByWebhook} gauge`,
      ...sending.map(([webhookId, count]) => `${inFlightByWebhook}{webhook="${webhookId}"} ${count}`)
    ].join("\n")
    return HttpServerResponse.text(`${registered}${text}\n`, {
      contentType: "text/plain; version=0.0.4; charset=utf-8"
    })
  })
})
