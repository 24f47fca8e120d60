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
import type { CallingProcess } from "./CallingProcess.ts"
import { rule } from "./model/State.ts"
import type { KillPoint } from "./Plan.ts"
import * as SimulatedClock from "./SimulatedClock.ts"
import type { Process } from "./Simulator.ts"
import * as SimulatedQueue from "./SimulatedQueue.ts"
import * as SimulatedSender from "./SimulatedSender.ts"
import type { Simulation } from "./Simulation.ts"

/** A server process with a `DeliveryWorker`, and what an environment can do to it. */
export interface SimulatedProcess {
  readonly process: Process
  readonly isStopping: () => boolean
  /** Raises its delivery signal, as a commit in the same process does. */
  readonly notify: () => void
  /** Interrupts the worker, which may finish what is in flight. */
  readonly stop: () => void
  /** Kills the process at once. */
  readonly kill: () => void
  /** Kills the process when it next passes a point. Null removes the point. */
  readonly killAt: (point: KillPoint | null) => void
  readonly pause: () => void
  readonly resume: () => void
}

/** What a process needs. */
export interface ProcessOptions {
  readonly name: string
  readonly settings: DeliverySettings
  readonly queue: DeliveryQueue["Service"]
  readonly crypto: Crypto["Service"]
  /** Receives every reading of the clock by the process. */
  readonly read: (name: string, reading: SimulatedClock.Reading) => void
}

/** Starts a process that runs a `DeliveryWorker` on the queue. */
export const start = (
  simulation: Simulation,
  { crypto, name, queue, read, settings }: ProcessOptions
): SimulatedProcess => {
  const { simulator, observe } = simulation
  const process: Process = { name, state: "running" }
  let killPoint: KillPoint | null = null
  let isStopping = false
  let fiber: Fiber.Fiber<unknown, unknown> | null = null
  let notifyWorker: Effect.Effect<void> = Effect.void

  const kill = () => {
    simulator.setState(process, "dead")
    observe({ _tag: "Killed", process: name })
  }
  const caller: CallingProcess = {
    name,
    isDead: () => process.state === "dead",
    pass: (point) => {
      if (point === killPoint && process.state !== "dead") kill()
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
    Context.add(DeliveryQueue, SimulatedQueue.make(simulation, queue, caller)),
    Context.add(WebhookSender, SimulatedSender.make(simulation, caller))
  )
  const scheduler = simulator.scheduler(process)
  const main = Effect.gen(function* () {
    const { notify } = yield* DeliverySignal
    notifyWorker = notify
    return yield* (yield* DeliveryWorker).run
  }).pipe(Effect.provide(Layer.merge(DeliveryWorker.layer, DeliverySignal.layer)))

  // A fiber that has not started yet is interrupted after its start.
  const interrupt = () => (fiber === null ? simulator.soon(process, interrupt) : fiber.interruptUnsafe())

  observe({ _tag: "Started", process: name, owner: settings.owner })
  simulator.soon(process, () => {
    fiber = Effect.runForkWith(context)(main, { scheduler })
    fiber.addObserver(() => {
      if (process.state === "dead") return
      rule(simulation.state, "a worker runs until its process is stopped", isStopping)
      observe({ _tag: "Stopped", process: name })
      simulator.setState(process, "dead")
    })
  })

  return {
    process,
    isStopping: () => isStopping,
    notify: () => {
      observe({ _tag: "Notified", process: name })
      simulator.soon(process, () => Effect.runForkWith(context)(notifyWorker, { scheduler }))
    },
    stop: () => {
      isStopping = true
      observe({ _tag: "Stopping", process: name })
      simulator.soon(process, interrupt)
    },
    kill,
    killAt: (point) => {
      killPoint = point
    },
    pause: () => {
      simulator.setState(process, "paused")
      observe({ _tag: "Paused", process: name })
    },
    resume: () => {
      simulator.setState(process, "running")
      observe({ _tag: "Resumed", process: name })
    }
  }
}
