import type { DeliveryQueue } from "@frontdesk/core/webhook/DeliveryQueue"
import * as Queue from "@frontdesk/core/webhook/DeliveryQueue"
import { DeliverySettings, leaseMargin } from "@frontdesk/core/webhook/DeliverySettings"
import type { DeliveryStore } from "@frontdesk/core/webhook/DeliveryStore"
import type { AccountStore } from "@frontdesk/core/access/AccountStore"
import type { Transaction } from "@frontdesk/core/storage/Transaction"
import type { WebhookId } from "@frontdesk/core/webhook/Webhook"
import type { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Samples from "../suite/Samples.ts"
import * as Clients from "./Clients.ts"
import type { Entry, Fact } from "./Fact.ts"
import * as Model from "./model/Model.ts"
import * as State from "./model/State.ts"
import type { Action, Plan } from "./Plan.ts"
import * as Receiver from "./Receiver.ts"
import type { Reading } from "./SimulatedClock.ts"
import * as SimulatedCrypto from "./SimulatedCrypto.ts"
import * as SimulatedProcess from "./SimulatedProcess.ts"
import * as Simulator from "./Simulator.ts"
import type { World } from "./World.ts"

/** The ports of a storage that deliveries go through. Each call must be done when it returns: nothing is waited for. */
export type Storage = Transaction | AccountStore | WebhookStore | DeliveryStore | DeliveryQueue

/** A history that has happened. */
export interface History {
  readonly entries: ReadonlyArray<Entry>
  /** The first rule that was broken; null: none. */
  readonly broken: string | null
  /** How often each interesting thing happened. */
  readonly seen: ReadonlyMap<string, number>
}

/** For how long everything may take to come to an end when nothing is in the way any more. */
const patience = Duration.toMillis("2 days")

/** Lets a plan happen on an empty storage, and holds it against the rules. */
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
      patience: Duration.toMillis(leaseMargin) / 2
    },
    (process, shown, since) =>
      readings.get(process)?.some((reading) => reading.elapsed >= since && reading.shown === shown) ?? false
  )
  const tell = (fact: Fact) => {
    const entry = { elapsed: simulator.elapsed(), wall: simulator.wall(), fact }
    entries.push(entry)
    if (state.broken === null) Model.tell(state, entry)
  }
  const store = <A, E>(effect: Effect.Effect<A, E>): A => {
    const exit = Effect.runSyncExit(effect)
    State.rule(state, "the store does what it is asked", Exit.isSuccess(exit))
    if (Exit.isSuccess(exit)) return exit.value
    throw new Error(String(exit.cause))
  }
  const world: World = {
    simulator,
    receivers: Receiver.make(simulator),
    state,
    tell,
    store,
    trouble: { chance: 0, outageUntil: 0 }
  }
  const account = store(Effect.provideContext(Samples.makeAccount(), storage))
  const clients = Clients.make(world, storage, crypto, account)
  const queue = Context.get(storage, Queue.DeliveryQueue)
  const processes: [SimulatedProcess.SimulatedProcess | null, SimulatedProcess.SimulatedProcess | null] = [null, null]
  let started = 0

  const alive = (slot: number) => {
    const found = processes[slot]
    return found !== null && found !== undefined && found.process.state !== "dead" ? found : null
  }
  const start = (slot: number, named: boolean) => {
    if (alive(slot) !== null) return
    started += 1
    const name = `process ${started}`
    readings.set(name, [])
    processes[slot] = SimulatedProcess.start(world, {
      name,
      settings: settingsOf(plan, named ? `server ${slot}` : null),
      queue,
      crypto,
      read: (process, reading) => readings.get(process)?.push(reading)
    })
  }
  const nudge = () => {
    const running = [alive(0), alive(1)].find(
      (one) => one !== null && one.process.state === "running" && !one.isStopping()
    )
    running?.nudge()
  }
  const nth = (index: number): WebhookId | undefined => {
    const all = [...state.webhooks.values()].filter(({ deleted }) => !deleted)
    return all[index % Math.max(1, all.length)]?.id
  }

  const act = (action: Action): void => {
    const webhook = "webhook" in action ? nth(action.webhook) : undefined
    const process = "slot" in action ? alive(action.slot) : null
    switch (action._tag) {
      case "Subscribe":
        return clients.subscribe(action.events, action.behaviour)
      case "Publish": {
        const published = Array.from({ length: action.count }, () =>
          clients.publish(action.event, action.subject + simulator.between(0, action.count - 1))
        )
        if (action.nudge && published.includes(true)) nudge()
        return
      }
      case "Jump":
        simulator.jump(action.millis)
        return tell({ _tag: "Jumped", millis: action.millis })
      case "Trouble":
        world.trouble.chance = action.chance
        return
      case "Outage":
        world.trouble.outageUntil = simulator.elapsed() + action.millis
        return
      case "Start":
        return start(action.slot, action.named)
      case "Stop":
        if (process !== null && !process.isStopping()) process.stop()
        return
      case "Kill":
        return process?.kill()
      case "KillAt":
        return process?.killAt(action.point)
      case "Pause":
        if (process === null || process.process.state === "paused") return
        process.pause()
        simulator.later(outside, action.millis, () => {
          if (process.process.state === "paused") process.resume()
        })
        return
      default:
        if (webhook !== undefined) actOn(webhook, action)
    }
  }

  const actOn = (webhook: WebhookId, action: Extract<Action, { readonly webhook: number }>): void => {
    switch (action._tag) {
      case "Behave":
        return world.receivers.behave(state.webhooks.get(webhook)?.url ?? "", action.behaviour)
      case "Change":
        return clients.change(webhook, action.change)
      case "Delete":
        return clients.remove(webhook)
      case "Rotate":
        return clients.rotate(webhook, action.graceHours)
      case "Look":
        return clients.look(webhook)
      case "Redeliver":
        if (clients.redeliver(webhook, action.delivery) && action.nudge) nudge()
        return
      case "Test":
        clients.test(webhook)
        if (action.nudge) nudge()
    }
  }

  const outside: Simulator.Process = { name: "outside", state: "running" }
  const isBroken = () => state.broken !== null

  const settle = () => {
    world.trouble.chance = 0
    world.trouble.outageUntil = 0
    for (const slot of [0, 1]) {
      const process = alive(slot)
      process?.killAt(null)
      if (process?.process.state === "paused") process.resume()
    }
    const other = alive(1)
    if (other !== null && !other.isStopping() && simulator.draw() < 0.7) other.stop()
    if (!simulator.runUntil(simulator.elapsed() + 60_000, isBroken)) return
    start(0, true)
    tell({ _tag: "Settling" })
    const end = simulator.elapsed() + patience
    while (!Model.isSettled(state) && simulator.elapsed() < end)
      if (!simulator.runUntil(simulator.elapsed() + 60_000, isBroken)) return
    State.rule(state, "everything that was committed comes to an end", Model.isSettled(state))
    for (const slot of [0, 1]) {
      const process = alive(slot)
      if (process !== null && !process.isStopping()) process.stop()
    }
    simulator.runUntil(simulator.elapsed() + 60_000, isBroken)
    State.rule(state, "a process that is asked to stop does so", alive(0) === null && alive(1) === null)
    for (const webhook of state.webhooks.values()) if (!webhook.deleted) clients.look(webhook.id)
  }

  start(0, simulator.draw() < 0.5)
  clients.subscribe(3, { _tag: "Flaky" })
  const isWhole = plan.steps.every(({ action, wait }) => {
    if (!simulator.runUntil(simulator.elapsed() + wait, isBroken)) return false
    act(action)
    return !isBroken()
  })
  if (isWhole) settle()
  return { entries, broken: state.broken, seen: state.seen }
}

const settingsOf = (plan: Plan, owner: string | null) =>
  new DeliverySettings({
    owner,
    maxInFlight: plan.maxInFlight,
    maxInFlightPerWebhook: plan.maxInFlightPerWebhook,
    maxClaims: plan.maxClaims,
    pollInterval: Duration.seconds(plan.pollSeconds),
    batchSize: plan.batchSize,
    retryDelays: [1, 5, 30].map((minutes) => Duration.minutes(minutes / plan.haste))
  })
