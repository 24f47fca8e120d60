import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { CurrentDeliverySettings, type DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { DeliverySignal } from "@frontdesk/core/delivery/DeliverySignal"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { rule } from "./model/State.ts"
import type { KillPoint } from "./Plan.ts"
import * as SimulatedClock from "./SimulatedClock.ts"
import type { Process } from "./Simulator.ts"
import * as SimulatedQueue from "./SimulatedQueue.ts"
import * as SimulatedSender from "./SimulatedSender.ts"
import type { World } from "./World.ts"

/** A process that delivers, and what can be done to it. */
export interface SimulatedProcess {
  readonly process: Process
  readonly isStopping: () => boolean
  /** Wakes it, as a commit in the same process does. */
  readonly notify: () => void
  /** Asks it to end, and lets it. */
  readonly stop: () => void
  /** Ends it at once. */
  readonly kill: () => void
  /** Ends it at once when it next passes a point; null: at none. */
  readonly killAt: (point: KillPoint | null) => void
  readonly pause: () => void
  readonly resume: () => void
}

/** What a process is made of. */
export interface Parts {
  readonly name: string
  readonly settings: DeliverySettings
  readonly queue: DeliveryQueue["Service"]
  readonly crypto: Crypto["Service"]
  /** Hears what the clock has shown it. */
  readonly read: (name: string, reading: SimulatedClock.Reading) => void
}

/** Starts a process that runs a `DeliveryWorker` on the store. */
export const start = (world: World, { crypto, name, queue, read, settings }: Parts): SimulatedProcess => {
  const { simulator, tell } = world
  const process: Process = { name, state: "running" }
  let fatal: KillPoint | null = null
  let isStopping = false
  let fiber: Fiber.Fiber<unknown, unknown> | null = null
  let wake: Effect.Effect<void> = Effect.void

  const kill = () => {
    simulator.move(process, "dead")
    tell({ _tag: "Killed", process: name })
  }
  const caller: SimulatedQueue.Caller = {
    name,
    isDead: () => process.state === "dead",
    pass: (point) => {
      if (point === fatal && process.state !== "dead") kill()
      return process.state === "dead"
    }
  }

  const context = Context.make(
    Clock.Clock,
    SimulatedClock.make(simulator, process, (reading) => read(name, reading))
  ).pipe(
    Context.add(References.MinimumLogLevel, "None"),
    Context.add(References.TracerEnabled, false),
    Context.add(CurrentDeliverySettings, settings),
    Context.add(Crypto, crypto),
    Context.add(DeliveryQueue, SimulatedQueue.make(world, queue, caller)),
    Context.add(WebhookSender, SimulatedSender.make(world, caller))
  )
  const scheduler = simulator.scheduler(process)
  const main = Effect.gen(function* () {
    const { notify } = yield* DeliverySignal
    wake = notify
    return yield* (yield* DeliveryWorker).run
  }).pipe(Effect.provide(Layer.merge(DeliveryWorker.layer, DeliverySignal.layer)))

  // What has not begun yet is interrupted when it has.
  const interrupt = () => (fiber === null ? simulator.soon(process, interrupt) : fiber.interruptUnsafe())

  tell({ _tag: "Started", process: name, owner: settings.owner })
  simulator.soon(process, () => {
    fiber = Effect.runForkWith(context)(main, { scheduler })
    fiber.addObserver(() => {
      if (process.state === "dead") return
      rule(world.state, "a process goes on until it is asked to stop", isStopping)
      tell({ _tag: "Stopped", process: name })
      simulator.move(process, "dead")
    })
  })

  return {
    process,
    isStopping: () => isStopping,
    notify: () => {
      tell({ _tag: "Nudged", process: name })
      simulator.soon(process, () => Effect.runForkWith(context)(wake, { scheduler }))
    },
    stop: () => {
      isStopping = true
      tell({ _tag: "Stopping", process: name })
      simulator.soon(process, interrupt)
    },
    kill,
    killAt: (point) => {
      fatal = point
    },
    pause: () => {
      simulator.move(process, "paused")
      tell({ _tag: "Paused", process: name })
    },
    resume: () => {
      simulator.move(process, "running")
      tell({ _tag: "Resumed", process: name })
    }
  }
}
