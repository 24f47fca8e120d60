import type * as Scheduler from "effect/Scheduler"
import * as Seeded from "../Seeded.ts"

/** What the wall clock shows when a simulation begins. */
const beginning = Date.UTC(2026, 2, 8, 13)

/**
 * One process of the machine. While it is paused nothing of it runs, as after SIGSTOP; when it is dead nothing of it
 * runs ever again, no finalizer either, as after SIGKILL.
 */
export interface Process {
  readonly name: string
  state: "running" | "paused" | "dead"
}

/**
 * A machine of which nothing is left to chance: time passes only when there is nothing to do, and which of the things
 * to do comes next is drawn from the seed.
 */
export interface Simulator {
  /** A number from 0 up to 1, the next one of the seed. */
  readonly draw: () => number
  /** A whole number, both bounds included. */
  readonly between: (min: number, max: number) => number
  /** One of these, which are not empty. */
  readonly oneOf: <A>(choices: readonly [A, ...ReadonlyArray<A>]) => A
  /** How many milliseconds have passed since it began. */
  readonly elapsed: () => number
  /** What the wall clock shows, in epoch milliseconds: it can be set, which lets no time pass. */
  readonly wall: () => number
  /** Sets the wall clock on by so many milliseconds, or back. */
  readonly jump: (millis: number) => void
  /** Lets a process do something as soon as its turn comes. */
  readonly soon: (process: Process, task: () => void) => void
  /** Lets a process do something so many milliseconds from now. Answers what takes that back. */
  readonly later: (process: Process, millis: number, task: () => void) => () => void
  /** What is to be done of a process that goes on, is paused, or is killed. */
  readonly move: (process: Process, state: Process["state"]) => void
  /** Schedules the fibers of a process: which goes on, and after how many operations it is interrupted by others. */
  readonly scheduler: (process: Process) => Scheduler.Scheduler
  /** Does everything that is to be done before a time and at it, then lets the time come. False when stopped early. */
  readonly runUntil: (elapsed: number, isOver: () => boolean) => boolean
}

interface Task {
  readonly process: Process
  readonly run: () => void
}

interface Timer extends Task {
  readonly at: number
}

/** More operations than any task has: it is not interrupted. */
const unlimited = 1_000_000

/** A machine that does the same again for the same seed, as long as it is asked the same. */
export const make = (seed: number): Simulator => {
  const draw = Seeded.numbers(seed)
  const between = (min: number, max: number) => min + Math.floor(draw() * (max - min + 1))
  const ready: Array<Task> = []
  const held: Array<Task> = []
  const timers = new Set<Timer>()
  let elapsed = 0
  let apart = beginning
  let operations = unlimited

  const soon = (process: Process, run: () => void) => {
    if (process.state === "dead") return
    ;(process.state === "paused" ? held : ready).push({ process, run })
  }

  /** Takes a task out at random; the last one comes in its place. */
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

  const nextTimes = (): number => {
    let first = Number.POSITIVE_INFINITY
    for (const { at } of timers) first = Math.min(first, at)
    return first
  }

  return {
    draw,
    between,
    oneOf: (choices) => choices[between(0, choices.length - 1)] ?? choices[0],
    elapsed: () => elapsed,
    wall: () => apart + elapsed,
    jump: (millis) => {
      apart += millis
    },
    soon,
    later: (process, millis, run) => {
      const timer = { process, run, at: elapsed + Math.ceil(millis) }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    move: (process, state) => {
      process.state = state
      if (state === "running") ready.push(...held.filter((task) => task.process === process))
      if (state === "dead") for (const timer of timers) if (timer.process === process) timers.delete(timer)
      if (state !== "paused") held.splice(0, held.length, ...held.filter((task) => task.process !== process))
    },
    scheduler: (process) => ({
      executionMode: "async",
      shouldYield: (fiber) => fiber.currentOpCount >= operations,
      makeDispatcher: () => ({ scheduleTask: (task) => soon(process, task), flush: () => {} })
    }),
    runUntil: (end, isOver) => {
      while (runReady(isOver)) {
        const next = nextTimes()
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
