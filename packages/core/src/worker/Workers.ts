import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ReminderWorker } from "./ReminderWorker.ts"
import { ContactImportWorker } from "./ContactImportWorker.ts"
import { CallRetentionWorker } from "./CallRetentionWorker.ts"
import { CallReportWorker } from "./CallReportWorker.ts"
import { CallReconciliationWorker } from "./CallReconciliationWorker.ts"
import { ReservationWorker } from "./ReservationWorker.ts"
import { AuditRetentionWorker } from "./AuditRetentionWorker.ts"
import { BookingRetentionWorker } from "./BookingRetentionWorker.ts"
import { FundRetentionWorker } from "./FundRetentionWorker.ts"
import { StatisticsWorker } from "./StatisticsWorker.ts"
import { IdempotencyRetentionWorker } from "./IdempotencyRetentionWorker.ts"
import { OutboxWorker } from "./OutboxWorker.ts"
import { DeliveryRetentionWorker } from "./DeliveryRetentionWorker.ts"
import { DeliveryWorker } from "./DeliveryWorker.ts"
import { SessionRetentionWorker } from "./SessionRetentionWorker.ts"
import { CurrentWorkload } from "../storage/Workload.ts"
import * as Supervisor from "./Supervisor.ts"

/** The names of all workers. */
export const names = [
  "webhook-deliveries",
  "webhook-retention",
  "reminders",
  "outbox",
  "call-events",
  "call-reconciler",
  "call-reservations",
  "call-retention",
  "idempotency-retention",
  "booking-retention",
  "fund-retention",
  "contact-imports",
  "statistics",
  "session-retention",
  "audit-retention"
] as const

/** The name of a worker. */
export type WorkerName = (typeof names)[number]

/** The effect of each worker. Add a new worker here, to {@link names} and to `Workers.layerServices`. */
const loops = Effect.gen(function* () {
  const all: Readonly<Record<WorkerName, Effect.Effect<void>>> = {
    // Sends webhook deliveries.
    "webhook-deliveries": (yield* DeliveryWorker).run,
    // Deletes old webhook events, and the deliveries of deleted webhooks.
    "webhook-retention": (yield* DeliveryRetentionWorker).run,
    // Sends reminders of calendar events.
    reminders: (yield* ReminderWorker).run,
    // Writes external calendars, and mails customers and members.
    outbox: (yield* OutboxWorker).run,
    // Applies the reports of the call provider's stream.
    "call-events": (yield* CallReportWorker).run,
    // Asks the provider about calls that it does not report on.
    "call-reconciler": (yield* CallReconciliationWorker).run,
    // Reserves the talk time of running calls, and hangs up those without funds.
    "call-reservations": (yield* ReservationWorker).run,
    // Deletes old calls and transcripts.
    "call-retention": (yield* CallRetentionWorker).run,
    // Deletes expired idempotency keys.
    "idempotency-retention": (yield* IdempotencyRetentionWorker).run,
    // Deletes expired slot holds, and old tool calls without a call.
    "booking-retention": (yield* BookingRetentionWorker).run,
    // Folds old movements of accounts.
    "fund-retention": (yield* FundRetentionWorker).run,
    // Imports contacts from files, and deletes old imports.
    "contact-imports": (yield* ContactImportWorker).run,
    // Folds the waiting parts of the statistics.
    statistics: (yield* StatisticsWorker).run,
    // Deletes expired sessions and sign-in links.
    "session-retention": (yield* SessionRetentionWorker).run,
    // Deletes old entries of the audit log.
    "audit-retention": (yield* AuditRetentionWorker).run
  }
  return all
})

/** Which workers a process runs. */
export interface WorkersOptions {
  /** The workers to run. Default: all. */
  readonly only?: ReadonlyArray<WorkerName> | undefined
}

/** Runs and supervises the background workers of a process. They do all work that no request asks for. */
export class Workers extends Context.Service<
  Workers,
  {
    /** The workers that this process runs, with their states. */
    readonly states: Effect.Effect<ReadonlyMap<WorkerName, Supervisor.WorkerState>>
    /**
     * Runs the workers until it is interrupted. `DeliveryWorker` and `OutboxWorker` then finish what they have begun.
     * The other workers stop at once, and an open transaction is rolled back. A worker that ends, fails or dies is
     * logged and restarted after a pause, which doubles from 200 milliseconds up to 30 seconds.
     */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/Workers") {
  /**
   * The services of the workers, without starting any. For tests, and for programs that call `runOnce` from a timer of
   * their own. Like all layers here it needs `Core.layer`.
   */
  static readonly layerServices = Layer.mergeAll(
    DeliveryWorker.layer,
    DeliveryRetentionWorker.layer,
    ReminderWorker.layer,
    OutboxWorker.layer,
    CallReportWorker.layer,
    CallReconciliationWorker.layer,
    ReservationWorker.layer,
    CallRetentionWorker.layer,
    IdempotencyRetentionWorker.layer,
    BookingRetentionWorker.layer,
    FundRetentionWorker.layer,
    ContactImportWorker.layer,
    StatisticsWorker.layer,
    SessionRetentionWorker.layer,
    AuditRetentionWorker.layer
  )

  /** The service without starting a worker. For programs that decide when to call `run`. */
  static readonly layerIdle = ({ only = names }: WorkersOptions = {}) =>
    Layer.effect(
      Workers,
      Effect.gen(function* () {
        const all = yield* loops
        const supervised = new Map(only.map((name) => [name, Supervisor.make(name, all[name])] as const))
        return Workers.of({
          states: Effect.map(
            Effect.forEach(supervised, ([name, { state }]) => Effect.map(state, (known) => [name, known] as const)),
            (states) => new Map(states)
          ),
          run: Effect.forEach([...supervised.values()], ({ run }) => run, {
            concurrency: "unbounded",
            discard: true
          }).pipe(Effect.andThen(Effect.never), Effect.provideService(CurrentWorkload, "worker"))
        })
      })
    ).pipe(Layer.provideMerge(Workers.layerServices))

  /** Starts the selected workers, and stops them when the scope of the layer closes. */
  static readonly layerWith = (options: WorkersOptions) =>
    Layer.effectDiscard(Effect.flatMap(Workers, ({ run }) => Effect.forkScoped(run))).pipe(
      Layer.provideMerge(Workers.layerIdle(options))
    )

  /** Starts all workers, and stops them when the scope of the layer closes. */
  static readonly layer = Workers.layerWith({})
}
