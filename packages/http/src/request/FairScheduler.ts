import { RecentMap } from "@frontdesk/core/values/RecentMap"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Scheduler from "effect/Scheduler"

/** How long tasks run in one turn of the event loop, in milliseconds. A task that has begun is not interrupted. */
const turnMillis = 1

/**
 * The minimum cost of a task, in milliseconds. With a clock that does not advance, callers then take turns task by
 * task.
 */
const minCost = 0.01

/**
 * The time in milliseconds after which a turn that has not come is scheduled again. Some runtimes drop the timers of a
 * cancelled request, and every other request would wait for a dropped turn.
 */
const lostTurnMillis = 1_000

/** The maximum number of callers that are remembered: those that were served most recently. */
const maxCallers = 2_000

/** What is known of a caller. */
interface Caller {
  readonly name: string
  readonly scheduler: Scheduler.Scheduler
  /** The tasks that wait. */
  readonly tasks: Array<() => void>
  isWaiting: boolean
  /**
   * The time in milliseconds that decides which caller is next: the level at which the caller arrived, and its use
   * since.
   */
  used: number
}

/** Divides the thread fairly among callers. */
export interface FairScheduler {
  /** Returns the scheduler for the fibers of a caller. Calls for the same caller usually return the same one. */
  readonly of: (caller: string) => Scheduler.Scheduler
  /**
   * Runs a task of a caller at once if no other task waits and this turn of the event loop has time left. Otherwise
   * returns false, and the caller has to wait for its turn.
   */
  readonly tryRun: (caller: string, task: () => void) => boolean
  /** Runs a task of a caller: at once like {@link FairScheduler.tryRun}, or else when it is the turn of the caller. */
  readonly run: (caller: string, task: () => void) => void
  /** Returns whether a task of the caller is running. */
  readonly isRunning: (caller: string) => boolean
}

/** Waits for the next turn of a caller on the thread. */
export const turn = (scheduler: FairScheduler, caller: string): Effect.Effect<void> =>
  Effect.provideService(Effect.yieldNow, Scheduler.Scheduler, scheduler.of(caller))

/** The event loop and the clock that {@link make} uses. */
export interface FairSchedulerOptions {
  /** Runs a function in a later turn of the event loop. */
  readonly later: (run: () => void) => void
  /** Returns the time in milliseconds, with fractions. */
  readonly now: () => number
  /**
   * Returns a number that changes with each turn of the event loop. Without it, `later` is called in each turn in which a
   * task runs at once, to learn when that turn is over.
   */
  readonly currentTurn?: (() => number) | undefined
}

/**
 * Makes schedulers that divide one thread among callers. The next task is always one of the caller that has used the
 * least time. A caller with hundreds of tasks, or with long ones, therefore delays another caller by one task at most.
 *
 * This is start-time fair queueing with measured costs. A caller that arrives, or returns after a pause, begins with
 * the used time of the caller that is being served, so that a pause gives it no advantage. Between two turns the event
 * loop reads from connections and runs the tasks of other schedulers, such as those of the workers.
 */
export const make = ({ currentTurn, later, now }: FairSchedulerOptions): FairScheduler => {
  const callers = new RecentMap<string, Caller>(maxCallers)
  /**
   * Callers with tasks, the least recently served first. This order decides between callers with the same used time.
   */
  const waiting: Array<Caller> = []
  /** The used time of the caller that is being served. */
  let level = 0
  let scheduledAt: number | undefined
  /** The caller whose task is running. */
  let running: Caller | undefined
  /** Until when tasks may run at once, in this turn of the event loop. */
  let atOnceUntil = 0
  /** The turn in which a task last asked to run at once. */
  let askedTurn: number | undefined

  const schedule = (at: number): void => {
    if (scheduledAt !== undefined && at - scheduledAt < lostTurnMillis) return
    scheduledAt = at
    later(runTurn)
  }

  const wait = (caller: Caller): void => {
    caller.isWaiting = true
    waiting.push(caller)
  }

  /** Begins with the level of the caller that is being served, so that a pause gives no advantage. */
  const arrive = (caller: Caller): void => {
    caller.used = Math.max(level, caller.used)
  }

  const add = (caller: Caller, task: () => void): void => {
    caller.tasks.push(task)
    if (!caller.isWaiting) {
      arrive(caller)
      wait(caller)
    }
    schedule(now())
  }

  /** Runs a task of a caller, and adds its time to what the caller has used. */
  const run = (caller: Caller, startedAt: number, task: (() => void) | undefined): void => {
    level = Math.max(level, caller.used)
    const outer = running
    running = caller
    try {
      task?.()
    } finally {
      running = outer
      caller.used += Math.max(now() - startedAt, minCost)
    }
  }

  const runNext = (caller: Caller, startedAt: number): void => {
    // The caller goes to the end.
    waiting.splice(waiting.indexOf(caller), 1)
    caller.isWaiting = false
    const task = caller.tasks.shift()
    if (caller.tasks.length > 0) wait(caller)
    run(caller, startedAt, task)
  }

  /** Returns whether no task has asked to run at once since this turn of the event loop began. */
  const isNewTurn = (): boolean => {
    if (currentTurn === undefined) return scheduledAt === undefined
    const turn = currentTurn()
    if (turn === askedTurn) return false
    askedTurn = turn
    return true
  }

  const tryRun: FairScheduler["tryRun"] = (name, task) => {
    const startedAt = now()
    if (isNewTurn()) atOnceUntil = startedAt + turnMillis
    if (waiting.length > 0 || running !== undefined || startedAt >= atOnceUntil) return false
    // The scheduled turn ends the time in which tasks run at once.
    if (currentTurn === undefined) schedule(startedAt)
    const caller = callerOf(name)
    arrive(caller)
    run(caller, startedAt, task)
    return true
  }

  const runTurn = (): void => {
    scheduledAt = undefined
    atOnceUntil = 0
    let at = now()
    const end = at + turnMillis
    try {
      for (let next = leastUsed(waiting); next !== undefined; next = leastUsed(waiting)) {
        runNext(next, at)
        at = now()
        if (at >= end) break
      }
    } finally {
      if (waiting.length > 0) schedule(at)
    }
  }

  const make = (name: string): Caller => ({
    name,
    tasks: [],
    isWaiting: false,
    used: 0,
    scheduler: {
      executionMode: "async",
      shouldYield: ({ cache, currentOpCount }) => currentOpCount >= cache.maxOpsBeforeYield,
      makeDispatcher: () => ({
        scheduleTask: (task) => add(callerOf(name), task),
        flush: () => {
          const caller = callerOf(name)
          while (caller.isWaiting) runNext(caller, now())
        }
      })
    }
  })

  const callerOf = (name: string): Caller => {
    const known = callers.get(name)
    if (known !== undefined) return known
    const caller = make(name)
    callers.set(name, caller)
    return caller
  }

  return {
    of: (name) => callerOf(name).scheduler,
    tryRun,
    run: (name, task) => {
      if (!tryRun(name, task)) add(callerOf(name), task)
    },
    isRunning: (name) => running?.name === name
  }
}

const leastUsed = (callers: ReadonlyArray<Caller>): Caller | undefined => {
  let [least] = callers
  for (const caller of callers) if (least !== undefined && caller.used < least.used) least = caller
  return least
}

/** Makes the fair scheduler on the scheduler and the clock of the program. */
export const forProgram = Effect.fnUntraced(function* (currentTurn: FairSchedulerOptions["currentTurn"]) {
  const dispatcher = (yield* Scheduler.Scheduler).makeDispatcher()
  const clock = yield* Clock.Clock
  return make({
    later: (run) => dispatcher.scheduleTask(run, 0),
    now: () => Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000,
    currentTurn
  })
})
