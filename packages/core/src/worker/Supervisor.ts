import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Outage from "../storage/Outage.ts"

/** Returns the pause before a restart. `ends` counts how many times in a row the worker had ended before this time. */
const backoff = (ends: number): Duration.Duration =>
  Duration.min(Duration.millis(200 * 2 ** ends), Duration.seconds(30))

/** A run of at least this length resets the pause to the shortest one. */
const healthyAfter = Duration.minutes(1)

/** 1 while a worker runs, 0 while it waits for its restart, by worker. */
const running = Metric.gauge("frontdesk_worker_running", {
  description: "1 while a background worker of this process runs, 0 while it waits to be started again"
})

/** Counts the restarts of a worker after it has ended or failed, by worker. */
const restarts = Metric.counter("frontdesk_worker_restarts", {
  description: "How often a background worker of this process was started again",
  incremental: true
})

/** The state of one supervised worker in this process. */
export interface WorkerState {
  /** `stopped` before the start and after an interruption; `restarting` during the pause before a restart. */
  readonly status: "stopped" | "running" | "restarting"
  /** How often the worker has ended or failed since its start. */
  readonly restarts: number
  /** When the worker last ended or failed; null if it never did. */
  readonly lastEndedAt: DateTime.Utc | null
}

/** A supervised worker. */
export interface Supervised<R> {
  readonly state: Effect.Effect<WorkerState>
  /** Keeps the worker running until it is interrupted. */
  readonly run: Effect.Effect<never, never, R>
}

/**
 * Supervises a worker. When the worker ends, fails or dies, a line is logged and the worker restarts. The pause before
 * it is 200 milliseconds, and doubles up to 30 seconds. After a run of a minute it is 200 milliseconds again.
 */
export const make = <A, E, R>(name: string, worker: Effect.Effect<A, E, R>): Supervised<R> => {
  let state: WorkerState = { status: "stopped", restarts: 0, lastEndedAt: null }
  const labelled = { running: Metric.withAttributes(running, { worker: name }), restarts: counterOf(name) }
  const become = (status: WorkerState["status"]) =>
    Effect.suspend(() => {
      state = { ...state, status }
      return Metric.update(labelled.running, status === "running" ? 1 : 0)
    })
  const ended = Effect.gen(function* () {
    state = { status: "restarting", restarts: state.restarts + 1, lastEndedAt: yield* DateTime.now }
    yield* Metric.update(labelled.running, 0)
    yield* Metric.update(labelled.restarts, 1)
  })

  const run = Effect.gen(function* () {
    // Creates the series with 0 before the first restart, because `increase` in Prometheus misses the first value of a
    // series.
    yield* Metric.update(labelled.restarts, 0)
    let ends = 0
    while (true) {
      const startedAt = yield* Clock.monotonicTimeNanos
      yield* become("running")
      yield* worker.pipe(
        Effect.andThen(Effect.logWarning(`The worker "${name}" has ended, and is restarted`)),
        Effect.catchCause((cause) => Outage.log("Error", `The worker "${name}" has failed, and is restarted`, cause))
      )
      yield* ended
      const ran = Duration.nanos((yield* Clock.monotonicTimeNanos) - startedAt)
      if (Duration.isGreaterThanOrEqualTo(ran, healthyAfter)) ends = 0
      yield* Effect.sleep(backoff(ends))
      ends += 1
    }
  })

  return { state: Effect.sync(() => state), run: Effect.ensuring(run, become("stopped")) }
}

const counterOf = (worker: string) => Metric.withAttributes(restarts, { worker })
