import type { AuditStore } from "@frontdesk/core/audit/AuditStore"
import type { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as Queue from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliverySettings, leaseMargin } from "@frontdesk/core/delivery/DeliverySettings"
import type { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import type { AccountStore } from "@frontdesk/core/access/AccountStore"
import type { Transaction } from "@frontdesk/core/storage/Transaction"
import type { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Samples from "../suite/Samples.ts"
import * as Clients from "./Clients.ts"
import * as Environment from "./Environment.ts"
import type { Entry, Fact } from "./Fact.ts"
import * as Model from "./model/Model.ts"
import * as State from "./model/State.ts"
import type { Plan } from "./Plan.ts"
import * as Receiver from "./Receiver.ts"
import type { Reading } from "./SimulatedClock.ts"
import * as SimulatedCrypto from "./SimulatedCrypto.ts"
import * as SimulatedProcess from "./SimulatedProcess.ts"
import * as Simulator from "./Simulator.ts"
import type { Simulation } from "./Simulation.ts"

/** The ports of a storage that the simulation uses. Each call must complete synchronously. */
export type Storage = Transaction | AccountStore | AuditStore | WebhookStore | DeliveryStore | DeliveryQueue

/** The history of one simulation. */
export interface History {
  readonly entries: ReadonlyArray<Entry>
  /** The first rule that was broken. Null: none. */
  readonly broken: string | null
  /** How often each case occurred, for `Coverage`. */
  readonly cases: ReadonlyMap<string, number>
}

/** How long it may take after the last fault until every delivery has ended. */
const maxSettleMillis = Duration.toMillis("2 days")

/** Executes a plan on an empty storage, checks the rules, and returns the history. */
export const run = (plan: Plan, storage: Context.Context<Storage>): History => {
  const simulator = Simulator.make(plan.seed)
  const crypto = SimulatedCrypto.make(simulator.draw)
  const settings = settingsOf(plan, null)
  const readings = new Map<string, Array<Reading>>()
  const entries: Array<Entry> = []

  const state = State.make(
    {
      maxInFlight: settings.maxInFlight,
      maxInFlightPerWebhook: settings.maxInFlightPerWebhook,
      maxClaims: settings.maxClaims,
      pollInterval: Duration.toMillis(settings.pollInterval),
      retryDelays: settings.retryDelays.map(Duration.toMillis),
      batchDelay: Duration.toMillis(settings.batchDelay),
      timeout: Duration.toMillis(settings.timeout),
      lease: Duration.toMillis(settings.lease),
      timeoutMargin: Duration.toMillis(leaseMargin) / 2
    },
    (process, shown, since) =>
      readings.get(process)?.some((reading) => reading.elapsed >= since && reading.shown === shown) ?? false
  )
  const observe = (fact: Fact) => {
    const entry = { elapsed: simulator.elapsed(), wall: simulator.wall(), fact }
    entries.push(entry)
    if (state.broken === null) Model.observe(state, entry)
  }
  const store = <A, E>(effect: Effect.Effect<A, E>): A => {
    const exit = Effect.runSyncExit(effect)
    State.rule(state, "no call of the storage fails", Exit.isSuccess(exit))
    if (Exit.isSuccess(exit)) return exit.value
    throw new Error(String(exit.cause))
  }
  const simulation: Simulation = {
    simulator,
    receivers: Receiver.make(simulator),
    state,
    observe,
    store,
    fault: { chance: 0, outageUntil: 0 }
  }
  const account = store(Effect.provideContext(Samples.makeAccount(), storage))
  const clients = Clients.make(simulation, storage, crypto, account)
  const environment = Environment.make(simulation, clients, (number, owner) => {
    const name = `process ${number}`
    readings.set(name, [])
    return SimulatedProcess.start(simulation, {
      name,
      settings: settingsOf(plan, owner),
      queue: Context.get(storage, Queue.DeliveryQueue),
      crypto,
      read: (process, reading) => readings.get(process)?.push(reading)
    })
  })
  const isBroken = () => state.broken !== null
  const letPass = (millis: number) => simulator.runUntil(simulator.elapsed() + millis, isBroken)

  /** Ends all faults and waits until every delivery has ended. */
  const settle = () => {
    environment.endFaults()
    if (!letPass(60_000)) return
    environment.act({ _tag: "Start", slot: 0, named: true })
    observe({ _tag: "Settling" })
    const end = simulator.elapsed() + maxSettleMillis
    while (!Model.isSettled(state) && simulator.elapsed() < end) if (!letPass(60_000)) return
    State.rule(state, "every committed delivery ends", Model.isSettled(state))
    for (const slot of [0, 1]) environment.act({ _tag: "Stop", slot })
    letPass(60_000)
    State.rule(state, "a process that is stopped ends", !environment.isAnyAlive())
    for (const webhook of state.webhooks.values()) if (!webhook.deleted) clients.compare(webhook.id)
  }

  environment.act({ _tag: "Start", slot: 0, named: simulator.draw() < 0.5 })
  clients.subscribe(3, { _tag: "Flaky" })
  let isDone = false
  environment.follow(plan.steps, () => {
    isDone = true
  })
  simulator.runUntil(Number.POSITIVE_INFINITY, () => isDone || isBroken())
  if (!isBroken()) settle()
  return { entries, broken: state.broken, cases: state.cases }
}

const settingsOf = (plan: Plan, owner: string | null) =>
  new DeliverySettings({
    owner,
    maxInFlight: plan.maxInFlight,
    maxInFlightPerWebhook: plan.maxInFlightPerWebhook,
    maxClaims: plan.maxClaims,
    pollInterval: Duration.seconds(plan.pollSeconds),
    batchSize: plan.batchSize,
    retryDelays: [1, 5, 30].map((minutes) => Duration.minutes(minutes / plan.retrySpeedup))
  })
