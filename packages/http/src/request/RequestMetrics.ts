import type * as Context from "effect/Context"
import * as Metric from "effect/Metric"

/** Makes the counter of the requests with an operation and a status. */
const requests = (operation: string, status: string) =>
  Metric.counter("frontdesk_http_requests", {
    description: "HTTP requests, by operation and status",
    incremental: true,
    attributes: { operation, status }
  })

/** Makes the histogram of the durations of the requests with an operation, in milliseconds. */
const durations = (operation: string) =>
  Metric.histogram("frontdesk_http_request_duration_ms", {
    description: "Duration of HTTP requests in milliseconds, by operation",
    boundaries: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000],
    attributes: { operation }
  })

/**
 * Makes the function that records one request in both metrics. The metric of each combination of attributes is made
 * once, because making it for each request would take longer than updating it.
 */
export const make = () => {
  const counters = new Map<string, ReturnType<typeof requests>>()
  const histograms = new Map<string, ReturnType<typeof durations>>()
  return (context: Context.Context<never>, operation: string, status: number, millis: number): void => {
    const key = `${operation} ${status}`
    let counter = counters.get(key)
    if (counter === undefined) {
      counter = requests(operation, String(status))
      counters.set(key, counter)
    }
    let histogram = histograms.get(operation)
    if (histogram === undefined) {
      histogram = durations(operation)
      histograms.set(operation, histogram)
    }
    counter.updateUnsafe(1, context)
    histogram.updateUnsafe(millis, context)
  }
}
