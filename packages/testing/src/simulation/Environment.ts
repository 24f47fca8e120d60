import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import type { Clients } from "./Clients.ts"
import type { Action, Plan } from "./Plan.ts"
import type { SimulatedProcess } from "./SimulatedProcess.ts"
import type { Process } from "./Simulator.ts"
import type { Simulation } from "./Simulation.ts"

/** The environment of a simulation: it executes the actions of a plan. */
export interface Environment {
  readonly act: (action: Action) => void
  /** Executes steps at their times, beside everything else that happens, and then calls `onDone`. */
  readonly follow: (steps: Plan["steps"], onDone: () => void) => void
  /** Ends all faults and pauses. With a probability of 0.7 it also stops the process in the second slot. */
  readonly endFaults: () => void
  readonly isAnyAlive: () => boolean
}

/** Makes an environment with two slots for processes. `start` receives the number of the new process, from 1. */
export const make = (
  simulation: Simulation,
  clients: Clients,
  start: (number: number, owner: string | null) => SimulatedProcess
): Environment => {
  const { receivers, simulator, state, observe, fault } = simulation
  const outside: Process = { name: "outside", state: "running" }
  const processes = new Map<number, SimulatedProcess>()
  let started = 0

  const alive = (slot: number): SimulatedProcess | null => {
    const found = processes.get(slot)
    return found === undefined || found.process.state === "dead" ? null : found
  }

  /** Notifies the first process that runs and is not stopping. */
  const notify = () => {
    const running = [...processes.values()].find(
      ({ isStopping, process }) => process.state === "running" && !isStopping()
    )
    running?.notify()
  }

  /** Publishes webhook events one after the other, between other ready tasks. */
  const publish = (action: Extract<Action, { readonly _tag: "Publish" }>, count: number): void => {
    const isNew = clients.publish(action.event, action.subject + simulator.between(0, action.count - 1))
    if (isNew && action.notify) notify()
    if (count > 1) simulator.soon(outside, () => publish(action, count - 1))
  }

  const actOn = (webhook: WebhookId, action: Extract<Action, { readonly webhook: number }>): void => {
    switch (action._tag) {
      case "SetBehaviour":
        return receivers.behave(state.webhooks.get(webhook)?.url ?? "", action.behaviour)
      case "Change":
        return clients.change(webhook, action.change)
      case "Delete":
        return clients.remove(webhook)
      case "Rotate":
        return clients.rotate(webhook, action.graceHours)
      case "Compare":
        return clients.compare(webhook)
      case "Redeliver":
        if (clients.redeliver(webhook, action.delivery) && action.notify) notify()
        return
      case "Test":
        clients.test(webhook)
        if (action.notify) notify()
    }
  }

  const actIn = (process: SimulatedProcess, action: Extract<Action, { readonly slot: number }>): void => {
    switch (action._tag) {
      case "Start":
        return
      case "Stop":
        if (!process.isStopping()) process.stop()
        return
      case "Kill":
        return process.kill()
      case "KillAt":
        return process.killAt(action.point)
      case "Pause":
        if (process.process.state === "paused") return
        process.pause()
        simulator.later(outside, action.millis, () => {
          if (process.process.state === "paused") process.resume()
        })
    }
  }

  const act = (action: Action): void => {
    switch (action._tag) {
      case "Subscribe":
        return clients.subscribe(action.events, action.behaviour)
      case "Publish":
        return publish(action, action.count)
      case "Jump":
        simulator.jump(action.millis)
        return observe({ _tag: "Jumped", millis: action.millis })
      case "SetStoreFaults":
        fault.chance = action.chance
        return
      case "Outage":
        fault.outageUntil = simulator.elapsed() + action.millis
        return
      default:
    }
    if ("webhook" in action) {
      const all = [...state.webhooks.values()].filter(({ deleted }) => !deleted)
      const webhook = all[action.webhook % Math.max(1, all.length)]
      return webhook === undefined ? undefined : actOn(webhook.id, action)
    }
    const process = alive(action.slot)
    if (process !== null) return actIn(process, action)
    if (action._tag !== "Start") return
    started += 1
    processes.set(action.slot, start(started, action.named ? `server ${action.slot}` : null))
  }

  const follow = ([step, ...rest]: Plan["steps"], onDone: () => void): void => {
    if (step === undefined) return onDone()
    const next = () => {
      act(step.action)
      follow(rest, onDone)
    }
    // Without a wait the action runs between the tasks that are ready now.
    if (step.wait === 0) simulator.soon(outside, next)
    else simulator.later(outside, step.wait, next)
  }

  return {
    act,
    follow,
    endFaults: () => {
      fault.chance = 0
      fault.outageUntil = 0
      for (const process of [alive(0), alive(1)]) {
        process?.killAt(null)
        if (process?.process.state === "paused") process.resume()
      }
      if (simulator.draw() < 0.7) act({ _tag: "Stop", slot: 1 })
    },
    isAnyAlive: () => alive(0) !== null || alive(1) !== null
  }
}
