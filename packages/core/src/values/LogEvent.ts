import * as Effect from "effect/Effect"

/**
 * The identifier of what a log line reports. The text of a line may change in any version. The identifier keeps its
 * meaning, so tests, alerts and searches compare the identifier.
 */
export type LogEvent =
  | "calendar.conflict"
  | "calendar.not_connected"
  | "callback.body_timed_out"
  | "callback.signature_refused"
  | "delivery.attempted"
  | "provider.misconfigured"
  | "schema.in_use"
  | "secrets.plain"
  | "server.listening"
  | "server.requests_refused"
  | "server.set_up"
  | "server.stopping"
  | "service.unusable"
  | "setting.doubtful"
  | "signals.missed"
  | "signals.received"
  | "storage.available"
  | "storage.reads_block"
  | "storage.reads_resumed"
  | "storage.unavailable"
  | "task.dead_lettered"
  | "task.retried"

/** Adds the identifier to every line that an effect logs, as the annotation `logEvent`. */
export const annotate =
  (event: LogEvent) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.annotateLogs(effect, "logEvent", event)
