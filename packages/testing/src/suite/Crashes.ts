import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import { Workers } from "@frontdesk/core/worker/Workers"
import { describe, it } from "@effect/vitest"
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

/** How a crash suite is run. */
export interface CrashSuiteOptions extends SuiteOptions {
  /** How many histories are tried; 100 unless said. */
  readonly runs?: number
}

/** The whole domain over a storage whose calls can be made to fail, with fakes around it. */
export const services = <E>(storage: StorageLayer<E>) =>
  Workers.layerServices.pipe(
    Layer.provideMerge(Core.layer),
    Layer.provideMerge(
      Layer.mergeAll(breakable(storage), Crypto.layerWebCrypto, CalendarSync.layerNone).pipe(
        Layer.provideMerge(
          Layer.mergeAll(FaultInjection.layer(), FakeMailer.layer, FakeWebhookSender.layer, FakeCallProvider.layer)
        )
      )
    )
  )

const unavailable = storageError("unavailable")

const breakable = <E>(storage: StorageLayer<E>) => {
  const events = wrap(ReminderStore, wrap(CalendarEventStore, storage, unavailable), unavailable)
  const calls = wrap(AccountStore, wrap(CallStore, events, unavailable), unavailable)
  const deliveries = wrap(DeliveryStore, wrap(WebhookStore, calls, unavailable), unavailable)
  return wrap(Transaction, wrap(OutboxStore, deliveries, unavailable), unavailable)
}

/** Something that breaks, and where. */
export interface Strike extends Plan {
  readonly point: string
}

/** Where the process is killed: it stops before the call or behind it, and what it had begun is undone. */
const kills: ReadonlyArray<Fault> = ["hang", { after: Effect.never }]

/** Strikes at the points given: a call fails before or after it was done, meets a bug, or is where the process dies. */
export const strike = (points: ReadonlyArray<string>): fc.Arbitrary<Strike> =>
  fc.record({
    point: fc.constantFrom(...points),
    fault: fc.constantFrom<Fault>("fail", "failAfter", "die", ...kills),
    after: fc.constantFrom(0, 0, 0, 1, 2),
    times: fc.integer({ min: 1, max: 3 })
  })

/** Runs effects side by side while something breaks; when the process is killed they are left where they stood. */
export const struckBy = Effect.fnUntraced(function* <R>(
  strike: Strike | null,
  effects: ReadonlyArray<Effect.Effect<unknown, unknown, R>>
) {
  const faults = yield* FaultInjection
  if (strike !== null) yield* faults.set(strike.point, strike)
  const isKill = strike !== null && kills.includes(strike.fault)
  const running = yield* Effect.forkChild(Effect.forEach(effects, Effect.exit, { concurrency: "unbounded" }))
  while (running.pollUnsafe() === undefined) {
    if (isKill && (yield* faults.tally(strike.point)).struck > 0) break
    yield* Effect.yieldNow
  }
  yield* Fiber.interrupt(running)
  yield* faults.clear
})

/** Delivers what waits, and answers the bodies that have arrived since the last time, oldest first. */
export const watch = Effect.gen(function* () {
  const dispatcher = yield* DeliveryWorker
  const receiver = yield* FakeWebhookSender
  let seen = 0
  return Effect.gen(function* () {
    yield* dispatcher.drain
    const requests = yield* receiver.requests
    const bodies = requests.slice(seen).map(({ body }) => new TextDecoder().decode(body))
    seen = requests.length
    return bodies
  })
})

/** What a history runs on. */
type Services = Layer.Success<ReturnType<typeof services>>

/**
 * States a law of random histories. Each is played on a storage built anew, beside a clock that stands at `Samples.now`
 * until it is set.
 */
export const law = <A, E>(
  name: string,
  claim: string,
  storage: StorageLayer<E>,
  steps: fc.Arbitrary<ReadonlyArray<A>>,
  play: (steps: ReadonlyArray<A>, set: SetClock) => Effect.Effect<void, unknown, Services>,
  options: CrashSuiteOptions
): void => {
  const test = options.excludeTestServices === true ? it.live : it.effect
  const history = (taken: ReadonlyArray<A>) =>
    withWallClock(Samples.now, (set) => Effect.provide(play(taken, set), Layer.fresh(services(storage)))).pipe(
      Effect.provideService(References.MinimumLogLevel, "None")
    )
  describe(name, () => {
    test(claim, () => Property.forAll(steps, history, { numRuns: options.runs ?? 100 }), 120_000)
  })
}
