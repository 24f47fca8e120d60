import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { millisBetween } from "../values/Timestamp.ts"

/** The number of reminders that were sent. */
export const sent = Metric.counter("frontdesk_reminders_sent", {
  description: "Reminders of calendar events that were sent",
  incremental: true
})

/** The delay of reminders in milliseconds: its median and 99th percentile over the last ten minutes. */
export const lag = Metric.summary("frontdesk_reminder_lag_ms", {
  description: "Delay of reminders of calendar events, from when they were due until they were sent",
  maxAge: "10 minutes",
  maxSize: 5_000,
  quantiles: [0.5, 0.99]
})

/**
 * Updates {@link sent} and {@link lag} with a reminder that was sent.
 *
 * @param wantedAt when the reminder was due, or when its event was last changed if that is later
 */
export const reminderSent = (wantedAt: DateTime.Utc, now: DateTime.Utc): Effect.Effect<void> =>
  Effect.andThen(Metric.update(sent, 1), Metric.update(lag, millisBetween(wantedAt, now)))
