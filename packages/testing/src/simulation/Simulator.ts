import type * as Scheduler from "effect/Scheduler"
import * as Seeded from "../Seeded.ts"

/** The wall clock at the beginning of a simulation, in epoch milliseconds. */
const startMillis = Date.UTC(2026, 2, 8, 13)

/**
 * A process of the simulated machine. While it is paused none of its tasks run, as after SIGSTOP. When it is dead none
 * of them ever run again, and neither do finalizers, as after SIGKILL.
 */
export interface Process {
  readonly name: string
  state: "running" | "paused" | "dead"
}

/**
 * A deterministic machine. Time passes only when no task is ready. The seed decides which ready task runs next.
 */
export interface Simulator {
  /** Draws a number from 0 up to but not including 1. */
  readonly draw: () => number
  /** Draws a whole number between two bounds, both included. */
  readonly between: (min: number, max: number) => number
  /** Draws one of the choices. */
  readonly oneOf: <A>(choices: readonly [A, ...ReadonlyArray<A>]) => A
  /** Returns the milliseconds since the simulation began. */
  readonly elapsed: () => number
  /** Returns the wall clock in epoch milliseconds. */
  readonly wall: () => number
  /** Sets the wall clock forward by some milliseconds, or back by a negative number. No time passes. */
  readonly jump: (millis: number) => void
  /** Makes a task of a process ready. */
  readonly soon: (process: Process, task: () => void) => void
  /** Makes a task of a process ready after some milliseconds. Returns a function that cancels it. */
  readonly later: (process: Process, millis: number, task: () => void) => () => void
  /** Resumes, pauses or kills a process. */
  readonly setState: (process: Process, state: Process["state"]) => void
  /**
   * Returns the scheduler for the fibers of a process. The seed decides which fiber runs and after how many operations
   * it yields.
   */
  readonly scheduler: (process: Process) => Scheduler.Scheduler
  /** Runs all tasks up to and including a time. Returns false if `isOver` stopped it before. */
  readonly runUntil: (elapsed: number, isOver: () => boolean) => boolean
}

interface Task {
  readonly process: Process
  readonly run: () => void
}

interface Timer extends Task {
  readonly at: number
}

/** More operations than any task has, so that its fiber does not yield. */
const unlimited = 1_000_000

/** Makes a machine. The same calls on a machine with the same seed have the same results. */
export const make = (seed: number): Simulator => {
  const draw = Seeded.numbers(seed)
  const between = (min: number, max: number) => min + Math.floor(draw() * (max - min + 1))
  const ready: Array<Task> = []
  const pausedTasks: Array<Task> = []
  const timers = new Set<Timer>()
  let elapsed = 0
  let wallOffset = startMillis
  let operations = unlimited

  const soon = (process: Process, run: () => void) => {
    if (process.state === "dead") return
    ;(process.state === "paused" ? pausedTasks : ready).push({ process, run })
  }

  /** Removes and returns a random task. */
  const take = (tasks: Array<Task>): Task | undefined => {
    const index = between(0, tasks.length - 1)
    const [task] = tasks.splice(index, 1)
    return task
  }

  const runReady = (isOver: () => boolean): boolean => {
    for (let task = take(ready); task !== undefined; task = take(ready)) {
      if (task.process.state !== "running") {
        soon(task.process, task.run)
        continue
      }
      operations = draw() < 0.6 ? unlimited : between(2, 60)
      task.run()
      if (isOver()) return false
    }
    return true
  }

  const nextTimerAt = (): number => {
    let first = Number.POSITIVE_INFINITY
    for (const { at } of timers) first = Math.min(first, at)
    return first
  }

  return {
    draw,
    between,
    oneOf: (choices) => choices[between(0, choices.length - 1)] ?? choices[0],
    elapsed: () => elapsed,
    wall: () => wallOffset + elapsed,
    jump: (millis) => {
      wallOffset += millis
    },
    soon,
    later: (process, millis, run) => {
      const timer = { process, run, at: elapsed + Math.ceil(millis) }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    setState: (process, state) => {
      process.state = state
      if (state === "running") ready.push(...pausedTasks.filter((task) => task.process === process))
      if (state === "dead") for (const timer of timers) if (timer.process === process) timers.delete(timer)
      if (state !== "paused")
        pausedTasks.splice(0, pausedTasks.length, ...pausedTasks.filter((task) => task.process !== process))
    },
    scheduler: (process) => ({
      executionMode: "async",
      shouldYield: (fiber) => fiber.currentOpCount >= operations,
      makeDispatcher: () => ({ scheduleTask: (task) => soon(process, task), flush: () => {} })
    }),
    runUntil: (end, isOver) => {
      while (runReady(isOver)) {
        const next = nextTimerAt()
        elapsed = Math.max(elapsed, Math.min(next, end))
        if (next > end || next === Number.POSITIVE_INFINITY) return true
        for (const timer of timers) {
          if (timer.at > elapsed) continue
          timers.delete(timer)
          soon(timer.process, timer.run)
        }
      }
      return false
    }
  }
}
