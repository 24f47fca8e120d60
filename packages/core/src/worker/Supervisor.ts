import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Outage from "../storage/Outage.ts"

/** The pause before a worker starts again, where `ends` counts how often in a row it has ended before. */
const backoff = (ends: number): Duration.Duration =>
  Duration.min(Duration.millis(200 * 2 ** ends), Duration.seconds(30))

/** After a run of this length the pauses of a worker begin again at the shortest. */
const healthyAfter = Duration.minutes(1)

/** 1 while a worker runs, 0 while it waits to start again; by worker. */
const running = Metric.gauge("frontdesk_worker_running", {
  description: "1 while a background worker of this process runs, 0 while it waits to be started again"
})

/** How often a worker was started again after it had ended; by worker. */
const restarts = Metric.counter("frontdesk_worker_restarts", {
  description: "How often a background worker of this process was started again",
  incremental: true
})

/** The state of one supervised worker in this process. */
export interface WorkerState {
  /** `stopped` until it is started, and after its supervision was interrupted. */
  readonly status: "stopped" | "running" | "restarting"
  /** How often it has ended or failed since its supervision began. */
  readonly restarts: number
  /** When it last ended or failed; null if it never did. */
  readonly lastEndedAt: DateTime.Utc | null
}

/** A worker with its state, and the loop that keeps it running. */
export interface Supervised<R> {
  readonly state: Effect.Effect<WorkerState>
  readonly run: Effect.Effect<never, never, R>
}

/**
 * Keeps a worker running until it is interrupted. A worker that ends, fails or dies is logged and started again, first
 * after 200 milliseconds, then after pauses that double up to 30 seconds.
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
    // So that the series is there before the first restart: `increase` does not see the first count of a new one.
    yield* Metric.update(labelled.restarts, 0)
    let ends = 0
    while (true) {
      const startedAt = yield* Clock.monotonicTimeNanos
      yield* become("running")
      yield* worker.pipe(
        Effect.andThen(Effect.logWarning(`The worker "${name}" has ended and is started again`)),
        Effect.catchCause((cause) => Outage.log("Error", `The worker "${name}" has failed and is started again`, cause))
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
