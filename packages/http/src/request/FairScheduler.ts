import * as RecentMap from "@frontdesk/core/values/RecentMap"
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

/** The maximum number of callers without tasks whose used time is remembered. */
const maxIdleCallers = 1_000

/** The waiting tasks of one caller. */
interface CallerTasks {
  readonly tasks: Array<() => void>
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
}

/**
 * Makes schedulers that divide one thread among callers. The next task is always one of the caller that has used the
 * least time. A caller with hundreds of tasks, or with long ones, therefore delays another caller by one task at most.
 *
 * This is start-time fair queueing with measured costs. A caller that arrives, or returns after a pause, begins with
 * the used time of the caller that is being served, so that a pause gives it no advantage. Between two turns the event
 * loop reads from connections and runs the tasks of other schedulers, such as those of the workers.
 */
export const make = ({ later, now }: FairSchedulerOptions): FairScheduler => {
  /**
   * Callers with tasks, the least recently served first. This order decides between callers with the same used time.
   */
  const waiting = new Map<string, CallerTasks>()
  /** The used time of callers without tasks. */
  const idle = new Map<string, number>()
  /** The used time of the caller that is being served. */
  let level = 0
  let scheduledAt: number | undefined
  /** The caller whose task is running. */
  let running: string | undefined
  /** Until when tasks may run at once, in this turn of the event loop. */
  let atOnceUntil = 0
  const schedulers = new Map<string, Scheduler.Scheduler>()

  const schedule = (): void => {
    if (scheduledAt !== undefined && now() - scheduledAt < lostTurnMillis) return
    scheduledAt = now()
    later(runTurn)
  }

  const usedOf = (caller: string): number => Math.max(level, idle.get(caller) ?? 0)

  const add = (caller: string, task: () => void): void => {
    const own = waiting.get(caller)
    if (own !== undefined) own.tasks.push(task)
    else {
      waiting.set(caller, { tasks: [task], used: usedOf(caller) })
      idle.delete(caller)
    }
    schedule()
  }

  /** Runs a task of a caller, and adds its time to what the caller has used. */
  const measure = (caller: string, own: Pick<CallerTasks, "used">, task: (() => void) | undefined): void => {
    level = Math.max(level, own.used)
    const outer = running
    running = caller
    const startedAt = now()
    try {
      task?.()
    } finally {
      running = outer
      own.used += Math.max(now() - startedAt, minCost)
    }
  }

  const runNext = ([caller, own]: readonly [string, CallerTasks]): void => {
    try {
      measure(caller, own, own.tasks.shift())
    } finally {
      waiting.delete(caller)
      if (own.tasks.length > 0) waiting.set(caller, own)
      else RecentMap.set(idle, caller, own.used, maxIdleCallers)
    }
  }

  const tryRun: FairScheduler["tryRun"] = (caller, task) => {
    if (scheduledAt === undefined) atOnceUntil = now() + turnMillis
    if (waiting.size > 0 || running !== undefined || now() >= atOnceUntil) return false
    // The scheduled turn ends the time in which tasks run at once.
    schedule()
    const own = { used: usedOf(caller) }
    try {
      measure(caller, own, task)
    } finally {
      RecentMap.set(idle, caller, own.used, maxIdleCallers)
    }
    return true
  }

  const runTurn = (): void => {
    scheduledAt = undefined
    atOnceUntil = 0
    const end = now() + turnMillis
    try {
      for (let next = leastUsed(waiting); next !== undefined; next = leastUsed(waiting)) {
        runNext(next)
        if (now() >= end) break
      }
    } finally {
      if (waiting.size > 0) schedule()
    }
  }

  const make = (caller: string): Scheduler.Scheduler => ({
    executionMode: "async",
    shouldYield: ({ cache, currentOpCount }) => currentOpCount >= cache.maxOpsBeforeYield,
    makeDispatcher: () => ({
      scheduleTask: (task) => add(caller, task),
      flush: () => {
        for (let own = waiting.get(caller); own !== undefined; own = waiting.get(caller)) runNext([caller, own])
      }
    })
  })

  return {
    of: (caller) => {
      const present = schedulers.get(caller)
      if (present !== undefined) return present
      const made = make(caller)
      RecentMap.set(schedulers, caller, made, maxIdleCallers)
      return made
    },
    tryRun,
    run: (caller, task) => {
      if (!tryRun(caller, task)) add(caller, task)
    },
    isRunning: (caller) => running === caller
  }
}

const leastUsed = (callers: ReadonlyMap<string, CallerTasks>): readonly [string, CallerTasks] | undefined => {
  let least: readonly [string, CallerTasks] | undefined
  for (const entry of callers) if (least === undefined || entry[1].used < least[1].used) least = entry
  return least
}
