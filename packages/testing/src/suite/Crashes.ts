import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { FundMovementStore } from "@frontdesk/core/access/FundMovementStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CalendarConnector } from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { ContactImportStore } from "@frontdesk/core/contact-file/ContactImportStore"
import { ContactErasureStore } from "@frontdesk/core/erasure/ContactErasureStore"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import { Workers } from "@frontdesk/core/worker/Workers"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as fc from "fast-check"
import { FakeCallProvider } from "../fake/FakeCallProvider.ts"
import { FakeMailer } from "../fake/FakeMailer.ts"
import { FakeWebhookSender } from "../fake/FakeWebhookSender.ts"
import { type Fault, FaultInjection, type Plan, storageError, wrap } from "../FaultInjection.ts"
import * as Property from "../Property.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { type SetClock, withWallClock } from "./WallClock.ts"
import { describe } from "./Tests.ts"

/** Options of a crash suite. */
export interface CrashSuiteOptions extends SuiteOptions {
  /** The number of generated histories. Default: 100. */
  readonly runs?: number
}

/**
 * Core and its workers on a storage whose methods can be made to fail. Mailer, webhook sender and call provider are
 * fakes.
 */
export const services = <E>(storage: StorageLayer<E>) =>
  Workers.layerServices.pipe(
    Layer.provideMerge(Core.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        withFaultPoints(storage),
        Crypto.layerWebCrypto,
        CalendarSync.layerNone,
        CalendarConnector.layerNone
      ).pipe(
        Layer.provideMerge(
          Layer.mergeAll(FaultInjection.layer(), FakeMailer.layer, FakeWebhookSender.layer, FakeCallProvider.layer)
        )
      )
    )
  )

const unavailable = storageError("unavailable")

const withFaultPoints = <E>(storage: StorageLayer<E>) => {
  const events = wrap(ReminderStore, wrap(CalendarEventStore, storage, unavailable), unavailable)
  const calls = wrap(AccountStore, wrap(CallStore, events, unavailable), unavailable)
  const erasures = wrap(ContactErasureStore, calls, unavailable)
  const imports = wrap(ContactStore, wrap(ContactImportStore, erasures, unavailable), unavailable)
  const funds = wrap(FundMovementStore, imports, unavailable)
  const statistics = wrap(StatisticStore, funds, unavailable)
  const deliveries = wrap(DeliveryStore, wrap(WebhookStore, statistics, unavailable), unavailable)
  return wrap(Transaction, wrap(OutboxStore, deliveries, unavailable), unavailable)
}

/** A fault, and the point of failure at which it occurs, for example `CallStore.update`. */
export interface PlannedFault extends Plan {
  readonly point: string
}

/** Faults that stand for a killed process: it hangs before the call or after it, and the test then interrupts it. */
const killFaults: ReadonlyArray<Fault> = ["hang", { after: Effect.never }]

/**
 * Generates a fault at one of the points: a call fails before or after it has taken effect, dies of a defect, or never
 * returns because the process is killed there.
 */
export const plannedFault = (points: ReadonlyArray<string>): fc.Arbitrary<PlannedFault> =>
  fc.record({
    point: fc.constantFrom(...points),
    fault: fc.constantFrom<Fault>("fail", "failAfter", "die", ...killFaults),
    after: fc.constantFrom(0, 0, 0, 1, 2),
    times: fc.integer({ min: 1, max: 3 })
  })

/**
 * Runs effects concurrently under a fault. If the fault kills the process, all of them are interrupted at that
 * point.
 */
export const runUnderFault = Effect.fnUntraced(function* <R>(
  plannedFault: PlannedFault | null,
  effects: ReadonlyArray<Effect.Effect<unknown, unknown, R>>
) {
  const faults = yield* FaultInjection
  if (plannedFault !== null) yield* faults.set(plannedFault.point, plannedFault)
  const killsProcess = plannedFault !== null && killFaults.includes(plannedFault.fault)
  const running = yield* Effect.forkChild(Effect.forEach(effects, Effect.exit, { concurrency: "unbounded" }))
  while (running.pollUnsafe() === undefined) {
    if (killsProcess && (yield* faults.counts(plannedFault.point)).faults > 0) break
    yield* Effect.yieldNow
  }
  yield* Fiber.interrupt(running)
  yield* faults.clear
})

/**
 * Returns an effect that sends all due deliveries and returns the bodies that are new since its last run, oldest first.
 */
export const collectDeliveries = Effect.gen(function* () {
  const worker = yield* DeliveryWorker
  const receiver = yield* FakeWebhookSender
  let seen = 0
  return Effect.gen(function* () {
    yield* worker.drain
    const requests = yield* receiver.requests
    const bodies = requests.slice(seen).map(({ body }) => new TextDecoder().decode(body))
    seen = requests.length
    return bodies
  })
})

/** The services that a history may use. */
type Services = Layer.Success<ReturnType<typeof services>>

/**
 * Registers a law over random histories. Each history has a new storage and a clock that shows `Samples.now`
 * until the history sets it.
 */
export const historyLaw = <A, E>(
  name: string,
  statement: string,
  storage: StorageLayer<E>,
  steps: fc.Arbitrary<ReadonlyArray<A>>,
  play: (steps: ReadonlyArray<A>, set: SetClock) => Effect.Effect<void, unknown, Services>,
  options: CrashSuiteOptions
): void => {
  const history = (taken: ReadonlyArray<A>) =>
    withWallClock(Samples.now, (set) => Effect.provide(play(taken, set), Layer.fresh(services(storage)))).pipe(
      Effect.provideService(References.MinimumLogLevel, "None")
    )
  describe(options)(name, (it) => {
    const test = options.excludeTestServices === true ? it.live : it.effect
    test(statement, () => Property.forAll(steps, history, { numRuns: options.runs ?? 100 }), 120_000)
  })
}
