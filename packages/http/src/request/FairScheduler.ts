import * as RecentMap from "@frontdesk/core/values/RecentMap"
import * as Effect from "effect/Effect"
import * as Scheduler from "effect/Scheduler"

/** How long tasks run in one turn of the event loop, in milliseconds. A task that has begun is not cut off. */
const turnMillis = 1

/** The least that a task costs, in milliseconds: where the clock stands still, callers take turns one task each. */
const leastCost = 0.01

/**
 * After how long a turn that has not come is scheduled again, in milliseconds. Some runtimes drop the timers of a request
 * that is cancelled, and with them a turn that all requests wait for.
 */
const lostAfter = 1_000

/** Of how many callers without tasks it is remembered what they have used. */
const maxRemembered = 1_000

/** What a caller waits for, and the time it has used: that of {@link FairScheduler} when it came, and its own since. */
interface Line {
  readonly tasks: Array<() => void>
  used: number
}

/** Divides the thread fairly among callers. */
export interface FairScheduler {
  /** Returns the scheduler of the fibers that work for a caller. */
  readonly of: (caller: string) => Scheduler.Scheduler
}

/** Waits for the next turn of a caller. */
export const turn = (scheduler: FairScheduler, caller: string): Effect.Effect<void> =>
  Effect.provideService(Effect.yieldNow, Scheduler.Scheduler, scheduler.of(caller))

/** What {@link make} runs on. */
export interface FairSchedulerOptions {
  /** Runs a function in a later turn of the event loop. */
  readonly later: (run: () => void) => void
  /** Returns the time in milliseconds, with fractions. */
  readonly now: () => number
}

/**
 * Makes schedulers that share the thread: of all callers with something to run, that one is next which has used the
 * least time. A caller with hundreds of tasks, or with long ones, delays another by the task that is running, not by those
 * that wait.
 *
 * This is start-time fair queueing with measured costs. A caller that comes, or comes back, begins at the time of the one
 * that is being served: having been away earns it nothing. Between two turns the event loop reads what has
 * arrived and runs what other schedulers have waiting, such as the workers.
 */
export const make = ({ later, now }: FairSchedulerOptions): FairScheduler => {
  /** In the order in which they were served last, which decides among those that have used the same. */
  const waiting = new Map<string, Line>()
  /** What callers without tasks have used. */
  const resting = new Map<string, number>()
  let level = 0
  let scheduledAt: number | undefined

  const schedule = (): void => {
    if (scheduledAt !== undefined && now() - scheduledAt < lostAfter) return
    scheduledAt = now()
    later(runTurn)
  }

  const add = (caller: string, task: () => void): void => {
    const line = waiting.get(caller)
    if (line !== undefined) line.tasks.push(task)
    else {
      waiting.set(caller, { tasks: [task], used: Math.max(level, resting.get(caller) ?? 0) })
      resting.delete(caller)
    }
    schedule()
  }

  const runNext = ([caller, line]: readonly [string, Line]): void => {
    level = Math.max(level, line.used)
    const startedAt = now()
    try {
      line.tasks.shift()?.()
    } finally {
      line.used += Math.max(now() - startedAt, leastCost)
      waiting.delete(caller)
      if (line.tasks.length > 0) waiting.set(caller, line)
      else RecentMap.set(resting, caller, line.used, maxRemembered)
    }
  }

  const runTurn = (): void => {
    scheduledAt = undefined
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

  return {
    of: (caller) => ({
      executionMode: "async",
      shouldYield: ({ cache, currentOpCount }) => currentOpCount >= cache.maxOpsBeforeYield,
      makeDispatcher: () => ({
        scheduleTask: (task) => add(caller, task),
        flush: () => {
          for (let line = waiting.get(caller); line !== undefined; line = waiting.get(caller)) runNext([caller, line])
        }
      })
    })
  }
}

const leastUsed = (lines: ReadonlyMap<string, Line>): readonly [string, Line] | undefined => {
  let least: readonly [string, Line] | undefined
  for (const entry of lines) if (least === undefined || entry[1].used < least[1].used) least = entry
  return least
}
